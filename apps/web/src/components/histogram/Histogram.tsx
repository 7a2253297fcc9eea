import { formatAbsolute } from '@gatehouse/ui/time';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { counted } from '#lib/counted.ts';
import { useZoneSetting } from '#queries/settings.ts';

/** Counts in ranges of equal length, oldest first. */
export interface Buckets {
  /** RFC 3339. */
  readonly from: string;
  /** The length of a range, in seconds. */
  readonly step: number;
  readonly counts: readonly number[];
}

export interface HistogramProps {
  label: string;
  /** Undefined while loading. */
  buckets: Buckets | undefined;
  noun: { readonly one: string; readonly many: string };
  /** Both RFC 3339. */
  onChoose: (from: string, to: string) => void;
}

/** Indexes of two bars; a drag or a selection by keyboard extends from the first to the second, in any direction. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const height = 40;

const units = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** The length of a bar, such as `2 hours`. */
function lengthOf(step: number): string {
  const [size, unit] = units.find(([seconds]) => step >= seconds) ?? units[3];
  return counted(step / size, unit);
}

/** The number of a list's rows over time. A click, a drag, or the arrow keys and Enter limit the list to a range. */
export function Histogram({ label, buckets, noun: { one, many }, onChoose }: HistogramProps) {
  const [zone] = useZoneSetting();
  const [span, setSpan] = useState<Span>();
  const [isDragged, setDragged] = useState(false);
  if (buckets === undefined || buckets.counts.length === 0) return <div className="min-h-14" />;
  const { counts, step } = buckets;
  const most = Math.max(...counts);
  const timeOf = (bar: number): number => Date.parse(buckets.from) + bar * step * 1_000;
  const first = span === undefined ? 0 : Math.min(span.from, span.to);
  const last = span === undefined ? counts.length - 1 : Math.max(span.from, span.to);
  const chosen = counts.slice(first, last + 1).reduce((sum, count) => sum + count, 0);
  const words = (bar: number): string =>
    `${formatAbsolute(timeOf(bar), zone).slice(0, step < 60 ? 19 : 16)}${zone === 'utc' ? ' UTC' : ''}`;
  const choose = (): void => {
    setSpan(undefined);
    onChoose(new Date(timeOf(first)).toISOString(), new Date(timeOf(last + 1)).toISOString());
  };
  const barAt = ({ clientX, currentTarget }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const bar = Math.floor(((clientX - left) / width) * counts.length);
    return Math.min(counts.length - 1, Math.max(0, bar));
  };
  const move = (to: number, isExtended: boolean): void => {
    const bar = Math.min(counts.length - 1, Math.max(0, to));
    setSpan((before) => ({ from: isExtended ? (before?.from ?? bar) : bar, to: bar }));
  };
  const press = (event: KeyboardEvent): void => {
    const at = span?.to ?? counts.length;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: counts.length - 1 }[event.key];
    if (to !== undefined) move(to, event.shiftKey);
    else if (event.key === 'Escape' && span !== undefined) setSpan(undefined);
    else if ((event.key === 'Enter' || event.key === ' ') && span !== undefined) choose();
    else return;
    event.preventDefault();
  };
  return (
    <figure className="min-h-14 px-4 py-1">
      <svg
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-description="Arrow keys move, with Shift they select several; Enter shows only these."
        aria-valuemin={0}
        aria-valuemax={counts.length - 1}
        aria-valuenow={span?.to ?? counts.length - 1}
        aria-valuetext={`${counted(chosen, one, many)}, ${words(first)} to ${words(last + 1)}`}
        viewBox={`0 0 ${String(counts.length)} ${String(height)}`}
        preserveAspectRatio="none"
        className="h-8 w-full border-b border-line -outline-offset-2!"
        style={{ cursor: 'crosshair', touchAction: 'pan-y' }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragged(true);
          move(barAt(event), false);
        }}
        onPointerMove={(event) => {
          move(barAt(event), isDragged);
        }}
        onPointerUp={() => {
          if (isDragged) choose();
          setDragged(false);
        }}
        onPointerCancel={() => {
          setDragged(false);
          setSpan(undefined);
        }}
        onPointerLeave={() => {
          if (!isDragged) setSpan(undefined);
        }}
        onBlur={() => {
          setSpan(undefined);
        }}
        onKeyDown={press}
      >
        {span !== undefined && (
          <rect x={first} y={0} width={last + 1 - first} height={height} fill="var(--accent-tint)" />
        )}
        {counts.map((count, bar) => {
          const tall = count === 0 ? 0 : Math.max(3, (count / most) * height);
          return (
            <rect
              key={timeOf(bar)}
              x={bar + 0.1}
              y={height - tall}
              width={0.8}
              height={tall}
              className="fill-accent"
              opacity={bar < first || bar > last ? 0.3 : 1}
            />
          );
        })}
      </svg>
      <figcaption className="flex justify-between gap-4 overflow-hidden text-meta whitespace-nowrap text-ink-2 tabular-nums">
        <span className="shrink-0">{words(first)}</span>
        <span className="truncate">
          {span === undefined
            ? `Up to ${counted(most, one, many)} in ${lengthOf(step)}`
            : counted(chosen, one, many)}
        </span>
        <span className="shrink-0">{words(last + 1)}</span>
      </figcaption>
    </figure>
  );
}
