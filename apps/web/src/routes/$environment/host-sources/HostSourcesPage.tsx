import type { HostCatalog } from '@gatehouse/api-types/console/host-sources';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { HostSourceIcon } from '@gatehouse/ui/icon';
import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { ListPage } from '#components/list/ListPage.tsx';
import { idOf } from '#components/list/row-id.ts';
import { useSearchState } from '#components/list/use-search-state.ts';
import { useWholeList } from '#components/list/use-whole-list.ts';
import { catalogHref, catalogsHref } from '#components/places/host-sources.ts';
import { placedColumns } from '#components/record/placed-columns.tsx';
import { nameOrId } from '#components/record/record-kind.ts';
import { useCreateInProjects } from '#components/record/use-create-in-projects.ts';
import { listSearch } from '#lib/search.ts';
import { globalScope } from '#queries/global-scope.ts';
import { hostCatalogs } from '#queries/host-sources.ts';
import { recordListQuery } from '#queries/records.ts';

const columns: readonly GridColumn<HostCatalog>[] = placedColumns<HostCatalog>();
const noun = { one: 'host catalog', many: 'host catalogs' };

/** All host catalogs that the person may see. */
export function HostSourcesPage() {
  const environment = useEnvironment();
  const query = useQuery(recordListQuery(hostCatalogs, environment.id, globalScope));
  const list = useWholeList<HostCatalog>(useSearchState(listSearch), {
    items: query.data,
    columns,
    rowId: idOf,
    noun,
    finds: 'Search name, id, project, description',
  });
  return (
    <ListPage<HostCatalog>
      {...list}
      title="Host sources"
      icon={HostSourceIcon}
      list="host-catalogs"
      query={query}
      rowLabel={nameOrId}
      rowHref={({ id }) => catalogHref(environment.id, id)}
      create={useCreateInProjects('host-catalogs', noun, `${catalogsHref(environment.id)}/new`)}
      empty={{
        about:
          'A host catalog holds hosts, and host sets that group them. Targets choose their hosts from the sets.',
        command: 'boundary host-catalogs create static -scope-id p_1234567890 -name databases',
      }}
    />
  );
}
