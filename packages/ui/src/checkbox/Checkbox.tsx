import { Lock } from 'lucide-react';
import { type ReactNode, type Ref, useId, useState } from 'react';
import { Icon } from '../icon/Icon.tsx';
import { CheckboxMark } from './CheckboxMark.tsx';

export interface CheckboxProps {
  children: ReactNode;
  isSelected?: boolean;
  defaultSelected?: boolean;
  /** Some of the represented items are selected; a click selects all. */
  isIndeterminate?: boolean;
  onChange?: (isSelected: boolean) => void;
  onBlur?: () => void;
  name?: string;
  value?: string;
  id?: string;
  autoFocus?: boolean;
  isDisabled?: boolean;
  description?: ReactNode;
  error?: ReactNode;
  /** Why it can't be changed; it stays focusable and shows the reason. */
  disabledReason?: string | undefined;
  inputRef?: Ref<HTMLInputElement>;
}

/** A yes/no choice, or one of a set: a styled native checkbox. Use a Switch for a setting that applies immediately. */
export function Checkbox({
  children,
  isSelected,
  defaultSelected = false,
  isIndeterminate = false,
  onChange,
  onBlur,
  name,
  value,
  id,
  autoFocus,
  isDisabled,
  description,
  error,
  disabledReason,
  inputRef,
}: CheckboxProps) {
  const ownId = useId();
  const descriptionId = `${ownId}-lines`;
  const [own, setOwn] = useState(defaultSelected);
  const isOn = isSelected ?? own;
  const isLocked = disabledReason !== undefined;
  const isInvalid = error !== undefined && error !== '';
  const hasLines = description !== undefined || isLocked || isInvalid;
  return (
    <div className="flex flex-col gap-0.5">
      <label className="group relative flex w-fit cursor-default items-start gap-2 rounded-tag text-body text-ink-1 has-disabled:text-ink-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
        <input
          type="checkbox"
          ref={(input) => {
            if (input) input.indeterminate = isIndeterminate;
            if (typeof inputRef === 'function') inputRef(input);
            else if (inputRef) inputRef.current = input;
          }}
          id={id ?? ownId}
          name={name}
          value={value}
          checked={isOn}
          disabled={isDisabled}
          autoFocus={autoFocus}
          aria-disabled={isLocked || undefined}
          aria-invalid={isInvalid || undefined}
          aria-describedby={hasLines ? descriptionId : undefined}
          onBlur={onBlur}
          onChange={(event) => {
            if (isLocked) return;
            setOwn(event.target.checked);
            onChange?.(event.target.checked);
          }}
          className="absolute size-4 opacity-0"
        />
        <span aria-hidden className="mt-0.5 group-has-aria-disabled:opacity-55 group-has-disabled:opacity-55">
          <CheckboxMark state={isIndeterminate ? 'mixed' : isOn ? 'on' : 'off'} />
        </span>
        <span>{children}</span>
      </label>
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
