/** A role change and its participants, kept from its start while the roles change. */
import {
  clusterAt,
  clusterIdOf,
  type Cluster,
  type PathsFilter,
  type Place,
  type PrimaryCluster,
  type SecondaryCluster,
} from '../-clusters/cluster.ts';
import { knownAt, primaryOf } from '../-clusters/following.ts';
import { heartbeatIsOldMs } from '../-clusters/link-state.ts';
import { timeWords } from '../-clusters/link-words.ts';
import { topologyOf, type Topology } from '../-clusters/topology.ts';

/** Another secondary that will follow the new primary. */
export interface OtherSecondary {
  readonly secondaryId: string;
  readonly clusterId: string | null;
  /** Null if it is outside the console. */
  readonly place: Place | null;
  /** The old primary's filter for it: null for none, undefined if unknown. */
  readonly filter: PathsFilter | null | undefined;
}

export interface Change {
  readonly kind: 'planned' | 'unplanned';
  readonly from: Place;
  readonly to: Place;
  readonly others: readonly OtherSecondary[];
  /** The old primary's filter for the new one, deleted for the change. */
  readonly dropped?: PathsFilter | undefined;
}

/** The participants of a change that begins now; undefined if the environments aren't two different clusters. */
export function changeOf(
  clusters: readonly Cluster[],
  kind: Change['kind'],
  fromId: string | undefined,
  toId: string | undefined,
): Change | undefined {
  const from = clusterAt(clusters, fromId);
  const to = clusterAt(clusters, toId);
  if (from === undefined || to === undefined || from === to) return undefined;
  const known = othersOf(topologyOf(clusters), from, to);
  const dropped = knownAt(from, to)?.filter ?? undefined;
  return { kind, from: from.place, to: to.place, others: known, ...(dropped && { dropped }) };
}

function othersOf(topology: Topology, from: Cluster, to: Cluster): readonly OtherSecondary[] {
  const nodeOf = ({ place }: Cluster) =>
    topology.nodes.find(({ places }) => places.some(({ id }) => id === place.id));
  const [old, next] = [nodeOf(from), nodeOf(to)];
  // If the primary is lost, the secondaries report which one they followed.
  const source = old?.cluster.mode === 'primary' ? old : primaryNodeOf(topology, next?.key);
  return topology.links
    .filter((link) => link.from === source?.key && link.to !== next?.key && link.to !== old?.key)
    .map((link) => {
      const node = topology.nodes.find(({ key }) => key === link.to);
      const cluster = node?.cluster;
      return {
        secondaryId: link.secondaryId,
        clusterId:
          cluster === undefined
            ? null
            : cluster.mode === 'outside'
              ? cluster.clusterId
              : clusterIdOf(cluster),
        place: node?.places[0] ?? null,
        filter: link.filter,
      };
    });
}

function primaryNodeOf({ nodes, links }: Topology, secondary: string | undefined) {
  const link = links.find(({ to }) => to === secondary);
  return nodes.find(({ key }) => key === link?.from);
}

/** Entries that a secondary lacks, as reported by either end; null if neither reports it. */
export function entriesWaiting(
  secondary: SecondaryCluster,
  primary: PrimaryCluster | undefined,
): number | null {
  return knownAt(primary, secondary)?.lag.entries ?? secondary.lag.entries;
}

/** Under load, up to this many entries are always in transit. */
const fewEntries = 50;

/** Why a secondary lacks, or may lack, entries of its primary; undefined if it has them. */
export function notCaughtUp(
  secondary: SecondaryCluster,
  primary: PrimaryCluster | undefined,
): string | undefined {
  const { name } = secondary.place;
  if (secondary.connection !== 'ready') return `${name} is not connected to its primary.`;
  if (secondary.sync === 'receiving') return `${name} is still receiving a full copy.`;
  // Before the stream begins, the primary counts entries that only the secondary has as received.
  if (secondary.sync === 'idle') return `${name} is connected, but doesn't receive entries yet.`;
  const age = knownAt(primary, secondary)?.lag.heartbeatAgeMs ?? secondary.lag.heartbeatAgeMs;
  if (age === null) return `The time of the last heartbeat from ${name} is unknown.`;
  if (age > heartbeatIsOldMs) return `No heartbeat from ${name} for ${timeWords(age)}. It may be stalled.`;
  const waiting = entriesWaiting(secondary, primary);
  if (waiting === null) return `The number of entries that ${name} lacks is unknown.`;
  if (waiting > fewEntries)
    return `${waiting.toLocaleString('en')} entries are waiting for ${name}. Wait until it has caught up.`;
  return undefined;
}

/** Why a cluster can't become the primary without loss; undefined if it can. */
export function reasonAgainstTarget(
  to: Cluster | undefined,
  filter: PathsFilter | null | undefined,
): string | undefined {
  if (to === undefined) return "This environment doesn't exist.";
  const { name } = to.place;
  switch (to.mode) {
    case 'unread':
      return `${name} can't be read: ${to.why}`;
    case 'unsupported':
      return `The server of ${name} doesn't support replication.`;
    case 'disabled':
      return `${name} isn't replicating. Add it as a secondary first, which wipes it.`;
    case 'primary':
      return `${name} is already a primary.`;
    case 'secondary':
      return filter === null || filter === undefined
        ? undefined
        : `${name} has a paths filter: it lacks mounts that the primary has.`;
  }
}

/** The filter for an environment's cluster: null for none, undefined if unknown. */
export function filterOf(
  clusters: readonly Cluster[],
  to: Cluster | undefined,
): PathsFilter | null | undefined {
  return knownAt(primaryOf(clusters, to), to)?.filter;
}
