import type { Host, HostCatalog, HostSet } from '@gatehouse/api-types/console/host-sources';
import { Button } from '@gatehouse/ui/button';
import { EmptyState } from '@gatehouse/ui/empty-state';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { SearchField } from '@gatehouse/ui/search-field';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { Toolbar } from '@gatehouse/ui/toolbar';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { shellWord } from '#components/form/as-code.ts';
import type { ListQuery } from '#components/list/list-query.ts';
import { ListGrid } from '#components/list/ListGrid.tsx';
import { idOf } from '#components/list/row-id.ts';
import { useSearchState } from '#components/list/use-search-state.ts';
import { useWholeList, type WholeList } from '#components/list/use-whole-list.ts';
import { catalogHref, hostHref, hostSetHref } from '#components/places/host-sources.ts';
import { DetailCard, DetailCards, recordItems } from '#components/record/DetailCard.tsx';
import { usePlaces } from '#components/record/placed-kind.ts';
import { nameOrId, reasonAgainstCreatingIn } from '#components/record/record-kind.ts';
import { RecordDetail } from '#components/record/RecordDetail.tsx';
import { UsedByCard } from '#components/source/UsedByCard.tsx';
import { queryClient } from '#lib/query-client.ts';
import { hostCatalogs, hosts, hostSets } from '#queries/host-sources.ts';
import { recordQuery } from '#queries/record-life.ts';
import { recordListQuery } from '#queries/records.ts';
import { shownCatalogs, shownHosts, shownHostSets } from '../kinds.ts';
import { catalogSearch } from './catalog-search.ts';
import { hostColumns, hostSetColumns } from './columns.tsx';

export const Route = createFileRoute('/$environment/host-sources/$catalog/')({
  validateSearch: catalogSearch.parse,
  loader: ({ params: { environment, catalog } }) => {
    void queryClient.prefetchQuery(recordQuery(hostCatalogs, environment, catalog));
    void queryClient.prefetchQuery(recordListQuery(hostSets, environment, catalog));
    void queryClient.prefetchQuery(recordListQuery(hosts, environment, catalog));
  },
  component: CatalogPage,
});

const DeleteCatalog = lazy(async () => ({ default: (await import('./DeleteCatalog.tsx')).DeleteCatalog }));
const route = getRouteApi('/$environment/host-sources/$catalog/');

/** One host catalog: its host sets, hosts and fields. */
function CatalogPage() {
  const { catalog: id } = route.useParams();
  const environment = useEnvironment();
  const [search, change] = useSearchState(catalogSearch);
  const { tab = 'sets' } = search;
  const sets = useQuery(recordListQuery(hostSets, environment.id, id));
  const allHosts = useQuery(recordListQuery(hosts, environment.id, id));
  const columns = useMemo(() => hostColumns(sets.data ?? []), [sets.data]);
  const setList = useWholeList<HostSet>([tab === 'sets' ? search : {}, change], {
    items: sets.data,
    columns: hostSetColumns,
    rowId: idOf,
    noun: { one: 'host set', many: 'host sets' },
    finds: 'Search host sets',
    firstSort: 'name',
  });
  const hostList = useWholeList<Host>([tab === 'hosts' ? search : {}, change], {
    items: allHosts.data,
    columns,
    rowId: idOf,
    noun: { one: 'host', many: 'hosts' },
    finds: 'Search hosts',
    firstSort: 'name',
  });
  const { find } = tab === 'sets' ? setList : hostList;
  const count = (list: readonly unknown[] | undefined): string =>
    list === undefined ? '' : ` ${list.length.toLocaleString('en')}`;
  return (
    <RecordDetail
      {...usePlaces(shownCatalogs, id)}
      kind={shownCatalogs}
      id={id}
      Deletion={DeleteCatalog}
      actions={(catalog) => <CreateButtons catalog={catalog} />}
      toolbar={() => (
        <Toolbar label="Catalog contents">
          <SegmentedControl
            label="Show"
            segments={[
              { value: 'sets', label: `Host sets${count(sets.data)}` },
              { value: 'hosts', label: `Hosts${count(allHosts.data)}` },
              { value: 'details', label: 'Details' },
            ]}
            value={tab}
            onChange={(next) => {
              change({ tab: next === 'sets' ? undefined : next, q: undefined, sort: undefined });
            }}
          />
          {tab !== 'details' && (
            <div className="w-full max-w-80 min-w-0">
              <SearchField label={find.label} value={find.text} onChange={find.write} />
            </div>
          )}
        </Toolbar>
      )}
    >
      {(catalog) =>
        tab === 'details' ? (
          <DetailCards>
            <DetailCard title="Identity" items={recordItems(catalog)} />
            {sets.data && (
              <UsedByCard
                scope={catalog.scope_id}
                ids={sets.data.map((set) => set.id)}
                kinds={['host_source_ids']}
              />
            )}
          </DetailCards>
        ) : (
          <div className="flex min-h-0 flex-1 flex-col">
            {tab === 'sets' ? (
              <SetsGrid catalog={catalog} query={sets} list={setList} />
            ) : (
              <HostsGrid catalog={catalog} query={allHosts} list={hostList} />
            )}
          </div>
        )
      }
    </RecordDetail>
  );
}

function CreateButtons({ catalog }: { catalog: HostCatalog }) {
  const environment = useEnvironment();
  const here = catalogHref(environment.id, catalog.id);
  const cannotHost = reasonAgainstCreatingIn(catalog, 'hosts', 'hosts');
  const cannotSet = reasonAgainstCreatingIn(catalog, 'host-sets', 'host sets');
  return (
    <>
      <CreateButton reason={cannotHost} href={`${here}/hosts/new`} variant="secondary">
        New host
      </CreateButton>
      <CreateButton reason={cannotSet} href={`${here}/sets/new`} variant="primary">
        New host set
      </CreateButton>
    </>
  );
}

function CreateButton({
  reason,
  href,
  variant,
  size = 28,
  children,
}: {
  reason: string | undefined;
  href: string;
  variant: 'primary' | 'secondary';
  size?: 28 | 32;
  children: string;
}) {
  return reason === undefined ? (
    <LinkButton href={href} size={size} variant={variant}>
      {children}
    </LinkButton>
  ) : (
    <Button size={size} variant={variant} disabledReason={reason}>
      {children}
    </Button>
  );
}

interface GridProps<Item extends object> {
  catalog: HostCatalog;
  query: ListQuery;
  list: WholeList<Item>;
}

function SetsGrid({ catalog, query, list }: GridProps<HostSet>) {
  const environment = useEnvironment();
  const reason = reasonAgainstCreatingIn(catalog, 'host-sets', 'host sets');
  return (
    <ListGrid<HostSet>
      {...list}
      list="host-sets"
      label="Host sets"
      query={query}
      rowLabel={nameOrId}
      rowHref={({ id }) => hostSetHref(environment.id, catalog.id, id)}
      empty={
        <EmptyState
          icon={shownHostSets.icon}
          title={reason === undefined ? 'No host sets yet' : 'No host sets you can see'}
          command={`boundary host-sets create static -host-catalog-id ${shellWord(catalog.id)} -name primaries`}
          action={
            <CreateButton
              reason={reason}
              href={`${catalogHref(environment.id, catalog.id)}/sets/new`}
              variant="primary"
              size={32}
            >
              Create the first host set
            </CreateButton>
          }
        >
          A host set groups hosts of this catalog. Targets use sets and choose one of their hosts for each
          session.
        </EmptyState>
      }
    />
  );
}

function HostsGrid({ catalog, query, list }: GridProps<Host>) {
  const environment = useEnvironment();
  const cannotHost = reasonAgainstCreatingIn(catalog, 'hosts', 'hosts');
  return (
    <ListGrid<Host>
      {...list}
      list="hosts"
      label="Hosts"
      query={query}
      rowLabel={shownHosts.nameOf}
      rowHref={({ id }) => hostHref(environment.id, catalog.id, id)}
      empty={
        <EmptyState
          icon={shownHosts.icon}
          title={cannotHost === undefined ? 'No hosts yet' : 'No hosts you can see'}
          command={`boundary hosts create static -host-catalog-id ${shellWord(catalog.id)} -address db.internal`}
          action={
            <CreateButton
              reason={cannotHost}
              href={`${catalogHref(environment.id, catalog.id)}/hosts/new`}
              variant="primary"
              size={32}
            >
              Create the first host
            </CreateButton>
          }
        >
          A host is an address that sessions connect to. It can be in any number of host sets.
        </EmptyState>
      }
    />
  );
}
