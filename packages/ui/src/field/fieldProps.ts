import type { ReactNode } from 'react';

/** Props common to all form fields. */
export interface FieldProps {
  /** Required; `isLabelHidden` hides it only visually. */
  label: string;
  isLabelHidden?: boolean;
  /** One line under the label: what to enter, not what a field is. */
  description?: ReactNode;
  /** What is wrong and how to correct it. Makes the field invalid. */
  error?: ReactNode;
  isRequired?: boolean;
  /** Longer help, opened with a button beside the label. */
  help?: ReactNode;
  /** Why it can't be changed now, shown beside the field. */
  disabledReason?: string | undefined;
  /** Height of the control in px: 28 in toolbars, 32 in forms. */
  size?: 28 | 32;
}

/** Separates the field's props from the control's own. */
export function splitFieldProps<P extends FieldProps>(
  props: P,
): { field: FieldProps; control: Omit<P, keyof FieldProps> } {
  const { label, isLabelHidden, description, error, isRequired, help, disabledReason, size, ...control } =
    props;
  return {
    field: { label, isLabelHidden, description, error, isRequired, help, disabledReason, size },
    control,
  };
}

/** The error if it isn't empty: an empty one doesn't make a field invalid. */
export function isFieldInvalid(field: FieldProps): boolean {
  return field.error !== undefined && field.error !== null && field.error !== '' && field.error !== false;
}
