import type { FolderItem } from '@gatehouse/api-types/console/secrets';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { DataGrid, defaultGridView } from '@gatehouse/ui/data-grid';
import { NoMatches } from '@gatehouse/ui/empty-state';
import { IconButton } from '@gatehouse/ui/icon-button';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SearchField } from '@gatehouse/ui/search-field';
import { Toolbar } from '@gatehouse/ui/toolbar';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Copy, Database, Folder, Plus, RotateCw } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { shellWord } from '#components/form/as-code.ts';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import {
  crumbsOf,
  folderHref,
  fullName,
  nameOf,
  newSecretHref,
  secretHref,
  secretsHref,
} from '#components/places/secrets.ts';
import { useGridView } from '#components/table/use-grid-view.ts';
import { useSearchText } from '#components/table/use-search-text.ts';
import { wordsOf } from '#lib/error-words.ts';
import { folderOf } from '#lib/folder-of.ts';
import { useSearchShortcut, useShortcut } from '#lib/shortcuts.ts';
import { capabilitiesQuery, folderQuery, mountsQuery } from '#queries/secrets.ts';
import { useShortcutsSetting } from '#queries/settings.ts';
import { reasonAgainstCreating } from '#routes/$environment/secrets/may.ts';
import { useSecretPlace } from '#routes/$environment/secrets/use-secret-place.ts';
import { EmptyFolder } from './EmptyFolder.tsx';
import { folderColumns, foundColumns } from './folder-columns.tsx';
import { SearchProgress } from './SearchProgress.tsx';
import { useNameSearch } from './use-name-search.ts';

// Menus come after the list stands.
const FolderMenu = lazy(async () => ({
  default: (await import('#routes/$environment/secrets/FolderMenu.tsx')).FolderMenu,
}));
const route = getRouteApi('/$environment/secrets/$mount/folder/$');
const noItems: readonly FolderItem[] = [];
const idOf = ({ path, folder }: FolderItem): string => (folder ? `${path}/` : path);

/** A folder of an engine, or the engine itself: the names in it, and a search through everything below. */
export function FolderPage() {
  const place = useSecretPlace();
  const { q = '' } = route.useSearch();
  const navigate = useNavigate();
  const query = useInfiniteQuery(folderQuery(place));
  const may = useQuery(capabilitiesQuery(place));
  const mounts = useQuery(mountsQuery(place.environment));
  const isVersioned = mounts.data?.find(({ path }) => path === place.mount)?.version !== 1;
  const { search, error, stop, restart } = useNameSearch(place, q);
  const [view, setView] = useGridView('secret-folder', defaultGridView);
  const [hasLetterKeys] = useShortcutsSetting();
  const isSearching = q.trim() !== '';
  const name = place.path === '' ? place.mount : nameOf(place.path);
  usePageTitle(`${fullName(place)}/`);

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
  const cannotCreate = reasonAgainstCreating(may.data);
  const { text, write } = useSearchText(q, (next) => {
    const search = next === '' ? '' : `?q=${encodeURIComponent(next)}`;
    void navigate({ href: `${folderHref(place)}${search}`, replace: true });
  });
  const toNew = (): void => void navigate({ href: newSecretHref(place) });

  const group = 'Folder';
  const searchInput = useSearchShortcut('Search everything below', group);
  useShortcut(
    cannotCreate === undefined ? { keys: 'c', label: 'Create a secret', group, run: toNew } : undefined,
  );
  useShortcut({ keys: 'r', label: 'Load the list anew', group, run: () => void query.refetch() });
  useShortcut({ keys: 'u', label: 'Up', group, run: () => void navigate({ href: up }) });
  useShortcut(
    search.state === 'running' && isSearching
      ? { keys: 'Escape', label: 'Stop the search', group, run: stop }
      : undefined,
  );

  return (
    <>
      <PageHeader
        icon={place.path === '' ? Database : Folder}
        title={name}
        ancestors={crumbsOf(place)}
        actions={
          <>
            <IconButton
              icon={RotateCw}
              label="Load the list anew"
              shortcut="r"
              isPending={query.isFetching && !query.isFetchingNextPage && query.data !== undefined}
              onPress={() => void query.refetch()}
            />
            <Suspense fallback={<span className="size-7" />}>
              <FolderMenu place={place} />
            </Suspense>
            {cannotCreate === undefined ? (
              <LinkButton href={newSecretHref(place)} variant="primary" size={28}>
                New secret
              </LinkButton>
            ) : (
              <Button size={28} variant="primary" icon={Plus} disabledReason={cannotCreate}>
                New secret
              </Button>
            )}
          </>
        }
        toolbar={
          <Toolbar label="Find secrets">
            <div className="w-full max-w-100 min-w-0">
              <SearchField
                label={`Search names below ${name}`}
                shortcut="/"
                value={text}
                isPending={isSearching && search.state === 'running'}
                inputRef={searchInput}
                onChange={write}
              />
            </div>
          </Toolbar>
        }
      />
      {!isVersioned && (
        <div className="px-4 pt-3">
          <Banner
            tone="info"
            announce="none"
            title="This engine keeps no versions: the console shows its names alone"
          >
            Read a secret of it with{' '}
            <code className="font-mono">vault kv get -mount={shellWord(place.mount)} PATH</code>, or have an
            operator upgrade the engine to version 2.
          </Banner>
        </div>
      )}
      <div className="flex min-h-0 flex-1 flex-col">
        {isSearching && <SearchProgress search={search} onStop={stop} onRestart={restart} />}
        <DataGrid<FolderItem>
          key={`${place.mount} ${place.path} ${String(isSearching)}`}
          label={isSearching ? 'Found' : 'Names in the folder'}
          noun={isSearching ? { one: 'find', many: 'finds' } : { one: 'name', many: 'names' }}
          columns={columns}
          rows={isSearching ? search.items : items}
          rowId={idOf}
          rowLabel={({ name: label }) => label}
          status={isSearching ? statusOfSearch(search) : statusOf(query)}
          {...(!isSearching &&
            query.hasNextPage && {
              matchCount: { value: total ?? Infinity, isExact: total !== null },
              onLoadMore: () => void query.fetchNextPage(),
            })}
          rowHref={hrefOf}
          onOpen={(item) => void navigate({ href: hrefOf(item) })}
          rowActions={(item) => [
            {
              id: 'copy',
              label: 'Copy path',
              icon: Copy,
              onAction: () => void copyPath(fullName({ ...place, path: item.path })),
            },
          ]}
          sorting={null}
          sortedBy="given"
          view={view}
          onViewChange={setView}
          hasLetterKeys={hasLetterKeys}
          empty={
            isSearching ? (
              <NoMatches
                title={
                  search.state === 'done'
                    ? `Nothing below ${name} holds "${q.trim()}" in its name.`
                    : `Nothing was found before the search ended.`
                }
                action={
                  <Button
                    size={28}
                    onPress={() => {
                      write('');
                    }}
                  >
                    Clear the search
                  </Button>
                }
              />
            ) : (
              <EmptyFolder place={place} may={may.data ?? null} cannotCreate={cannotCreate} />
            )
          }
          error={
            isSearching ? (
              <Banner
                tone="warn"
                title="The search broke off"
                actions={
                  <Button size={28} onPress={restart}>
                    Search again
                  </Button>
                }
              >
                {search.failure ?? wordsOf(error).detail}
              </Banner>
            ) : items.length > 0 ? (
              <Banner
                tone="warn"
                title={`Loading stopped after ${items.length.toLocaleString('en')} names`}
                actions={
                  <Button size={28} onPress={() => void query.fetchNextPage()}>
                    Go on
                  </Button>
                }
              >
                {wordsOf(query.error).detail}
              </Banner>
            ) : (
              <Failure
                error={query.error}
                onRetry={() => void query.refetch()}
                action={<LinkButton href={up}>Up</LinkButton>}
              />
            )
          }
        />
      </div>
    </>
  );
}

function statusOf(query: {
  isPending: boolean;
  isError: boolean;
  isFetchingNextPage: boolean;
}): 'loading' | 'failed' | 'loading-more' | 'ready' {
  if (query.isError) return 'failed';
  if (query.isPending) return 'loading';
  return query.isFetchingNextPage ? 'loading-more' : 'ready';
}

function statusOfSearch({ state, items }: ReturnType<typeof useNameSearch>['search']) {
  if (state === 'failed') return 'failed';
  return state === 'running' && items.length === 0 ? 'loading' : 'ready';
}

async function copyPath(path: string): Promise<void> {
  const { toasts } = await import('@gatehouse/ui/toast');
  try {
    await navigator.clipboard.writeText(path);
    toasts.ok({ title: 'Path copied' });
  } catch {
    toasts.danger({
      title: 'Could not copy',
      detail: 'The browser does not let this page use the clipboard.',
    });
  }
}
