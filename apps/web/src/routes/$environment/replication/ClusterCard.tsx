import type { RenamedMount } from '@gatehouse/api-types/console/replication-status';
import { Badge } from '@gatehouse/ui/badge';
import type { KeyValue } from '@gatehouse/ui/key-value-list';
import { Time } from '#components/environment/Time.tsx';
import { DetailCard } from '#components/record/DetailCard.tsx';
import type { Cluster, SecondaryCluster } from './-clusters/cluster.ts';
import {
  canaryWords,
  entriesWords,
  modeWords,
  skewWords,
  stateWords,
  timeWords,
} from './-clusters/link-words.ts';
import type { Topology } from './-clusters/topology.ts';

/** The details of this environment's cluster. */
export function ClusterCard({ cluster, topology }: { cluster: Cluster; topology: Topology }) {
  const { word, tone } = modeWords(cluster);
  return (
    <DetailCard
      title="This cluster"
      items={[{ label: 'Mode', value: <Badge tone={tone}>{word}</Badge> }, ...itemsOf(cluster, topology)]}
    />
  );
}

const unknown = 'Unknown';

function itemsOf(cluster: Cluster, topology: Topology): readonly KeyValue[] {
  if (cluster.mode !== 'primary' && cluster.mode !== 'secondary') return [];
  const { clusterId, seq } = cluster;
  const common: readonly KeyValue[] = [
    {
      label: 'Cluster ID',
      value: clusterId ?? unknown,
      isMono: true,
      ...(clusterId !== null && { copyText: clusterId }),
    },
    { label: 'Last entry', value: seq === null ? unknown : seq.toLocaleString('en') },
  ];
  const renamed: readonly KeyValue[] =
    cluster.renamed.length === 0
      ? []
      : [{ label: 'Renamed mounts', value: <RenamedMounts mounts={cluster.renamed} /> }];
  if (cluster.mode === 'primary')
    return [
      ...common,
      {
        label: 'Cluster address',
        value: cluster.clusterAddress ?? "From the server's configuration",
        isMono: cluster.clusterAddress !== null,
      },
      ...renamed,
    ];
  return [...common, ...(cluster.standing === 'alone' ? [] : followingItems(cluster, topology)), ...renamed];
}

/** Local mounts with new paths: clients that use the old one reach another mount. */
function RenamedMounts({ mounts }: { mounts: readonly RenamedMount[] }) {
  return (
    <div className="flex flex-col gap-1">
      <ul>
        {mounts.map(({ path, former_path: former, time }) => (
          <li key={former}>
            <span className="font-mono text-meta/5">
              {former} is now {path}
            </span>
            {time !== null && (
              <span className="text-meta text-ink-2">
                {' '}
                <Time value={time} />
              </span>
            )}
          </li>
        ))}
      </ul>
      <p className="text-meta text-ink-2">
        A local mount is renamed if the primary has a mount at its path. Point the clients of the local mount
        to the new path.
      </p>
    </div>
  );
}

function followingItems(cluster: SecondaryCluster, { nodes, links }: Topology): readonly KeyValue[] {
  const { primaryAddresses, secondaryId, place } = cluster;
  const node = nodes.find(({ places }) => places.some(({ id }) => id === place.id));
  // From whichever end knows it.
  const link = links.find(({ to }) => to === node?.key);
  const lag = link?.lag ?? cluster.lag;
  const state = stateWords[link?.state ?? 'unknown'];
  return [
    { label: 'Activated as', value: secondaryId === '' ? unknown : secondaryId, isMono: true },
    {
      label: 'Primary',
      value: primaryAddresses.length === 0 ? unknown : primaryAddresses.join(', '),
      isMono: primaryAddresses.length > 0,
    },
    { label: 'Link', value: <Badge tone={state.tone}>{state.word}</Badge> },
    { label: 'Entries behind', value: lag.entries === null ? unknown : entriesWords(lag.entries) },
    {
      label: 'Last heartbeat',
      value: lag.heartbeatAgeMs === null ? unknown : `${timeWords(lag.heartbeatAgeMs)} ago`,
    },
    { label: 'Heartbeat latency', value: lag.heartbeatMs === null ? unknown : timeWords(lag.heartbeatMs) },
    { label: 'Clock skew', value: lag.skewMs === null ? unknown : skewWords(lag.skewMs) },
    { label: 'Canary', value: lag.canaryAgeMs === null ? unknown : canaryWords(lag.canaryAgeMs) },
  ];
}
