import { Spinner } from '@gatehouse/ui/spinner';
import { NotLookedInto } from './NotLookedInto.tsx';
import type { ScanState } from './use-scan.ts';
import { foundInWords, type Found } from './walk.ts';

/** The search's progress, and what couldn't be searched. */
export function WalkNews({ state, found }: { state: ScanState; found: Found<object> }) {
  return (
    <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1 text-meta text-ink-2">
      {state === 'running' && <Spinner label="Searching" />}
      <span role="status">{foundInWords(state, found)}</span>
      <NotLookedInto paths={found.denied} noun="path" />
    </div>
  );
}
