import { Banner } from '@gatehouse/ui/banner';
import type { Cluster } from '../-clusters/cluster.ts';
import { nameOfNode } from '../-clusters/ClustersDrawing.tsx';
import type { Topology } from '../-clusters/topology.ts';

/** Shows which secondaries a canary has reached. A link that delivers it is idle; one that doesn't is stalled. */
export function CanaryNote({
  seq,
  cluster,
  topology: { nodes, links },
  onClose,
}: {
  /** The sequence number of its entry. */
  seq: number;
  cluster: Cluster;
  topology: Topology;
  onClose: () => void;
}) {
  const node = nodes.find(({ places }) => places.some(({ id }) => id === cluster.place.id));
  const reached = links
    .filter(({ from }) => from === node?.key)
    .map(({ key, to, lag }) => {
      const target = nodes.find((other) => other.key === to);
      const name = target === undefined ? to : nameOfNode(target);
      const has = lag.appliedSeq !== null && lag.appliedSeq >= seq;
      return { key, name, has };
    });
  const isEverywhere = reached.every(({ has }) => has);
  return (
    <Banner
      tone={isEverywhere ? 'ok' : 'info'}
      title={`Canary written as entry ${seq.toLocaleString('en')}`}
      onClose={onClose}
    >
      {reached.length === 0 ? (
        'No secondary follows this cluster, so none receives the canary.'
      ) : (
        <ul>
          {reached.map(({ key, name, has }) => (
            <li key={key}>
              {has
                ? `${name} has received the canary, so the link works.`
                : `${name} hasn't confirmed the canary yet.`}
            </li>
          ))}
        </ul>
      )}
    </Banner>
  );
}
