import { clsx } from 'clsx';
import type { Ref } from 'react';
import {
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components';
import { controlClass } from '../field/controlClass.ts';
import { FieldLayout, fieldLayoutClass } from '../field/FieldParts.tsx';
import { type FieldProps, isFieldInvalid, splitFieldProps } from '../field/fieldProps.ts';

export interface TextAreaProps
  extends
    Omit<FieldProps, 'size'>,
    Pick<
      AriaTextFieldProps,
      | 'value'
      | 'defaultValue'
      | 'onChange'
      | 'onBlur'
      | 'onFocus'
      | 'name'
      | 'id'
      | 'autoFocus'
      | 'isDisabled'
      | 'isReadOnly'
      | 'maxLength'
      | 'spellCheck'
    > {
  placeholder?: string;
  isMono?: boolean;
  /** Lines at least; it grows with its text up to `maxRows`. */
  rows?: number;
  maxRows?: number;
  inputRef?: Ref<HTMLTextAreaElement>;
}

/** Several lines of text. It grows with what is written. */
export function TextArea(props: TextAreaProps) {
  const { field, control } = splitFieldProps(props);
  const {
    isMono = false,
    rows = 3,
    maxRows = 12,
    inputRef,
    placeholder,
    isReadOnly = false,
    ...rest
  } = control;
  return (
    <AriaTextField
      {...rest}
      validationBehavior="aria"
      isRequired={field.isRequired}
      isInvalid={isFieldInvalid(field)}
      isReadOnly={isReadOnly || field.disabledReason !== undefined}
      className={fieldLayoutClass}
    >
      <FieldLayout field={field}>
        <AriaTextArea
          ref={inputRef}
          placeholder={placeholder}
          rows={rows}
          // The line box is 20 px; padding and border add 12.
          style={{ maxHeight: maxRows * 20 + 12, minHeight: rows * 20 + 12 }}
          className={clsx(controlClass({ isMono }), 'h-auto! resize-y py-1.25 [field-sizing:content]')}
        />
      </FieldLayout>
    </AriaTextField>
  );
}
