import { clsx } from 'clsx';
import { type ReactNode, useId } from 'react';
import { Field } from '../field/Field.tsx';
import { type FieldProps, splitFieldProps } from '../field/fieldProps.ts';
import { Icon, type IconType } from '../icon/Icon.tsx';

export interface RadioOption {
  value: string;
  label: string;
  description?: ReactNode;
  icon?: IconType;
  /** Why it can't be selected. */
  disabledReason?: string;
}

export interface RadioGroupProps extends Omit<FieldProps, 'size'> {
  options: readonly RadioOption[];
  /** `null` if nothing is selected yet. */
  value: string | null;
  onChange: (value: string) => void;
  onBlur?: () => void;
  name?: string;
  /** `card` frames each option, for options with a sentence each. */
  look?: 'list' | 'card';
  /** The layout: stacked, or side by side while there is room. */
  direction?: 'column' | 'row';
}

function OptionRadio({
  option,
  look,
  direction,
  name,
  isChecked,
  isLocked,
  onChoose,
}: {
  option: RadioOption;
  look: 'list' | 'card';
  direction: 'column' | 'row';
  name: string;
  isChecked: boolean;
  isLocked: boolean;
  onChoose: () => void;
}) {
  const detailId = useId();
  const detail = option.disabledReason ?? option.description;
  return (
    <label
      className={clsx(
        'group relative flex min-w-0 cursor-default items-start gap-2 text-body text-ink-1 has-disabled:text-ink-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
        look === 'card'
          ? 'rounded-control border border-control-line bg-raised px-3 py-2 transition-colors hover:bg-hover has-checked:border-accent has-checked:bg-selected has-checked:shadow-[inset_0_0_0_1px_var(--accent)] has-disabled:border-line has-disabled:bg-sunken'
          : 'w-fit rounded-tag',
        look === 'card' && direction === 'row' && 'flex-1 basis-40',
      )}
    >
      <input
        type="radio"
        name={name}
        value={option.value}
        checked={isChecked}
        disabled={option.disabledReason !== undefined}
        aria-disabled={isLocked || undefined}
        aria-labelledby={`${detailId}-label`}
        aria-describedby={detail === undefined ? undefined : detailId}
        onChange={() => {
          if (!isLocked) onChoose();
        }}
        className="absolute size-4 opacity-0"
      />
      <span
        aria-hidden
        className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border border-control-line bg-raised transition-colors group-hover:border-ink-2 group-has-checked:border-accent group-has-checked:bg-accent group-has-disabled:opacity-55"
      >
        <span className="hidden size-1.5 rounded-full bg-on-accent group-has-checked:block forced-colors:bg-[Highlight]" />
      </span>
      <span className="flex min-w-0 flex-1 flex-col">
        <span
          id={`${detailId}-label`}
          className={clsx('flex items-center gap-1.5', look === 'card' && 'font-medium')}
        >
          {option.icon !== undefined && <Icon icon={option.icon} />}
          {option.label}
        </span>
        {detail !== undefined && (
          <span id={detailId} className="text-meta text-ink-2">
            {detail}
          </span>
        )}
      </span>
    </label>
  );
}

/** A choice of one of a few visible options: styled native radio buttons. */
export function RadioGroup(props: RadioGroupProps) {
  const { field, control } = splitFieldProps(props);
  const { options, value, onChange, onBlur, name, look = 'list', direction = 'column' } = control;
  const ownName = useId();
  return (
    <Field {...field} isGroup>
      {({ 'aria-disabled': isLocked = false, ...wiring }) => (
        <div
          {...wiring}
          role="radiogroup"
          aria-orientation={direction === 'row' ? 'horizontal' : 'vertical'}
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) onBlur?.();
          }}
          className={clsx(
            'flex gap-2',
            look === 'list' && 'py-1',
            direction === 'row' ? (look === 'card' ? 'flex-wrap' : 'flex-wrap gap-x-4') : 'flex-col',
          )}
        >
          {options.map((option) => (
            <OptionRadio
              key={option.value}
              option={option}
              look={look}
              direction={direction}
              name={name ?? ownName}
              isChecked={option.value === value}
              isLocked={isLocked}
              onChoose={() => {
                onChange(option.value);
              }}
            />
          ))}
        </div>
      )}
    </Field>
  );
}
