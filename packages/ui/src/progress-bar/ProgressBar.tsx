import { ProgressBar as AriaProgressBar, Label } from 'react-aria-components';

export interface ProgressBarProps {
  /** Accessible name: the work in progress. */
  label: string;
  isLabelHidden?: boolean;
  /** From 0 to 1; indeterminate unless given. */
  value?: number;
  /** Replaces the percentage: `12,000 of about 100,000`. */
  valueLabel?: string;
}

/** The progress of long work. */
export function ProgressBar({ label, isLabelHidden = false, value, valueLabel }: ProgressBarProps) {
  const isIndeterminate = value === undefined;
  return (
    <AriaProgressBar
      value={(value ?? 0) * 100}
      isIndeterminate={isIndeterminate}
      valueLabel={valueLabel}
      className="flex w-full min-w-0 flex-col gap-1"
    >
      {({ percentage, valueText }) => (
        <>
          <div className={isLabelHidden ? 'sr-only' : 'flex items-baseline justify-between gap-2 text-meta'}>
            <Label className="truncate text-ink-1">{label}</Label>
            <span className="shrink-0 text-ink-2">{isIndeterminate ? valueLabel : valueText}</span>
          </div>
          <div className="h-1 overflow-hidden rounded-tag bg-pressed forced-colors:border">
            <div
              className={`h-full rounded-tag bg-accent forced-colors:bg-[Highlight] ${isIndeterminate ? 'indeterminate' : 'transition-[width]'}`}
              style={{ width: isIndeterminate ? '28%' : `${String(percentage ?? 0)}%` }}
            />
          </div>
        </>
      )}
    </AriaProgressBar>
  );
}
