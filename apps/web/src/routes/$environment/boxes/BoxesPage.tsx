import { boxSorts } from '@gatehouse/api-types/console/box-values';
import type { BoxSummary } from '@gatehouse/api-types/console/boxes';
import { BoxIcon } from '@gatehouse/ui/icon';
import { lazy } from '@gatehouse/ui/lazy';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { CreateButton } from '#components/list/ListCreate.tsx';
import type { Narrowed } from '#components/list/ListGrid.tsx';
import { ListPage } from '#components/list/ListPage.tsx';
import { Pager } from '#components/list/Pager.tsx';
import { type ChangeSearch, useSearchState } from '#components/list/use-search-state.ts';
import { useSearchText } from '#components/list/use-search-text.ts';
import { boxHref, publishHref } from '#components/places/boxes.ts';
import { newMoveHref } from '#components/places/moves.ts';
import { queryClient } from '#lib/query-client.ts';
import { boxAccountQuery } from '#queries/box-accounts.ts';
import { boxSearchQuery } from '#queries/boxes.ts';
import { boxColumns, boxesView } from './box-columns.tsx';
import { orderOf, sortOf } from './box-order.ts';
import { boxesSearch, type BoxesSearch } from './boxes-search.ts';
import { reasonAgainstAnyPublishing } from './may.ts';

export const Route = createFileRoute('/$environment/boxes/')({
  validateSearch: boxesSearch.parse,
  loaderDeps: ({ search }) => boxesSearch.parse(search),
  loader: ({ params: { environment }, deps }) => {
    void queryClient.prefetchQuery(boxSearchQuery(environment, deps));
  },
  component: BoxesPage,
});

// Loaded after the page is shown.
const BoxesMenu = lazy(async () => ({ default: (await import('./BoxesMenu.tsx')).BoxesMenu }));
const BoxFilters = lazy(async () => ({ default: (await import('./BoxFilters.tsx')).BoxFilters }));
const YourBoxes = lazy(async () => ({ default: (await import('./YourBoxes.tsx')).YourBoxes }));
const columns = boxColumns(boxSorts);
const noBoxes: readonly BoxSummary[] = [];
const tagOf = ({ tag }: BoxSummary): string => tag;

/** The registry's released boxes. The registry searches, sorts and pages them. */
function BoxesPage() {
  const { id: environment } = useEnvironment();
  const [search, change] = useSearchState(boxesSearch);
  const navigate = useNavigate();
  const query = useQuery(boxSearchQuery(environment, search));
  // A new search or order starts at the first page.
  const { text, write } = useSearchText(search.q ?? '', (q) => {
    change({ q: q === '' ? undefined : q, page: undefined });
  });
  const boxes = query.data?.boxes ?? noBoxes;
  const { data: account } = useQuery(boxAccountQuery(environment));
  const publish = {
    href: publishHref(environment),
    reason: account && reasonAgainstAnyPublishing(account),
    label: 'Publish a box',
  };
  return (
    <ListPage<BoxSummary>
      title="Boxes"
      icon={BoxIcon}
      list="boxes"
      firstView={boxesView}
      noun={{ one: 'box', many: 'boxes' }}
      columns={columns}
      query={query}
      rows={boxes}
      rowId={tagOf}
      rowLabel={tagOf}
      rowHref={({ username, name }) => boxHref({ environment, username, name })}
      onOpen={({ username, name }) =>
        void navigate({
          to: '/$environment/boxes/owners/$username/$name',
          params: { environment, username, name },
          search,
        })
      }
      actions={
        <Suspense fallback={<span className="size-7" />}>
          <BoxesMenu />
        </Suspense>
      }
      create={publish}
      find={{ label: 'Search owner, name, description', text, write, isPending: query.isPlaceholderData }}
      filters={{
        after: (
          <Suspense fallback={<span className="block h-7 w-44 shrink-0 max-narrow:w-24" />}>
            <BoxFilters
              search={search}
              boxes={boxes}
              knowsArchitectures={query.data?.knows_architectures === true}
              onChange={(narrowing) => {
                change({ ...narrowing, page: undefined });
              }}
            />
          </Suspense>
        ),
      }}
      sort={sortOf(search)}
      onSort={(sort) => {
        change({ ...orderOf(sort), page: undefined });
      }}
      barEnd={
        <Pager
          group="Boxes"
          page={search.page ?? 1}
          hasMore={query.data?.more ?? false}
          onPage={(page) => {
            change({ page }, true);
          }}
        />
      }
      narrowed={narrowedBy(search, change)}
      empty={{
        title: 'No released boxes you can see',
        about:
          "A box is a versioned machine image for one or more providers and architectures. Unreleased boxes are on their owner's page.",
        command: 'vagrant cloud publish acme/base 1.0.0 virtualbox base.box --release',
        action: (
          <span className="flex flex-wrap justify-center gap-2">
            <CreateButton create={publish} label={publish.label} size={32} />
            <CreateButton
              create={{ href: newMoveHref(environment, 'boxes'), reason: publish.reason }}
              label="Import boxes…"
              size={32}
              variant="secondary"
            />
          </span>
        ),
      }}
    >
      <Suspense fallback={null}>
        <YourBoxes environment={environment} />
      </Suspense>
    </ListPage>
  );
}

function narrowedBy(
  { q, provider, architecture, page }: BoxesSearch,
  change: ChangeSearch<BoxesSearch>,
): Narrowed | undefined {
  if (page !== undefined) {
    return {
      title: `Page ${page.toLocaleString('en')} doesn't exist.`,
      label: 'Go to the first page',
      onClear: () => {
        change({ page: undefined });
      },
    };
  }
  const what = [
    q !== undefined && `"${q}"`,
    provider !== undefined && `the provider ${provider}`,
    architecture !== undefined && `the architecture ${architecture}`,
  ].filter((one) => one !== false);
  if (what.length === 0) return undefined;
  return {
    title: `No released box matches ${new Intl.ListFormat('en').format(what)}.`,
    label: 'Show all boxes',
    onClear: () => {
      change({
        q: undefined,
        provider: undefined,
        architecture: undefined,
        sort: undefined,
        order: undefined,
      });
    },
  };
}
