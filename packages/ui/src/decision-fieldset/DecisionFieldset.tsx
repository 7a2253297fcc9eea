import { CircleCheck, CircleDashed } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Badge } from '../badge/Badge.tsx';
import type { IconType } from '../icon/Icon.tsx';
import { RadioGroup } from '../radio-group/RadioGroup.tsx';

export interface DecisionOption<V extends string> {
  value: V;
  /** The verb: `Keep current`, `Use mine`, `Edit`. */
  label: string;
  icon: IconType;
  /** The value that this option stores. */
  content?: ReactNode;
  disabledReason?: string;
}

export interface DecisionFieldsetProps<V extends string> {
  /** The target of a summary's link. */
  id?: string;
  /** The field to decide about. */
  label: string;
  /** The context: the value both sides started from. */
  note?: ReactNode;
  options: readonly DecisionOption<V>[];
  /** `null` until the user chooses; there is no default. */
  value: V | null;
  onChange: (value: V) => void;
  error?: ReactNode;
  /** Below the options: the editor that `Edit` opens. */
  children?: ReactNode;
  ref?: Ref<HTMLDivElement>;
}

/** A decision between a few options, each shown with its result and none preselected. */
export function DecisionFieldset<V extends string>({
  id,
  label,
  note,
  options,
  value,
  onChange,
  error,
  children,
  ref,
}: DecisionFieldsetProps<V>) {
  return (
    <div
      ref={ref}
      id={id}
      tabIndex={-1}
      className="flex min-w-0 flex-col gap-3 rounded-control border border-line bg-surface p-3"
    >
      <div className="relative">
        <span className="absolute end-0 top-0">
          {value === null ? (
            <Badge tone="warn" icon={CircleDashed}>
              To decide
            </Badge>
          ) : (
            <Badge tone="ok" icon={CircleCheck}>
              Decided
            </Badge>
          )}
        </span>
        <RadioGroup
          label={label}
          description={note}
          error={error}
          look="card"
          direction="row"
          value={value}
          onChange={(chosen) => {
            const option = options.find((candidate) => candidate.value === chosen);
            if (option !== undefined) onChange(option.value);
          }}
          options={options.map(({ value, label, icon, content, disabledReason }) => ({
            value,
            label,
            icon,
            description: content,
            disabledReason,
          }))}
        />
      </div>
      {children}
    </div>
  );
}
