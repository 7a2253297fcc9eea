import { clsx } from 'clsx';
import { type KeyboardEvent, useRef } from 'react';
import { Icon, type IconType } from '../icon/Icon.tsx';
import { Tooltip } from '../tooltip/Tooltip.tsx';

export interface Segment<V extends string> {
  value: V;
  label: string;
  icon?: IconType;
  /** Shows only the icon; the label becomes tooltip and accessible name. */
  isIconOnly?: boolean;
}

export interface SegmentedControlProps<V extends string> {
  /** Accessible name: the choice to make. */
  label: string;
  segments: readonly Segment<V>[];
  value: V;
  onChange: (value: V) => void;
  size?: 28 | 32;
}

/** The step of each arrow key. */
function stepOf(key: string, isRightToLeft: boolean): 1 | -1 | undefined {
  if (key === 'ArrowDown') return 1;
  if (key === 'ArrowUp') return -1;
  if (key === 'ArrowRight') return isRightToLeft ? -1 : 1;
  if (key === 'ArrowLeft') return isRightToLeft ? 1 : -1;
  return undefined;
}

/**
 * A choice of two to five views of the same content, applied immediately. Radio buttons to the keyboard and screen
 * readers.
 */
export function SegmentedControl<V extends string>({
  label,
  segments,
  value,
  onChange,
  size = 28,
}: SegmentedControlProps<V>) {
  const group = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = stepOf(event.key, getComputedStyle(event.currentTarget).direction === 'rtl');
    if (step === undefined) return;
    event.preventDefault();
    // A surrounding toolbar would move focus as well.
    event.stopPropagation();
    const index = segments.findIndex((segment) => segment.value === value);
    const next = (index + step + segments.length) % segments.length;
    const chosen = segments[next];
    if (chosen === undefined) return;
    onChange(chosen.value);
    group.current?.querySelectorAll<HTMLElement>('[role="radio"]')[next]?.focus();
  }

  return (
    <div
      ref={group}
      role="radiogroup"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={onKeyDown}
      className="inline-flex w-fit rounded-control border border-control-line bg-raised outline-none"
    >
      {segments.map((segment) => {
        const isIconOnly = segment.isIconOnly === true && segment.icon !== undefined;
        const isChosen = segment.value === value;
        const button = (
          <button
            key={segment.value}
            type="button"
            role="radio"
            aria-checked={isChosen}
            aria-label={isIconOnly ? segment.label : undefined}
            tabIndex={isChosen ? 0 : -1}
            onClick={() => {
              onChange(segment.value);
            }}
            className={clsx(
              '-m-px inline-flex cursor-default items-center justify-center gap-1.5 rounded-control border text-body font-medium whitespace-nowrap transition-colors focus-visible:z-2',
              isChosen
                ? 'z-1 border-accent bg-selected text-ink-1 forced-colors:bg-[Highlight] forced-colors:text-[HighlightText] forced-colors:forced-color-adjust-none'
                : 'border-transparent text-ink-2 hover:text-ink-1 active:bg-hover',
              size === 28 ? 'h-7' : 'h-8',
              isIconOnly ? (size === 28 ? 'w-7' : 'w-8') : 'px-2.5',
            )}
          >
            {segment.icon !== undefined && <Icon icon={segment.icon} />}
            {!isIconOnly && segment.label}
          </button>
        );
        return isIconOnly ? (
          <Tooltip key={segment.value} text={segment.label} isDescription={false}>
            {button}
          </Tooltip>
        ) : (
          button
        );
      })}
    </div>
  );
}
