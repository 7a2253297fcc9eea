import { clsx } from 'clsx';
import { type InputHTMLAttributes, type ReactNode, type Ref } from 'react';
import { controlClass, controlGroupClass, groupInputClass } from '../field/controlClass.ts';
import { Field } from '../field/Field.tsx';
import { type FieldProps, splitFieldProps } from '../field/fieldProps.ts';

export interface TextFieldProps
  extends
    FieldProps,
    Pick<
      InputHTMLAttributes<HTMLInputElement>,
      | 'onBlur'
      | 'onFocus'
      | 'onKeyDown'
      | 'name'
      | 'id'
      | 'placeholder'
      | 'autoComplete'
      | 'autoFocus'
      | 'inputMode'
      | 'maxLength'
      | 'spellCheck'
    > {
  type?: 'text' | 'email' | 'url' | 'tel' | 'password' | 'datetime-local';
  value?: string;
  defaultValue?: string;
  onChange?: (value: string) => void;
  isDisabled?: boolean;
  isReadOnly?: boolean;
  /** For IDs, addresses, expressions. */
  isMono?: boolean;
  /** Inside the box, before or after the text: a unit, a scheme, a button. */
  prefix?: ReactNode;
  suffix?: ReactNode;
  inputRef?: Ref<HTMLInputElement>;
}

/** A single-line native input. */
export function TextField(props: TextFieldProps) {
  const { field, control } = splitFieldProps(props);
  const {
    isMono = false,
    prefix,
    suffix,
    inputRef,
    isReadOnly = false,
    isDisabled = false,
    onChange,
    id,
    type = 'text',
    ...rest
  } = control;
  const look = { size: field.size, isMono };
  return (
    <Field {...field} id={id}>
      {(wiring) => {
        const input = {
          ...rest,
          ...wiring,
          type,
          ref: inputRef,
          disabled: isDisabled,
          readOnly: isReadOnly || field.disabledReason !== undefined,
          onChange: (event: { target: HTMLInputElement }) => {
            onChange?.(event.target.value);
          },
        };
        if (prefix === undefined && suffix === undefined)
          return <input {...input} className={controlClass(look)} />;
        return (
          <div className={controlGroupClass(look)}>
            {prefix !== undefined && <span className="shrink-0 ps-2.5 text-ink-3">{prefix}</span>}
            <input {...input} className={clsx(groupInputClass, prefix !== undefined && 'ps-1.5')} />
            {suffix !== undefined && (
              <span className="flex shrink-0 items-center pe-2 text-ink-3">{suffix}</span>
            )}
          </div>
        );
      }}
    </Field>
  );
}
