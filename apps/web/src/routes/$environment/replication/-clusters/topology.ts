/** Joins the clusters of all environments into a drawing: which feeds which, and each link's state. */
import {
  type Cluster,
  clusterIdOf,
  type KnownSecondary,
  type Lag,
  type PathsFilter,
  type Place,
  type PrimaryCluster,
  replicated,
  type SecondaryCluster,
  unknownLag,
} from './cluster.ts';
import { namesAsPrimary } from './following.ts';
import { jointLag, linkStateOf, worstState, type LinkEnd, type LinkState } from './link-state.ts';
import { isReplaced } from './replaced.ts';

/** A cluster outside the console, known from one that replicates with it. */
export interface Outsider {
  readonly mode: 'outside';
  /** Its name at the cluster that reports it. */
  readonly name: string;
  readonly clusterId: string | null;
  readonly role: 'primary' | 'secondary';
  /** Unread environments with an unknown role: this may be the cluster of one. */
  readonly maybe: readonly Place[];
}

export interface TopologyNode {
  readonly key: string;
  readonly cluster: Cluster | Outsider;
  /** More than one if environments share a server. */
  readonly places: readonly Place[];
}

/** A primary's link to a secondary. */
export interface TopologyLink {
  readonly key: string;
  /** The key of the primary's node. */
  readonly from: string;
  /** The key of the secondary's node. */
  readonly to: string;
  /** The ID in the activation; empty if unknown. */
  readonly secondaryId: string;
  readonly state: LinkState;
  readonly lag: Lag;
  /** Null if everything is sent; undefined if unknown. */
  readonly filter: PathsFilter | null | undefined;
}

export interface Topology {
  readonly nodes: readonly TopologyNode[];
  readonly links: readonly TopologyLink[];
  /** Pairs of nodes that both accept writes to the same records. */
  readonly rivals: readonly (readonly [string, string])[];
}

/** A cluster's last entry at an earlier time. */
export type Earlier = (clusterId: string) => LinkEnd['earlier'];

const nothingEarlier: Earlier = () => undefined;

/**
 * Joins what the clusters of all environments report.
 * @param earlier earlier entries, to detect secondaries without progress
 */
export function topologyOf(clusters: readonly Cluster[], earlier: Earlier = nothingEarlier): Topology {
  const nodes: TopologyNode[] = nodesOf(clusters);
  const links: TopologyLink[] = [];
  const secondaries = nodes.filter(isSecondaryNode);
  for (const node of nodes.filter(isPrimaryNode)) {
    const { cluster } = node;
    for (const known of cluster.secondaries.filter((each) => !isReplaced(cluster.secondaries, each))) {
      const match = secondaries.find(({ cluster: other }) => isSame(cluster, known, other));
      if (match === undefined && movedOn(nodes, known)) continue;
      const to = match ?? outsiderOf(nodes, node.key, known);
      if (!nodes.includes(to)) nodes.push(to);
      links.push(linkOf(node, known, match, to.key, earlier));
    }
  }
  for (const node of secondaries) {
    const { cluster, key } = node;
    if (cluster.standing === 'alone' || links.some(({ to }) => to === key)) continue;
    const primary = nodes.filter(isPrimaryNode).find(({ cluster: other }) => namesAsPrimary(cluster, other));
    const from = primary ?? unreadPrimaryOf(nodes, cluster) ?? outsidePrimaryOf(nodes, cluster);
    if (!nodes.includes(from)) nodes.push(from);
    links.push({
      key: `${from.key}>${key}`,
      from: from.key,
      to: key,
      secondaryId: cluster.secondaryId,
      state: linkStateOf(endOf(cluster, earlier)),
      lag: cluster.lag,
      filter: undefined,
    });
  }
  return { nodes, links, rivals: rivalsOf(nodes) };
}

type NodeOf<Kind extends Cluster> = TopologyNode & { readonly cluster: Kind };

const isPrimaryNode = (node: TopologyNode): node is NodeOf<PrimaryCluster> => node.cluster.mode === 'primary';
const isSecondaryNode = (node: TopologyNode): node is NodeOf<SecondaryCluster> =>
  node.cluster.mode === 'secondary';

/** The node of an unread primary, found by its last known ID or address. */
function unreadPrimaryOf(
  nodes: readonly TopologyNode[],
  secondary: SecondaryCluster,
): TopologyNode | undefined {
  return nodes.find(({ cluster }) => cluster.mode === 'unread' && namesAsPrimary(secondary, cluster));
}

/** Unread environments that weren't replicating when last read, but may have started since. */
function unknownPlaces(nodes: readonly TopologyNode[]): readonly Place[] {
  return nodes.flatMap(({ cluster, places }) =>
    cluster.mode === 'unread' && !replicated(cluster) ? places : [],
  );
}

/** One node per cluster. Environments that share a server share a node. */
function nodesOf(clusters: readonly Cluster[]): TopologyNode[] {
  const nodes: TopologyNode[] = [];
  for (const cluster of clusters) {
    const id = clusterIdOf(cluster);
    // An unread cluster isn't merged with a read one: it may have changed since.
    const index =
      id === null
        ? -1
        : nodes.findIndex(
            (node) =>
              clusterIdOfNode(node) === id &&
              (node.cluster.mode === 'unread') === (cluster.mode === 'unread'),
          );
    const same = nodes[index];
    if (same === undefined)
      nodes.push({
        key: id === null || cluster.mode === 'unread' ? `place ${cluster.place.id}` : id,
        cluster,
        places: [cluster.place],
      });
    else nodes[index] = { ...same, places: [...same.places, cluster.place] };
  }
  return nodes;
}

export function clusterIdOfNode({ cluster }: Pick<TopologyNode, 'cluster'>): string | null {
  return cluster.mode === 'outside' ? cluster.clusterId : clusterIdOf(cluster);
}

/** The state of the link to a secondary; undefined if the cluster no longer follows this primary. */
export function stateOfLinkTo(
  { nodes, links }: Topology,
  { id, clusterId }: KnownSecondary,
): LinkState | undefined {
  const isTo = (key: string): boolean =>
    clusterId === null || nodes.some((node) => node.key === key && clusterIdOfNode(node) === clusterId);
  return links.find(({ secondaryId, to }) => secondaryId === id && isTo(to))?.state;
}

/** Whether a primary's known secondary is this cluster and still follows it. */
function isSame(primary: PrimaryCluster, known: KnownSecondary, cluster: SecondaryCluster): boolean {
  if (cluster.standing === 'alone') return false;
  if (cluster.primaryClusterId !== null && primary.clusterId !== null)
    if (cluster.primaryClusterId !== primary.clusterId) return false;
  if (known.clusterId !== null && cluster.clusterId !== null) return known.clusterId === cluster.clusterId;
  return known.id === cluster.secondaryId && namesAsPrimary(cluster, primary);
}

/** Whether a cluster that a primary still lists is known to have another role now. */
function movedOn(nodes: readonly TopologyNode[], { clusterId }: KnownSecondary): boolean {
  return (
    clusterId !== null &&
    nodes.some(
      ({ cluster }) =>
        cluster.mode !== 'outside' && cluster.mode !== 'unread' && clusterIdOf(cluster) === clusterId,
    )
  );
}

/** A secondary that is unread or outside the console; one node for all primaries that know it. */
function outsiderOf(
  nodes: readonly TopologyNode[],
  primaryKey: string,
  { id, clusterId }: KnownSecondary,
): TopologyNode {
  const key = clusterId ?? `${primaryKey}/${id}`;
  const unread = nodes.find(
    (node) => node.cluster.mode === 'unread' && clusterId !== null && clusterIdOfNode(node) === clusterId,
  );
  return (
    unread ??
    nodes.find((node) => node.key === key) ?? {
      key,
      cluster: {
        mode: 'outside',
        name: id,
        clusterId,
        role: 'secondary',
        // An activation without a cluster is unused.
        maybe: clusterId === null ? [] : unknownPlaces(nodes),
      },
      places: [],
    }
  );
}

/** The primary that a secondary names, if it is outside the console; one node for all secondaries that name it. */
function outsidePrimaryOf(nodes: readonly TopologyNode[], secondary: SecondaryCluster): TopologyNode {
  const { primaryClusterId: clusterId, primaryAddresses } = secondary;
  const name = primaryAddresses[0] ?? clusterId ?? '';
  const key = `primary ${clusterId ?? name}`;
  return (
    nodes.find((node) => node.key === key) ?? {
      key,
      cluster: { mode: 'outside', name, clusterId, role: 'primary', maybe: unknownPlaces(nodes) },
      places: [],
    }
  );
}

function endOf(cluster: SecondaryCluster, earlier: Earlier): LinkEnd {
  const { connection, sync, lag, clusterId } = cluster;
  return {
    connection: connection === 'ready' && sync === 'idle' ? 'connecting' : connection,
    isReceivingSnapshot: sync === 'receiving',
    lag,
    earlier: clusterId === null ? undefined : earlier(clusterId),
  };
}

function linkOf(
  from: TopologyNode,
  known: KnownSecondary,
  match: NodeOf<SecondaryCluster> | undefined,
  to: string,
  earlier: Earlier,
): TopologyLink {
  const { id, clusterId, connection, lag, filter } = known;
  const asPrimarySees = linkStateOf({
    connection,
    isReceivingSnapshot: match?.cluster.sync === 'receiving',
    lag,
    earlier: clusterId === null ? undefined : earlier(clusterId),
  });
  const states = match ? [asPrimarySees, linkStateOf(endOf(match.cluster, earlier))] : [asPrimarySees];
  return {
    key: `${from.key}>${to}`,
    from: from.key,
    to,
    secondaryId: id,
    state: match === undefined && isUnused(known) ? 'unused' : worstState(states),
    lag: jointLag(lag, match?.cluster.lag ?? unknownLag),
    filter,
  };
}

/** Whether an activation was never used: it has no cluster, and no heartbeat ever arrived. */
function isUnused({ clusterId, connection, lag }: KnownSecondary): boolean {
  return clusterId === null && connection !== 'ready' && lag.heartbeatAgeMs === null && lag.entries === null;
}

/** Two primaries, one of which was activated by the other: both accept writes to the same records. */
function rivalsOf(nodes: readonly TopologyNode[]): Topology['rivals'] {
  const primaries = nodes.filter(isPrimaryNode);
  return primaries.flatMap(({ key, cluster }) =>
    primaries
      .filter(
        (other) =>
          other.key !== key &&
          cluster.secondaries.some(
            ({ clusterId }) => clusterId !== null && clusterId === other.cluster.clusterId,
          ),
      )
      .map((other): readonly [string, string] => [key, other.key]),
  );
}
