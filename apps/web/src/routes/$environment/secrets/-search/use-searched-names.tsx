import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import type { ListPageProps } from '#components/list/ListPage.tsx';
import { useSearchState } from '#components/list/use-search-state.ts';
import { useSearchText } from '#components/list/use-search-text.ts';
import { wordsOf } from '#lib/error-words.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import { folderSearch } from '../folder-search.ts';
import { nothingInWords } from '../walk.ts';
import { SearchProgress } from './SearchProgress.tsx';
import { useNameSearch } from './use-name-search.ts';

/**
 * A list's search of the names below these places.
 * @param where ends "Search names": `below app`
 * @param group the heading of its shortcuts
 */
export function useSearchedNames(places: readonly SecretPlace[], where: string, group: string) {
  const [{ q = '' }, change] = useSearchState(folderSearch);
  const { search, error, stop, restart } = useNameSearch(places, q);
  const { text, write } = useSearchText(q, (next) => {
    change({ q: next === '' ? undefined : next });
  });
  const isSearching = q.trim() !== '';
  const isRunning = isSearching && search.state === 'running';
  useShortcut(isRunning ? { keys: 'Escape', label: 'Stop the search', group, run: stop } : undefined);
  const find: ListPageProps<object>['find'] = {
    label: `Search names ${where}`,
    text,
    write,
    action: `Search names ${where}`,
    isPending: isRunning,
    width: 'max-w-100',
  };
  if (!isSearching) return { find, found: undefined, progress: undefined };
  const props = {
    label: 'Search results',
    noun: { one: 'result', many: 'results' },
    status:
      search.state === 'failed' ? 'failed' : isRunning && search.items.length === 0 ? 'loading' : 'ready',
    narrowed: {
      title: nothingInWords(search.state, search, `No name ${where} contains "${q.trim()}".`),
      label: 'Clear the search',
      onClear: () => {
        write('');
      },
    },
    error: (
      <Banner
        tone="warn"
        title="The search failed"
        actions={
          <Button size={28} onPress={restart}>
            Search again
          </Button>
        }
      >
        {search.failure ?? wordsOf(error).detail}
      </Banner>
    ),
  } as const;
  return {
    find,
    /** The results and how the list shows them; undefined without a search. */
    found: { items: search.items, props },
    progress: <SearchProgress search={search} onStop={stop} onRestart={restart} />,
  };
}
