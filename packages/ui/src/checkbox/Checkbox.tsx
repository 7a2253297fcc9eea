import { Lock } from 'lucide-react';
import { type ReactNode, type Ref, useId } from 'react';
import { Checkbox as AriaCheckbox, type CheckboxProps as AriaCheckboxProps } from 'react-aria-components';
import { Icon } from '../icon/Icon.tsx';
import { CheckboxMark } from './CheckboxMark.tsx';

export interface CheckboxProps extends Pick<
  AriaCheckboxProps,
  | 'isSelected'
  | 'defaultSelected'
  | 'isIndeterminate'
  | 'onChange'
  | 'onBlur'
  | 'name'
  | 'value'
  | 'id'
  | 'autoFocus'
  | 'isDisabled'
> {
  children: ReactNode;
  description?: ReactNode;
  error?: ReactNode;
  /** Why it cannot be changed; it stays focusable and says so. */
  disabledReason?: string | undefined;
  inputRef?: Ref<HTMLInputElement>;
}

/** Yes or no, or one of a set. A setting that acts at once is a Switch. */
export function Checkbox({ children, description, error, disabledReason, inputRef, ...rest }: CheckboxProps) {
  const descriptionId = useId();
  const isLocked = disabledReason !== undefined;
  const isInvalid = error !== undefined && error !== '';
  const hasLines = description !== undefined || isLocked || isInvalid;
  return (
    <div className="flex flex-col gap-0.5">
      <AriaCheckbox
        {...rest}
        inputRef={inputRef}
        isReadOnly={isLocked}
        isInvalid={isInvalid}
        validationBehavior="aria"
        aria-describedby={hasLines ? descriptionId : undefined}
        className="group flex w-fit cursor-default items-start gap-2 rounded-tag text-body text-ink-1 data-disabled:text-ink-3 data-focus-visible:outline-2 data-focus-visible:outline-offset-2 data-focus-visible:outline-accent data-readonly:text-ink-2"
      >
        {({ isSelected, isIndeterminate }) => (
          <>
            <span className="mt-0.5 group-data-disabled:opacity-55 group-data-readonly:opacity-55">
              <CheckboxMark state={isIndeterminate ? 'mixed' : isSelected ? 'on' : 'off'} />
            </span>
            <span>{children}</span>
          </>
        )}
      </AriaCheckbox>
      {hasLines && (
        <div id={descriptionId} className="flex flex-col gap-0.5 ps-6 text-meta text-ink-2">
          {description !== undefined && <span>{description}</span>}
          {isLocked && (
            <span className="flex items-start gap-1">
              <Icon icon={Lock} size={12} className="mt-0.5" />
              {disabledReason}
            </span>
          )}
          {isInvalid && <span className="text-danger">{error}</span>}
        </div>
      )}
    </div>
  );
}
