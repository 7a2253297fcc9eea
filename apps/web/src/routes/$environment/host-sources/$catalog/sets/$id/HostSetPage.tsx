import type { Host, HostSet } from '@gatehouse/api-types/console/host-sources';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { catalogHref, hostHref, hostSetHref } from '#components/places/host-sources.ts';
import { DetailCard, DetailCards, LinkedRecords, recordItems } from '#components/record/DetailCard.tsx';
import { reasonAgainst } from '#components/record/record-kind.ts';
import { RecordDetail } from '#components/record/RecordDetail.tsx';
import { UsedByCard } from '#components/source/UsedByCard.tsx';
import { queryClient } from '#lib/query-client.ts';
import { hostCatalogs, hosts, hostSets } from '#queries/host-sources.ts';
import { recordQuery } from '#queries/record-life.ts';
import { recordListQuery } from '#queries/records.ts';
import { shownHosts, shownHostSets } from '#routes/$environment/host-sources/kinds.ts';
import { useCatalog } from '../../use-catalog.ts';

export const Route = createFileRoute('/$environment/host-sources/$catalog/sets/$id/')({
  loader: ({ params: { environment, catalog, id } }) => {
    void queryClient.prefetchQuery(recordQuery(hostCatalogs, environment, catalog));
    void queryClient.prefetchQuery(recordQuery(hostSets, environment, id));
    void queryClient.prefetchQuery(recordListQuery(hosts, environment, catalog));
  },
  component: HostSetPage,
});

const DeleteHostSet = lazy(async () => ({ default: (await import('./DeleteHostSet.tsx')).DeleteHostSet }));
const route = getRouteApi('/$environment/host-sources/$catalog/sets/$id/');

/** One host set: its hosts, and the targets that use it. */
function HostSetPage() {
  const { catalog, id } = route.useParams();
  const environment = useEnvironment();
  const { ancestors } = useCatalog(catalog);
  const here = hostSetHref(environment.id, catalog, id);
  return (
    <RecordDetail
      kind={shownHostSets}
      id={id}
      ancestors={ancestors}
      listHref={catalogHref(environment.id, catalog)}
      editHref={`${here}/edit`}
      Deletion={DeleteHostSet}
    >
      {(set) => (
        <DetailCards>
          <div className="flex flex-col gap-4">
            <HostsCard set={set} />
            <UsedByCard
              scope={set.scope.id}
              ids={[set.id]}
              kinds={['host_source_ids']}
              retireHref={`${here}/retire`}
            />
          </div>
          <DetailCard title="Identity" items={recordItems(set)} />
        </DetailCards>
      )}
    </RecordDetail>
  );
}

function HostsCard({ set }: { set: HostSet }) {
  const environment = useEnvironment();
  const { data } = useQuery(recordListQuery(hosts, environment.id, set.host_catalog_id));
  const known = new Map(data?.map((host) => [host.id, host]));
  const cannotChange = reasonAgainst(set, 'set-hosts', 'host set');
  const href = `${hostSetHref(environment.id, set.host_catalog_id, set.id)}/hosts`;
  const wordsOf = (host: Host | undefined, id: string) => ({
    name: host === undefined ? id : shownHosts.nameOf(host),
    detail: host && <span className="font-mono">{host.attributes.address}</span>,
  });
  return (
    <Card
      title={`Hosts (${set.host_ids.length.toLocaleString('en')})`}
      isFlush
      actions={
        cannotChange === undefined ? (
          <LinkButton href={href} size={28} variant="ghost">
            Change hosts
          </LinkButton>
        ) : (
          <Button size={28} variant="ghost" disabledReason={cannotChange}>
            Change hosts
          </Button>
        )
      }
    >
      {set.host_ids.length === 0 ? (
        <p className="p-4 text-body text-ink-2">
          No hosts. Targets that use only this set have nothing to connect to.
        </p>
      ) : (
        <LinkedRecords
          label="Hosts of the set"
          items={set.host_ids.map((id) => ({
            id,
            href: hostHref(environment.id, set.host_catalog_id, id),
            ...wordsOf(known.get(id), id),
          }))}
        />
      )}
    </Card>
  );
}
