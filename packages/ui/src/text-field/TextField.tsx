import { clsx } from 'clsx';
import type { ReactNode, Ref } from 'react';
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  Group,
  Input,
} from 'react-aria-components';
import { controlClass, controlGroupClass, groupInputClass } from '../field/controlClass.ts';
import { FieldLayout, fieldLayoutClass } from '../field/FieldParts.tsx';
import { type FieldProps, isFieldInvalid, splitFieldProps } from '../field/fieldProps.ts';

export interface TextFieldProps
  extends
    FieldProps,
    Pick<
      AriaTextFieldProps,
      | 'value'
      | 'defaultValue'
      | 'onChange'
      | 'onBlur'
      | 'onFocus'
      | 'onKeyDown'
      | 'name'
      | 'id'
      | 'autoComplete'
      | 'autoFocus'
      | 'inputMode'
      | 'isDisabled'
      | 'isReadOnly'
      | 'maxLength'
      | 'spellCheck'
    > {
  type?: 'text' | 'email' | 'url' | 'tel';
  /** An example of a value, never the label. */
  placeholder?: string;
  /** For ids, addresses, expressions. */
  isMono?: boolean;
  /** Inside the box, before or after the text: a unit, a scheme, a button. */
  prefix?: ReactNode;
  suffix?: ReactNode;
  inputRef?: Ref<HTMLInputElement>;
}

/** One line of text. */
export function TextField(props: TextFieldProps) {
  const { field, control } = splitFieldProps(props);
  const {
    isMono = false,
    prefix,
    suffix,
    inputRef,
    placeholder,
    isReadOnly = false,
    type = 'text',
    ...rest
  } = control;
  const size = field.size ?? 32;
  return (
    <AriaTextField
      {...rest}
      type={type}
      validationBehavior="aria"
      isRequired={field.isRequired ?? false}
      isInvalid={isFieldInvalid(field)}
      isReadOnly={isReadOnly || field.disabledReason !== undefined}
      className={fieldLayoutClass}
    >
      <FieldLayout field={field}>
        {prefix === undefined && suffix === undefined ? (
          <Input ref={inputRef} placeholder={placeholder} className={controlClass({ size, isMono })} />
        ) : (
          <Group className={controlGroupClass({ size, isMono })}>
            {prefix !== undefined && <span className="shrink-0 ps-2.5 text-ink-3">{prefix}</span>}
            <Input
              ref={inputRef}
              placeholder={placeholder}
              className={clsx(groupInputClass, prefix !== undefined && 'ps-1.5')}
            />
            {suffix !== undefined && (
              <span className="flex shrink-0 items-center pe-2 text-ink-3">{suffix}</span>
            )}
          </Group>
        )}
      </FieldLayout>
    </AriaTextField>
  );
}
