import { StatusDot } from '@gatehouse/ui/badge';
import type { LinkState } from './link-state.ts';
import { lagWords, stateWords } from './link-words.ts';
import type { TopologyLink } from './topology.ts';

const colors = {
  ok: 'text-ok',
  info: 'text-info',
  warn: 'text-warn',
  danger: 'text-danger',
  neutral: 'text-ink-3',
};

/** Line styles: solid while the link works, dashed while nothing moves, broken if nothing can. */
const dashes: Readonly<Partial<Record<LinkState, string>>> = {
  stalled: '8 6',
  connecting: '3 5',
  snapshot: '14 4',
  unused: '1 6',
  unknown: '1 6',
};
const broken: readonly LinkState[] = ['disconnected', 'denied'];

/** The line from a primary to a secondary: direction, state and lag. */
export function LinkDrawing({ link: { state, lag, filter } }: { link: TopologyLink }) {
  const { word, tone, about } = stateWords[state];
  const isBusy = state === 'streaming' || state === 'snapshot' || state === 'connecting';
  return (
    <div className="flex min-w-0 items-center gap-2 narrow:flex-col narrow:items-stretch narrow:gap-0.5 narrow:px-3">
      <span title={about} className="flex min-h-5 items-center narrow:self-center">
        <StatusDot tone={tone} isBusy={isBusy}>
          {word}
        </StatusDot>
      </span>
      <span aria-hidden className={`max-narrow:order-first ${colors[tone]}`}>
        <Across state={state} />
        <Down state={state} />
      </span>
      <span className="min-h-5 text-meta text-ink-2 narrow:text-center">
        {state === 'unused' ? 'Token not used yet' : lagWords(lag)}
        {filter !== null && filter !== undefined && ' · filtered'}
      </span>
    </div>
  );
}

/** Left to right, at the available width. */
function Across({ state }: { state: LinkState }) {
  return (
    <span className="-ms-3 flex items-center max-narrow:hidden">
      <svg
        height="12"
        className="min-w-0 flex-1"
        width="100%"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
      >
        {broken.includes(state) ? (
          <>
            <line x1="0" y1="6" x2="42%" y2="6" />
            <line x1="58%" y1="6" x2="100%" y2="6" strokeDasharray="2 6" />
            <line x1="42%" y1="1" x2="42%" y2="11" />
            <line x1="58%" y1="1" x2="58%" y2="11" />
          </>
        ) : (
          <line x1="0" y1="6" x2="100%" y2="6" strokeDasharray={dashes[state]} />
        )}
      </svg>
      <svg width="8" height="12" viewBox="0 0 8 12" fill="currentColor" className="shrink-0">
        <path d="M0 1l8 5-8 5z" />
      </svg>
    </span>
  );
}

/** Top to bottom, for narrow screens. */
function Down({ state }: { state: LinkState }) {
  return (
    <svg
      width="12"
      height="36"
      viewBox="0 0 12 36"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      className="narrow:hidden"
    >
      {broken.includes(state) ? (
        <path d="M6 0v11M1 11h10M1 17h10M6 17v11" />
      ) : (
        <path d="M6 0v28" strokeDasharray={dashes[state]} />
      )}
      <path d="M1 28l5 8 5-8z" fill="currentColor" stroke="none" />
    </svg>
  );
}
