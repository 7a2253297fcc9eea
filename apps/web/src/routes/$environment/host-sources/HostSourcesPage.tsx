import type { HostCatalog } from '@gatehouse/api-types/console/host-sources';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { HostSourceIcon } from '@gatehouse/ui/icon';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { catalogHref, catalogsHref } from '#components/places/host-sources.ts';
import { placedColumns } from '#components/record/placed-columns.tsx';
import { PlacedRecordsPage } from '#components/record/PlacedRecordsPage.tsx';
import { globalScope } from '#queries/global-scope.ts';
import { hostCatalogs } from '#queries/host-sources.ts';
import { recordListQuery } from '#queries/records.ts';

const route = getRouteApi('/$environment/host-sources/');
const columns: readonly GridColumn<HostCatalog>[] = placedColumns<HostCatalog>();

/** All host catalogs that the person may see. */
export function HostSourcesPage() {
  const environment = useEnvironment();
  const search = route.useSearch();
  const navigate = useNavigate();
  const query = useQuery(recordListQuery(hostCatalogs, environment.id, globalScope));
  return (
    <PlacedRecordsPage<HostCatalog>
      title="Host sources"
      list="host-catalogs"
      noun={{ one: 'host catalog', many: 'host catalogs' }}
      icon={HostSourceIcon}
      columns={columns}
      query={query}
      hrefOf={({ id }) => catalogHref(environment.id, id)}
      newHref={`${catalogsHref(environment.id)}/new`}
      collection="host-catalogs"
      about="A host catalog holds hosts, and host sets that group them. Targets choose their hosts from the sets."
      command="boundary host-catalogs create static -scope-id p_1234567890 -name databases"
      search={search}
      onSearch={(next) =>
        void navigate({
          to: '/$environment/host-sources',
          params: { environment: environment.id },
          search: next,
          replace: true,
        })
      }
    />
  );
}
