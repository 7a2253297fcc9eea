import { clsx } from 'clsx';
import { type ReactNode, useId } from 'react';
import { Radio, RadioGroup as AriaRadioGroup } from 'react-aria-components';
import { fieldLayoutClass } from '../field/FieldMarks.tsx';
import { FieldLayout } from '../field/FieldParts.tsx';
import { type FieldProps, isFieldInvalid, splitFieldProps } from '../field/fieldProps.ts';
import { Icon, type IconType } from '../icon/Icon.tsx';

export interface RadioOption {
  value: string;
  label: string;
  description?: ReactNode;
  icon?: IconType;
  /** Why it cannot be chosen. */
  disabledReason?: string;
}

export interface RadioGroupProps extends Omit<FieldProps, 'size'> {
  options: readonly RadioOption[];
  /** `null`: nothing is chosen yet. */
  value: string | null;
  onChange: (value: string) => void;
  onBlur?: () => void;
  name?: string;
  /** `card` frames each option, for choices that need a sentence each. */
  look?: 'list' | 'card';
  /** Where they stand: below each other, or side by side while there is room. */
  direction?: 'column' | 'row';
}

function OptionRadio({ option, look }: { option: RadioOption; look: 'list' | 'card' }) {
  const detailId = useId();
  const detail = option.disabledReason ?? option.description;
  return (
    <Radio
      value={option.value}
      isDisabled={option.disabledReason !== undefined}
      aria-describedby={detail === undefined ? undefined : detailId}
      className={clsx(
        'group flex min-w-0 cursor-default items-start gap-2 text-body text-ink-1 data-disabled:text-ink-3 data-focus-visible:outline-2 data-focus-visible:outline-offset-2 data-focus-visible:outline-accent',
        look === 'card'
          ? 'flex-1 basis-40 rounded-control border border-control-line bg-raised px-3 py-2 transition-colors data-hovered:bg-hover data-disabled:border-line data-disabled:bg-sunken data-selected:border-accent data-selected:bg-selected data-selected:shadow-[inset_0_0_0_1px_var(--accent)]'
          : 'w-fit rounded-tag',
      )}
    >
      <span className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border border-control-line bg-raised transition-colors group-data-disabled:opacity-55 group-data-hovered:border-ink-2 group-data-selected:border-accent group-data-selected:bg-accent">
        <span className="hidden size-1.5 rounded-full bg-on-accent group-data-selected:block forced-colors:bg-[Highlight]" />
      </span>
      <span className="flex min-w-0 flex-1 flex-col">
        <span className={clsx('flex items-center gap-1.5', look === 'card' && 'font-medium')}>
          {option.icon !== undefined && <Icon icon={option.icon} />}
          {option.label}
        </span>
        {detail !== undefined && (
          <span id={detailId} className="text-meta text-ink-2">
            {detail}
          </span>
        )}
      </span>
    </Radio>
  );
}

/** One of a few, all in sight. */
export function RadioGroup(props: RadioGroupProps) {
  const { field, control } = splitFieldProps(props);
  const { options, value, onChange, onBlur, name, look = 'list', direction = 'column' } = control;
  return (
    <AriaRadioGroup
      value={value}
      onChange={onChange}
      onBlur={onBlur}
      name={name}
      orientation={direction === 'row' ? 'horizontal' : 'vertical'}
      validationBehavior="aria"
      isRequired={field.isRequired}
      isInvalid={isFieldInvalid(field)}
      isReadOnly={field.disabledReason !== undefined}
      className={fieldLayoutClass}
    >
      <FieldLayout field={field}>
        <div
          className={clsx(
            'flex gap-2',
            look === 'list' && 'py-1',
            direction === 'row' ? (look === 'card' ? 'flex-wrap' : 'flex-wrap gap-x-4') : 'flex-col',
          )}
        >
          {options.map((option) => (
            <OptionRadio key={option.value} option={option} look={look} />
          ))}
        </div>
      </FieldLayout>
    </AriaRadioGroup>
  );
}
