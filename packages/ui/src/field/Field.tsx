import { clsx } from 'clsx';
import { type ReactNode, useId } from 'react';
import { ErrorText, FieldHelp, fieldLayoutClass, Reason, RequiredMark } from './FieldMarks.tsx';
import { type FieldProps, isFieldInvalid } from './fieldProps.ts';

/** Props that the control inside a Field spreads on its element. */
export interface FieldWiring {
  id: string;
  'aria-labelledby': string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
  'aria-disabled': true | undefined;
}

export interface StandaloneFieldProps extends FieldProps {
  /** The control's ID; generated unless given. */
  id?: string | undefined;
  /** The control is a group, named by the label; clicking the label doesn't focus it. */
  isGroup?: boolean;
  children: (wiring: FieldWiring) => ReactNode;
}

/** Label, description and error around a control from outside this package: an editor, a picker. */
export function Field(props: StandaloneFieldProps) {
  const {
    label,
    isLabelHidden,
    description,
    error,
    isRequired,
    help,
    disabledReason,
    isGroup = false,
    children,
  } = props;
  const ownId = useId();
  const id = props.id ?? ownId;
  const Words = isGroup ? 'span' : 'label';
  const isInvalid = isFieldInvalid(props);
  const describedBy = clsx(
    isInvalid && `${id}-error`,
    description !== undefined && `${id}-description`,
    disabledReason !== undefined && `${id}-reason`,
  );
  return (
    <div className={fieldLayoutClass}>
      <div className={clsx('flex items-center gap-1', isLabelHidden === true && 'sr-only')}>
        <Words
          id={`${id}-label`}
          {...(isGroup ? {} : { htmlFor: id })}
          className="text-body font-medium text-ink-1"
        >
          {label}
        </Words>
        {isRequired === true && <RequiredMark />}
        {help !== undefined && <FieldHelp label={label}>{help}</FieldHelp>}
      </div>
      {description !== undefined && (
        <div id={`${id}-description`} className="text-meta text-ink-2">
          {description}
        </div>
      )}
      {disabledReason !== undefined && (
        <div id={`${id}-reason`} className="text-meta text-ink-2">
          <Reason>{disabledReason}</Reason>
        </div>
      )}
      {children({
        id,
        'aria-labelledby': `${id}-label`,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': isInvalid || undefined,
        'aria-required': isRequired === true || undefined,
        'aria-disabled': disabledReason !== undefined || undefined,
      })}
      {isInvalid && (
        <div id={`${id}-error`}>
          <ErrorText>{error}</ErrorText>
        </div>
      )}
    </div>
  );
}
