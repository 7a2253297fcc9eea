import { clsx } from 'clsx';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { Icon, type IconType } from '../icon/Icon.tsx';
import { Tooltip } from '../tooltip/Tooltip.tsx';

export interface Segment<V extends string> {
  value: V;
  label: string;
  icon?: IconType;
  /** Shows the icon alone; the label becomes tooltip and accessible name. */
  isIconOnly?: boolean;
}

export interface SegmentedControlProps<V extends string> {
  /** What is being chosen: its accessible name. */
  label: string;
  segments: readonly Segment<V>[];
  value: V;
  onChange: (value: V) => void;
  size?: 28 | 32;
}

/** One of two to five ways to see the same thing; it acts at once. */
export function SegmentedControl<V extends string>({
  label,
  segments,
  value,
  onChange,
  size = 28,
}: SegmentedControlProps<V>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const chosen = segments.find((segment) => keys.has(segment.value));
        if (chosen !== undefined) onChange(chosen.value);
      }}
      className="inline-flex w-fit rounded-control border border-control-line bg-raised"
    >
      {segments.map((segment) => {
        const isIconOnly = segment.isIconOnly === true && segment.icon !== undefined;
        const button = (
          <ToggleButton
            key={segment.value}
            id={segment.value}
            aria-label={isIconOnly ? segment.label : undefined}
            className={clsx(
              'inline-flex cursor-default items-center justify-center gap-1.5 -m-px rounded-control border border-transparent text-body font-medium text-ink-2 transition-colors data-hovered:text-ink-1 data-pressed:bg-hover data-selected:z-1 data-selected:border-accent data-selected:bg-selected data-selected:text-ink-1 forced-colors:data-selected:bg-[Highlight] forced-colors:data-selected:text-[HighlightText]',
              size === 28 ? 'h-7' : 'h-8',
              isIconOnly ? (size === 28 ? 'w-7' : 'w-8') : 'px-2.5',
            )}
          >
            {segment.icon !== undefined && <Icon icon={segment.icon} />}
            {!isIconOnly && segment.label}
          </ToggleButton>
        );
        return isIconOnly ? (
          <Tooltip key={segment.value} text={segment.label} isDescription={false}>
            {button}
          </Tooltip>
        ) : (
          button
        );
      })}
    </ToggleButtonGroup>
  );
}
