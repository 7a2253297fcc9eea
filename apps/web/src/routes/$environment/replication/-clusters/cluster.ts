/** The clusters of all environments as the page knows them. Unreported values are null, never 0. */
import type { RenamedMount, ReplicationMay } from '@gatehouse/api-types/console/replication-status';

/** The environment of a cluster's secrets server. */
export interface Place {
  readonly id: string;
  readonly name: string;
  readonly kind: 'production' | 'staging' | 'development';
}

/** A secondary's lag, as reported by one end of the link. */
export interface Lag {
  /** Entries that the secondary lacks. */
  readonly entries: number | null;
  /** The secondary's last entry. */
  readonly appliedSeq: number | null;
  /** Age of the last heartbeat at the time of reading, in ms. */
  readonly heartbeatAgeMs: number | null;
  /** A heartbeat's round-trip time, in ms. */
  readonly heartbeatMs: number | null;
  /** The other end's clock minus this one's, in ms. */
  readonly skewMs: number | null;
  /** Age of the secondary's newest entry while it lacks any, in ms; 0 once it has all. */
  readonly canaryAgeMs: number | null;
}

export interface PathsFilter {
  readonly mode: 'allow' | 'deny';
  readonly paths: readonly string[];
}

/** A secondary with an activation from a primary. */
export interface KnownSecondary {
  readonly id: string;
  /** Null before its first connection, or if the server doesn't report it. */
  readonly clusterId: string | null;
  readonly connection: Connection;
  readonly lag: Lag;
  /** Null if it receives everything; undefined if unknown. */
  readonly filter: PathsFilter | null | undefined;
}

export type Connection = 'ready' | 'connecting' | 'disconnected' | 'denied' | 'unknown';

interface Placed {
  readonly place: Place;
}

interface ReadCluster extends Placed {
  /** The user's permissions; null if the server doesn't report them. */
  readonly may: ReplicationMay;
  /** Whether the user is signed in. Without it, a server reports less and accepts no changes. */
  readonly isSignedIn: boolean;
}

/** A cluster whose status could not be read. */
export interface UnreadCluster extends Placed {
  readonly mode: 'unread';
  readonly why: string;
  /** True if the server doesn't answer; false if it refuses this user. */
  readonly isDown: boolean;
  /** Its last known status; null if it was never read, undefined if unknown. */
  readonly last: LastKnown | null | undefined;
}

/** Whether an unread cluster was in replication when it was last read. */
export function replicated({ last }: UnreadCluster): boolean {
  return last?.mode === 'primary' || last?.mode === 'secondary';
}

/** A cluster's status before it became unreadable. */
export interface LastKnown {
  readonly mode: 'unsupported' | 'disabled' | 'primary' | 'secondary';
  readonly clusterId: string | null;
  /** The address that a primary gives to its secondaries. */
  readonly clusterAddress: string | null;
  /** When it was last read, as an ISO timestamp. */
  readonly time: string;
}

/** A server without replication, or whose edition lacks it. */
export interface UnsupportedCluster extends ReadCluster {
  readonly mode: 'unsupported';
}

export interface DisabledCluster extends ReadCluster {
  readonly mode: 'disabled';
}

export interface PrimaryCluster extends ReadCluster {
  readonly mode: 'primary';
  readonly clusterId: string | null;
  /** The last entry. */
  readonly seq: number | null;
  /** The address for secondaries; null if it is in the server's configuration. */
  readonly clusterAddress: string | null;
  readonly secondaries: readonly KnownSecondary[];
  /** Local mounts that moved aside for replicated ones while it was a secondary. */
  readonly renamed: readonly RenamedMount[];
}

export interface SecondaryCluster extends ReadCluster {
  readonly mode: 'secondary';
  readonly clusterId: string | null;
  /** The ID in its activation; empty if it has no primary. */
  readonly secondaryId: string;
  /** `alone`: it has no primary, because it was demoted or made to forget it. */
  readonly standing: 'following' | 'alone';
  /** Known cluster addresses of its primary. */
  readonly primaryAddresses: readonly string[];
  readonly primaryClusterId: string | null;
  readonly connection: Connection;
  /** `idle`: it receives nothing, though it may be connected. `receiving`: a full copy. */
  readonly sync: 'streaming' | 'receiving' | 'idle' | 'unknown';
  /** The last entry. */
  readonly seq: number | null;
  readonly lag: Lag;
  /** Local mounts that moved aside for replicated ones. */
  readonly renamed: readonly RenamedMount[];
}

export type Cluster =
  | UnreadCluster
  | UnsupportedCluster
  | DisabledCluster
  | PrimaryCluster
  | SecondaryCluster;

/** No value is known. */
export const unknownLag: Lag = {
  entries: null,
  appliedSeq: null,
  heartbeatAgeMs: null,
  heartbeatMs: null,
  skewMs: null,
  canaryAgeMs: null,
};

/** A cluster's ID, last known if it is unread; null if it has none or it is unknown. */
export function clusterIdOf(cluster: Cluster): string | null {
  if (cluster.mode === 'unread') return cluster.last?.clusterId ?? null;
  return cluster.mode === 'primary' || cluster.mode === 'secondary' ? cluster.clusterId : null;
}

/** A cluster's role, to notice that it changes. */
export function roleOf(cluster: Cluster): string {
  return cluster.mode === 'secondary' ? `secondary ${cluster.standing}` : cluster.mode;
}

/** Whether a secondary doesn't continue from its last entry yet, though it may be connected. */
export function isStarting({ sync }: SecondaryCluster): boolean {
  return sync === 'idle' || sync === 'receiving';
}

/**
 * What the lost writes of a cluster depend on. It finds them when it begins to receive from its primary, and in a full
 * copy.
 */
export function lostDependOn(cluster: Cluster): string {
  const role = roleOf(cluster);
  return cluster.mode === 'secondary' ? `${role} ${cluster.connection} ${cluster.sync}` : role;
}

export function clusterAt(
  clusters: readonly Cluster[],
  environment: string | undefined,
): Cluster | undefined {
  return clusters.find(({ place }) => place.id === environment);
}
