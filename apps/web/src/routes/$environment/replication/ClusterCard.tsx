import { Badge } from '@gatehouse/ui/badge';
import type { KeyValue } from '@gatehouse/ui/key-value-list';
import { DetailCard } from '#components/record/DetailCard.tsx';
import type { Cluster, SecondaryCluster } from './-clusters/cluster.ts';
import { linkStateOf } from './-clusters/link-state.ts';
import { entriesWords, modeWords, stateWords, timeWords } from './-clusters/link-words.ts';

/** What the cluster of this environment is. */
export function ClusterCard({ cluster }: { cluster: Cluster }) {
  const { word, tone } = modeWords(cluster);
  return (
    <DetailCard
      title="This cluster"
      items={[{ label: 'Mode', value: <Badge tone={tone}>{word}</Badge> }, ...itemsOf(cluster)]}
    />
  );
}

const unknown = 'Unknown';

function itemsOf(cluster: Cluster): readonly KeyValue[] {
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
  if (cluster.mode === 'primary')
    return [
      ...common,
      {
        label: 'Cluster address',
        value: cluster.clusterAddress ?? 'As the server is configured',
        isMono: cluster.clusterAddress !== null,
      },
    ];
  return [...common, ...(cluster.standing === 'alone' ? [] : followingItems(cluster))];
}

function followingItems(cluster: SecondaryCluster): readonly KeyValue[] {
  const { lag, connection, isReceivingSnapshot, primaryAddresses, secondaryId } = cluster;
  const state = stateWords[linkStateOf({ connection, isReceivingSnapshot, lag })];
  return [
    { label: 'Activated as', value: secondaryId === '' ? unknown : secondaryId, isMono: true },
    {
      label: 'Primary',
      value: primaryAddresses.length === 0 ? unknown : primaryAddresses.join(', '),
      isMono: primaryAddresses.length > 0,
    },
    { label: 'Link', value: <Badge tone={state.tone}>{state.word}</Badge> },
    { label: 'Entries behind', value: entriesWords(lag.entries) },
    {
      label: 'Last heartbeat',
      value: lag.heartbeatAgeMs === null ? unknown : `${timeWords(lag.heartbeatAgeMs)} ago`,
    },
    { label: 'Heartbeat takes', value: timeWords(lag.heartbeatMs) },
    { label: 'Clock differs by', value: timeWords(lag.skewMs) },
    { label: 'Age of the canary', value: timeWords(lag.canaryAgeMs) },
  ];
}
