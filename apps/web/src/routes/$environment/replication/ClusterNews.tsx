import { Banner } from '@gatehouse/ui/banner';
import { LinkButton } from '@gatehouse/ui/link';
import { failoverHref, guidesHref } from '#components/places/replication.ts';
import type { Cluster } from './-clusters/cluster.ts';
import { nameOfNode } from './-clusters/ClustersDrawing.tsx';
import type { Topology } from './-clusters/topology.ts';

/** Urgent findings, above everything else. */
export function ClusterNews({
  clusters,
  topology,
  here,
}: {
  clusters: readonly Cluster[];
  topology: Topology;
  here: string;
}) {
  const nameOf = (key: string): string => {
    const node = topology.nodes.find((other) => other.key === key);
    return node === undefined ? '' : nameOfNode(node);
  };
  const isCutOff = clusters.some(
    (other) => other.mode === 'secondary' && other.connection === 'disconnected',
  );
  // A cluster that wasn't replicating may have become a primary since.
  const lost = clusters
    .filter((cluster) => cluster.mode === 'unread')
    .filter(({ place, last }) => isCutOff && place.id !== here && last?.mode !== 'secondary');
  return (
    <>
      {topology.rivals.map(([first, second]) => (
        <Banner
          key={`${first} ${second}`}
          tone="danger"
          title={`${nameOf(first)} and ${nameOf(second)} are both primaries`}
          announce="none"
          actions={
            <LinkButton size={28} href={guidesHref(here, 'two-primaries')}>
              What to do
            </LinkButton>
          }
        >
          Both accept writes to the same records, and the writes of one cluster will be lost. Decide which
          cluster stays the primary.
        </Banner>
      ))}
      {lost.map(({ place, last }) => (
        <Banner
          key={place.id}
          tone="warn"
          title={`${place.name} can't be read, and a secondary has lost its primary`}
          announce="none"
          actions={
            <LinkButton size={28} href={failoverHref(here, { kind: 'unplanned', from: place.id })}>
              Plan a failover
            </LinkButton>
          }
        >
          {last?.mode === 'primary'
            ? 'It was the primary when last read. If it is lost, another cluster can take its place.'
            : 'If it was the primary and is lost, another cluster can take its place.'}
        </Banner>
      ))}
    </>
  );
}
