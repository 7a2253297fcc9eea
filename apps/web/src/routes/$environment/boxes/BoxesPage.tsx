import { boxSorts } from '@gatehouse/api-types/console/box-values';
import type { BoxSummary } from '@gatehouse/api-types/console/boxes';
import { Button } from '@gatehouse/ui/button';
import { DataGrid } from '@gatehouse/ui/data-grid';
import { EmptyState, NoMatches } from '@gatehouse/ui/empty-state';
import { BoxIcon } from '@gatehouse/ui/icon';
import { IconButton } from '@gatehouse/ui/icon-button';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SearchField } from '@gatehouse/ui/search-field';
import { Toolbar } from '@gatehouse/ui/toolbar';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { boxHref, publishHref } from '#components/places/boxes.ts';
import { useGridView } from '#components/table/use-grid-view.ts';
import { useSearchText } from '#components/table/use-search-text.ts';
import { useSearchShortcut, useShortcut } from '#lib/shortcuts.ts';
import { boxSearchQuery } from '#queries/boxes.ts';
import { useShortcutsSetting } from '#queries/settings.ts';
import { boxColumns, boxesView } from './box-columns.tsx';
import {
  onPage,
  parseBoxesSearch,
  searchingFor,
  sortingOf,
  withSorting,
  type BoxesSearch,
} from './boxes-search.ts';
import { Pager } from './Pager.tsx';

// Menus and lists come after the page stands.
const BoxesMenu = lazy(async () => ({ default: (await import('./BoxesMenu.tsx')).BoxesMenu }));
const ProviderFilter = lazy(async () => ({ default: (await import('./ProviderFilter.tsx')).ProviderFilter }));
const route = getRouteApi('/$environment/boxes/');
const columns = boxColumns(boxSorts);
const noBoxes: readonly BoxSummary[] = [];
const tagOf = ({ tag }: BoxSummary): string => tag;

/** The released boxes of the registry: searched, sorted and cut into pages there. */
export function BoxesPage() {
  usePageTitle('Boxes');
  const environment = useEnvironment();
  // The router leaves in what was not understood.
  const search = parseBoxesSearch(route.useSearch());
  const navigate = useNavigate();
  const query = useQuery(boxSearchQuery(environment.id, search));
  const [view, setView] = useGridView('boxes', boxesView);
  const [hasLetterKeys] = useShortcutsSetting();
  const { page = 1, provider } = search;
  const go = (next: BoxesSearch, replace = true): void =>
    void navigate({
      to: '/$environment/boxes',
      params: { environment: environment.id },
      search: next,
      replace,
    });
  const { text, write } = useSearchText(search.q ?? '', (q) => {
    go(searchingFor(search, { q }));
  });
  // The field follows the address.
  const clear = (): void => {
    go({});
  };
  const hrefOf = ({ username, name }: BoxSummary): string =>
    boxHref({ environment: environment.id, username, name });
  const publish = publishHref(environment.id);

  const input = useSearchShortcut('Search the boxes', 'Boxes');
  useShortcut({
    keys: 'c',
    label: 'Publish a box',
    group: 'Boxes',
    run: () => void navigate({ href: publish }),
  });
  useShortcut({ keys: 'r', label: 'Load the list anew', group: 'Boxes', run: () => void query.refetch() });

  const boxes = query.data?.boxes ?? noBoxes;
  const isNarrowed = search.q !== undefined || provider !== undefined;
  return (
    <>
      <PageHeader
        icon={BoxIcon}
        title="Boxes"
        actions={
          <>
            <IconButton
              icon={RotateCw}
              label="Load the list anew"
              shortcut="r"
              isPending={query.isFetching && query.data !== undefined}
              onPress={() => void query.refetch()}
            />
            <Suspense fallback={<span className="size-7" />}>
              <BoxesMenu />
            </Suspense>
            <LinkButton href={publish} variant="primary" size={28}>
              Publish a box
            </LinkButton>
          </>
        }
        toolbar={
          <Toolbar label="Find boxes">
            <div className="w-full max-w-80 min-w-0">
              <SearchField
                label="Search owner, name, description"
                shortcut="/"
                value={text}
                inputRef={input}
                isPending={query.isPlaceholderData}
                onChange={write}
              />
            </div>
            <div className="w-44 shrink-0 max-narrow:w-32">
              <Suspense fallback={<span className="block h-7" />}>
                <ProviderFilter
                  provider={provider}
                  boxes={boxes}
                  onChange={(chosen) => {
                    go(searchingFor(search, { ...search, provider: chosen ?? '' }));
                  }}
                />
              </Suspense>
            </div>
          </Toolbar>
        }
      />
      <div className="flex min-h-0 flex-1 flex-col">
        <DataGrid<BoxSummary>
          label="Boxes"
          noun={{ one: 'box', many: 'boxes' }}
          columns={columns}
          rows={boxes}
          rowId={tagOf}
          rowLabel={tagOf}
          status={query.isPending ? 'loading' : query.isError ? 'failed' : 'ready'}
          rowHref={hrefOf}
          onOpen={({ username, name }) =>
            void navigate({
              to: '/$environment/boxes/owners/$username/$name',
              params: { environment: environment.id, username, name },
              search,
            })
          }
          sorting={sortingOf(search)}
          onSortingChange={(sorting) => {
            go(withSorting(search, sorting));
          }}
          sortedBy="given"
          view={view}
          onViewChange={setView}
          hasLetterKeys={hasLetterKeys}
          barEnd={
            <Pager
              page={page}
              hasMore={query.data?.more ?? false}
              onPage={(next) => {
                go(onPage(search, next), false);
              }}
            />
          }
          empty={
            page > 1 ? (
              <NoMatches
                title={`There is no page ${page.toLocaleString('en')}.`}
                action={
                  <Button
                    size={28}
                    onPress={() => {
                      go(onPage(search, 1));
                    }}
                  >
                    Go to the first page
                  </Button>
                }
              />
            ) : isNarrowed ? (
              <NoMatches
                title={`No released box matches ${wordsOfSearch(search)}.`}
                action={
                  <Button size={28} onPress={clear}>
                    Show all boxes
                  </Button>
                }
              />
            ) : (
              <EmptyState
                icon={BoxIcon}
                title="No box is released yet"
                action={
                  <LinkButton href={publish} variant="primary">
                    Publish the first box
                  </LinkButton>
                }
                command="vagrant cloud publish acme/base 1.0.0 virtualbox base.box --release"
              >
                A box is an image of a machine, in versions, for one or more providers. Those that are not
                released yet are shown where their owner is.
              </EmptyState>
            )
          }
          error={<Failure error={query.error} onRetry={() => void query.refetch()} />}
        />
      </div>
    </>
  );
}

function wordsOfSearch({ q, provider }: BoxesSearch): string {
  return [
    ...(q === undefined ? [] : [`"${q}"`]),
    ...(provider === undefined ? [] : [`the provider ${provider}`]),
  ].join(' and ');
}
