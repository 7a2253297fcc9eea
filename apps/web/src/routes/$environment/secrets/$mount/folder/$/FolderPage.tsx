import type { FolderItem } from '@gatehouse/api-types/console/secrets';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Copy, Database, Folder } from 'lucide-react';
import { Suspense, useMemo } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { shellWord } from '#components/form/as-code.ts';
import { commandFor, useSecretsClient } from '#components/form/secrets-client.ts';
import { ListFailure } from '#components/list/ListFailure.tsx';
import { ListPage } from '#components/list/ListPage.tsx';
import { useSearchState } from '#components/list/use-search-state.ts';
import { useSearchText } from '#components/list/use-search-text.ts';
import {
  crumbsOf,
  folderHref,
  fullName,
  nameOf,
  newSecretHref,
  secretHref,
  secretsHref,
} from '#components/places/secrets.ts';
import { isApiError } from '#lib/api-error.ts';
import { copyText } from '#lib/copy-text.ts';
import { wordsOf } from '#lib/error-words.ts';
import { folderOf } from '#lib/folder-of.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { capabilitiesQuery, folderQuery } from '#queries/secrets.ts';
import { folderSearch } from '#routes/$environment/secrets/folder-search.ts';
import { reasonAgainstCreating, reasonAgainstUnversioned } from '#routes/$environment/secrets/may.ts';
import { OpenPath } from '#routes/$environment/secrets/OpenPath.tsx';
import { useIsUnversioned, useSecretPlace } from '#routes/$environment/secrets/use-secret-place.ts';
import { nothingInWords } from '#routes/$environment/secrets/walk.ts';
import { EmptyFolder } from './EmptyFolder.tsx';
import { folderColumns, foundColumns } from './folder-columns.tsx';
import { SearchProgress } from './SearchProgress.tsx';
import { useNameSearch } from './use-name-search.ts';

// Loaded after the list is shown.
const FolderMenu = lazy(async () => ({ default: (await import('../../after-list.ts')).FolderMenu }));
const noItems: readonly FolderItem[] = [];
const idOf = ({ path, folder }: FolderItem): string => (folder ? `${path}/` : path);

/** A folder of an engine, or the engine itself: its names, and a search through all folders below. */
export function FolderPage() {
  const place = useSecretPlace();
  const [{ q = '' }, change] = useSearchState(folderSearch);
  const query = useInfiniteQuery(folderQuery(place));
  const may = useQuery(capabilitiesQuery(place));
  const isVersioned = !useIsUnversioned();
  const { search, error, stop, restart } = useNameSearch(place, q);
  const isSearching = q.trim() !== '';
  const name = place.path === '' ? place.mount : nameOf(place.path);

  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? noItems, [query.data]);
  const total = query.data?.pages.at(-1)?.total ?? null;
  const columns = useMemo(
    () => (isSearching ? foundColumns(place.path) : folderColumns),
    [isSearching, place],
  );
  const hrefOf = ({ path, folder }: FolderItem): string =>
    folder ? folderHref({ ...place, path }) : secretHref({ ...place, path });
  const up =
    place.path === '' ? secretsHref(place.environment) : folderHref({ ...place, path: folderOf(place.path) });
  const cannotCreate = isVersioned ? reasonAgainstCreating(may.data) : reasonAgainstUnversioned;
  const client = useSecretsClient();
  const { text, write } = useSearchText(q, (next) => {
    change({ q: next === '' ? undefined : next });
  });
  useShortcut(
    search.state === 'running' && isSearching
      ? { keys: 'Escape', label: 'Stop the search', group: 'Folder', run: stop }
      : undefined,
  );

  return (
    <ListPage<FolderItem>
      title={name}
      pageTitle={`${fullName(place)}/`}
      icon={place.path === '' ? Database : Folder}
      list="secret-folder"
      group="Folder"
      gridKey={`${place.mount} ${place.path} ${String(isSearching)}`}
      label={isSearching ? 'Search results' : 'Folder contents'}
      noun={isSearching ? { one: 'result', many: 'results' } : { one: 'name', many: 'names' }}
      columns={columns}
      query={query}
      status={isSearching ? statusOfSearch(search) : undefined}
      rows={isSearching ? search.items : items}
      rowId={idOf}
      rowLabel={({ name: label }) => label}
      rowHref={hrefOf}
      rowActions={({ path }) => [
        {
          id: 'copy',
          label: 'Copy path',
          icon: Copy,
          onAction: () => void copyText(fullName({ ...place, path }), 'Path'),
        },
      ]}
      {...(!isSearching &&
        query.hasNextPage && {
          matchCount: { value: total ?? Infinity, isExact: total !== null },
          onLoadMore: () => void query.fetchNextPage(),
        })}
      ancestors={crumbsOf(place)}
      up={up}
      // No engine, or one of another type: nothing to search or create.
      instead={
        isApiError(query.error, 'not-found', 'invalid-request') && items.length === 0 ? (
          <Failure
            error={query.error}
            onRetry={() => void query.refetch()}
            action={<LinkButton href={secretsHref(place.environment)}>Go to the engines</LinkButton>}
          />
        ) : undefined
      }
      actions={
        <Suspense fallback={<span className="size-7" />}>
          <FolderMenu place={place} isVersioned={isVersioned} />
        </Suspense>
      }
      create={{
        href: newSecretHref(place),
        reason: cannotCreate,
        label: 'New secret',
      }}
      find={{
        label: `Search names below ${name}`,
        text,
        write,
        action: 'Search names below this folder',
        isPending: isSearching && search.state === 'running',
        width: 'max-w-100',
      }}
      filters={{ label: 'Find secrets' }}
      narrowed={
        isSearching
          ? {
              title: nothingInWords(search.state, search, `No name below ${name} contains "${q.trim()}".`),
              label: 'Clear the search',
              onClear: () => {
                write('');
              },
            }
          : undefined
      }
      empty={
        <EmptyFolder
          place={place}
          may={may.data ?? null}
          cannotCreate={cannotCreate}
          isVersioned={isVersioned}
        />
      }
      error={
        isSearching ? (
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
        ) : (
          <ListFailure
            error={query.error}
            loaded={items.length}
            onRetry={() => void (items.length === 0 ? query.refetch() : query.fetchNextPage())}
            action={
              <>
                <LinkButton href={up}>Go up one level</LinkButton>
                {isApiError(query.error, 'forbidden') && (
                  <OpenPath environment={place.environment} below={place} />
                )}
              </>
            }
            title={`Loading stopped after ${items.length.toLocaleString('en')} names`}
            retryLabel="Continue"
          />
        )
      }
    >
      {!isVersioned && (
        <div className="px-4 pt-3">
          <Banner
            tone="info"
            announce="none"
            title="This engine isn't versioned. You can read its secrets here, but not write them"
          >
            Write a secret with{' '}
            <code className="font-mono">
              {commandFor(`vault kv put -mount=${shellWord(place.mount)} PATH`, client)}
            </code>
            , or ask an administrator to turn on versioning.
          </Banner>
        </div>
      )}
      {isSearching && <SearchProgress search={search} onStop={stop} onRestart={restart} />}
    </ListPage>
  );
}

function statusOfSearch({ state, items }: ReturnType<typeof useNameSearch>['search']) {
  if (state === 'failed') return 'failed';
  return state === 'running' && items.length === 0 ? 'loading' : 'ready';
}
