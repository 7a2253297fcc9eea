import type { ReactNode } from 'react';

/** What every field of a form takes, whatever its control. */
export interface FieldProps {
  /** Always there; `isLabelHidden` hides it from sight alone. */
  label: string;
  isLabelHidden?: boolean;
  /** One line under the label: what belongs here, not what a field is. */
  description?: ReactNode;
  /** What is wrong and how to correct it. Its presence makes the field invalid. */
  error?: ReactNode;
  isRequired?: boolean;
  /** Longer help, opened from a button beside the label. */
  help?: ReactNode;
  /** Why it cannot be changed now. It is said in words beside the field. */
  disabledReason?: string | undefined;
  /** Height of the control in px: 28 in toolbars, 32 in forms. */
  size?: 28 | 32;
}

/** Splits the wiring of the field from what is the control's own. */
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

/** An error that is really there: an empty one does not make a field invalid. */
export function isFieldInvalid(field: FieldProps): boolean {
  return field.error !== undefined && field.error !== null && field.error !== '' && field.error !== false;
}
