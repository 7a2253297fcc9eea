import type { VersionRow } from './version-rows.ts';

/** A version's node on the timeline: its shape shows the state, the line connects it to its neighbors. */
export function VersionNode({
  row: { state, isCurrent },
  isFirst,
  isLast,
}: {
  row: Pick<VersionRow, 'state' | 'isCurrent'>;
  isFirst: boolean;
  isLast: boolean;
}) {
  return (
    <span aria-hidden className="relative flex w-5 shrink-0 self-stretch text-control-line">
      <span
        className={`absolute left-1/2 w-px -translate-x-1/2 bg-line ${isFirst ? 'top-1/2' : 'top-0'} ${isLast ? 'bottom-1/2' : 'bottom-0'}`}
      />
      <svg
        viewBox="0 0 20 20"
        className={`absolute top-1/2 left-0 size-5 -translate-y-1/2 ${isCurrent ? 'text-accent' : 'text-ink-3'}`}
      >
        <Shape state={state} isCurrent={isCurrent} />
      </svg>
    </span>
  );
}

/** Filled if current, a ring if readable, dashed if scheduled, struck through if deleted, crossed out if destroyed. */
function Shape({ state, isCurrent }: Pick<VersionRow, 'state' | 'isCurrent'>) {
  const ring = { cx: 10, cy: 10, r: 4.5, strokeWidth: 1.5, stroke: 'currentColor' } as const;
  switch (state) {
    case 'readable':
      return <circle {...ring} className={isCurrent ? 'fill-current' : 'fill-surface'} />;
    case 'scheduled':
      return (
        <circle {...ring} strokeDasharray="2.4 1.6" className={isCurrent ? 'fill-current' : 'fill-surface'} />
      );
    case 'deleted':
      return (
        <>
          <circle {...ring} className="fill-surface" />
          <path d="M5.5 14.5 14.5 5.5" stroke="currentColor" strokeWidth={1.5} />
        </>
      );
    case 'destroyed':
      return (
        <>
          <circle cx="10" cy="10" r="6" className="fill-surface" />
          <path d="m6.5 6.5 7 7m0-7-7 7" stroke="currentColor" strokeWidth={1.5} className="text-danger" />
        </>
      );
  }
}
