import { Button } from '@gatehouse/ui/button';
import { Spinner } from '@gatehouse/ui/spinner';
import { NotLookedInto } from '../NotLookedInto.tsx';
import { walkInWords } from '../walk.ts';
import type { NameSearch } from './use-name-search.ts';

/** A search's progress, with a button to stop it. */
export function SearchProgress({
  search,
  onStop,
  onRestart,
}: {
  search: NameSearch;
  onStop: () => void;
  onRestart: () => void;
}) {
  const isRunning = search.state === 'running';
  return (
    <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1 text-meta text-ink-2">
      {isRunning && <Spinner label="Searching" />}
      <span role="status">{wordsOfSearch(search)}</span>
      <NotLookedInto paths={search.denied} noun="folder" />
      <span className="ms-auto flex">
        {isRunning && (
          <Button size={28} variant="ghost" shortcut="Escape" onPress={onStop}>
            Stop
          </Button>
        )}
        {search.state === 'stopped' && (
          <Button size={28} variant="ghost" onPress={onRestart}>
            Search again
          </Button>
        )}
      </span>
    </div>
  );
}

export function wordsOfSearch(search: NameSearch): string {
  return walkInWords(
    search.state,
    search,
    (seen) =>
      `Stopped after ${search.items.length.toLocaleString('en')} results in ${seen}. Enter more text to narrow the search.`,
  );
}
