import { clsx } from 'clsx';
import type { Ref, TextareaHTMLAttributes } from 'react';
import { controlClass } from '../field/controlClass.ts';
import { Field } from '../field/Field.tsx';
import { type FieldProps, splitFieldProps } from '../field/fieldProps.ts';

export interface TextAreaProps
  extends
    Omit<FieldProps, 'size'>,
    Pick<
      TextareaHTMLAttributes<HTMLTextAreaElement>,
      'onBlur' | 'onFocus' | 'name' | 'id' | 'placeholder' | 'autoFocus' | 'maxLength' | 'spellCheck'
    > {
  value?: string;
  defaultValue?: string;
  onChange?: (value: string) => void;
  isDisabled?: boolean;
  isReadOnly?: boolean;
  isMono?: boolean;
  /** Minimum number of lines; the area grows with its text up to `maxRows`. */
  rows?: number;
  maxRows?: number;
  inputRef?: Ref<HTMLTextAreaElement>;
}

/** A multi-line input that grows with its text. */
export function TextArea(props: TextAreaProps) {
  const { field, control } = splitFieldProps(props);
  const {
    isMono = false,
    rows = 3,
    maxRows = 12,
    inputRef,
    isReadOnly = false,
    isDisabled = false,
    onChange,
    id,
    ...rest
  } = control;
  return (
    <Field {...field} id={id}>
      {(wiring) => (
        <textarea
          {...rest}
          {...wiring}
          ref={inputRef}
          rows={rows}
          disabled={isDisabled}
          readOnly={isReadOnly || field.disabledReason !== undefined}
          onChange={(event) => {
            onChange?.(event.target.value);
          }}
          // The line box is 20 px; padding and border add 12.
          style={{ maxHeight: maxRows * 20 + 12, minHeight: rows * 20 + 12 }}
          className={clsx(controlClass({ isMono }), 'h-auto! resize-y py-1.25 [field-sizing:content]')}
        />
      )}
    </Field>
  );
}
