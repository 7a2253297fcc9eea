import type { Host } from '@gatehouse/api-types/console/host-sources';
import { Card } from '@gatehouse/ui/card';
import { lazy } from '@gatehouse/ui/lazy';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { catalogHref, hostHref, hostSetHref } from '#components/places/host-sources.ts';
import { DetailCard, DetailCards, LinkedRecords, recordItems } from '#components/record/DetailCard.tsx';
import { nameOrId } from '#components/record/record-kind.ts';
import { RecordDetail } from '#components/record/RecordDetail.tsx';
import { queryClient } from '#lib/query-client.ts';
import { hostCatalogs, hosts, hostSets } from '#queries/host-sources.ts';
import { recordQuery } from '#queries/record-life.ts';
import { recordListQuery } from '#queries/records.ts';
import { shownHosts } from '#routes/$environment/host-sources/kinds.ts';
import { useCatalog } from '../../use-catalog.ts';

export const Route = createFileRoute('/$environment/host-sources/$catalog/hosts/$id/')({
  loader: ({ params: { environment, catalog, id } }) => {
    void queryClient.prefetchQuery(recordQuery(hostCatalogs, environment, catalog));
    void queryClient.prefetchQuery(recordQuery(hosts, environment, id));
    void queryClient.prefetchQuery(recordListQuery(hostSets, environment, catalog));
  },
  component: HostPage,
});

const DeleteHost = lazy(async () => ({ default: (await import('./DeleteHost.tsx')).DeleteHost }));
const route = getRouteApi('/$environment/host-sources/$catalog/hosts/$id/');

/** One host, and the sets that contain it. */
function HostPage() {
  const { catalog, id } = route.useParams();
  const environment = useEnvironment();
  const { ancestors } = useCatalog(catalog);
  return (
    <RecordDetail
      kind={shownHosts}
      id={id}
      ancestors={ancestors}
      listHref={`${catalogHref(environment.id, catalog)}?tab=hosts`}
      editHref={`${hostHref(environment.id, catalog, id)}/edit`}
      Deletion={DeleteHost}
    >
      {(host) => (
        <DetailCards>
          <DetailCard
            title="Host"
            items={[
              {
                label: 'Address',
                value: host.attributes.address,
                isMono: true,
                copyText: host.attributes.address,
              },
              { label: 'Name', value: host.name },
              ...recordItems(host),
            ]}
          />
          <SetsCard host={host} />
        </DetailCards>
      )}
    </RecordDetail>
  );
}

function SetsCard({ host }: { host: Host }) {
  const environment = useEnvironment();
  const { data } = useQuery(recordListQuery(hostSets, environment.id, host.host_catalog_id));
  const names = new Map(data?.map((set) => [set.id, nameOrId(set)]));
  return (
    <Card title={`In host sets (${host.host_set_ids.length.toLocaleString('en')})`} isFlush>
      {host.host_set_ids.length === 0 ? (
        <p className="p-4 text-body text-ink-2">
          This host isn't in any host set, so no target uses it. To add it, open a host set.
        </p>
      ) : (
        <LinkedRecords
          label="Host sets with this host"
          items={host.host_set_ids.map((id) => ({
            id,
            name: names.get(id) ?? id,
            href: hostSetHref(environment.id, host.host_catalog_id, id),
          }))}
        />
      )}
    </Card>
  );
}
