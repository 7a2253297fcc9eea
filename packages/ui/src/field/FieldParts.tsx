import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { FieldError, Label, Text } from 'react-aria-components';
import { ErrorText, FieldHelp, Reason, RequiredMark } from './FieldMarks.tsx';
import { type FieldProps, isFieldInvalid } from './fieldProps.ts';

/** Label, required marker and help on one line. Used inside a react-aria field, which connects the label. */
function FieldLabel({ label, isLabelHidden, isRequired, help }: FieldProps) {
  return (
    <div className={clsx('flex items-center gap-1', isLabelHidden === true && 'sr-only')}>
      <Label className="text-body font-medium text-ink-1">{label}</Label>
      {isRequired === true && <RequiredMark />}
      {help !== undefined && <FieldHelp label={label}>{help}</FieldHelp>}
    </div>
  );
}

/** A field's description and lock reason. Used inside a react-aria field, which connects them. */
function FieldDescription({ description, disabledReason }: FieldProps) {
  if (description === undefined && disabledReason === undefined) return null;
  return (
    <Text slot="description" className="flex flex-col gap-0.5 text-meta text-ink-2">
      {description !== undefined && <span>{description}</span>}
      {disabledReason !== undefined && <Reason>{disabledReason}</Reason>}
    </Text>
  );
}

/** An error, with an icon so that it doesn't depend on color. Used inside a react-aria field, which connects it. */
function FieldErrorLine({ error }: Pick<FieldProps, 'error'>) {
  return (
    <FieldError>
      <ErrorText>{error}</ErrorText>
    </FieldError>
  );
}

/** The layout of every field: label, description, control, error. */
export function FieldLayout({ field, children }: { field: FieldProps; children: ReactNode }) {
  return (
    <>
      <FieldLabel {...field} />
      <FieldDescription {...field} />
      {children}
      {isFieldInvalid(field) && <FieldErrorLine error={field.error} />}
    </>
  );
}
