import { clsx } from 'clsx';
import { CircleAlert, CircleHelp, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  Dialog,
  DialogTrigger,
  FieldError,
  Label,
  Popover,
  Text,
} from 'react-aria-components';
import { Icon } from '../icon/Icon.tsx';
import { type FieldProps, isFieldInvalid } from './fieldProps.ts';

/** Longer help, behind a button: read with the keyboard, closed with Esc. */
export function FieldHelp({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DialogTrigger>
      <AriaButton
        slot={null}
        aria-label={`Help: ${label}`}
        className="-my-1 inline-flex size-6 items-center justify-center rounded-control text-ink-3 data-hovered:bg-hover data-hovered:text-ink-1 data-pressed:bg-pressed"
      >
        <Icon icon={CircleHelp} size={14} />
      </AriaButton>
      <Popover
        placement="top start"
        offset={6}
        className="overlay-motion max-w-80 rounded-overlay bg-raised p-3 text-body text-ink-2 shadow-overlay"
      >
        <Dialog aria-label={`Help: ${label}`} className="outline-none">
          {children}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

/** Label, required marker and help, on one line. Inside a react-aria field, which wires the label. */
export function FieldLabel({ label, isLabelHidden, isRequired, help }: FieldProps) {
  return (
    <div className={clsx('flex items-center gap-1', isLabelHidden === true && 'sr-only')}>
      <Label className="text-body font-medium text-ink-1">{label}</Label>
      {isRequired === true && (
        <span aria-hidden className="text-meta text-ink-3">
          required
        </span>
      )}
      {help !== undefined && <FieldHelp label={label}>{help}</FieldHelp>}
    </div>
  );
}

/** The lines that belong to a field: description, why it is locked. Inside a react-aria field, which wires them. */
export function FieldDescription({ description, disabledReason }: FieldProps) {
  if (description === undefined && disabledReason === undefined) return null;
  return (
    <Text slot="description" className="flex flex-col gap-0.5 text-meta text-ink-2">
      {description !== undefined && <span>{description}</span>}
      {disabledReason !== undefined && (
        <span className="flex items-start gap-1">
          <Icon icon={Lock} size={12} className="mt-0.5" />
          <span>{disabledReason}</span>
        </span>
      )}
    </Text>
  );
}

/** What is wrong, with an icon so that it does not rest on colour. Inside a react-aria field, which wires it. */
export function FieldErrorLine({ error }: Pick<FieldProps, 'error'>) {
  return (
    <FieldError className="flex items-start gap-1 text-meta text-danger">
      <Icon icon={CircleAlert} size={12} className="mt-0.5" />
      <span>{error}</span>
    </FieldError>
  );
}

/** The order in which every field is laid out: label, description, control, error. */
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

/** The class of the element that holds a FieldLayout. */
export const fieldLayoutClass = 'flex min-w-0 flex-col gap-1';
