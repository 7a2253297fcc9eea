/** What the screens know of the clusters of all environments. What nobody told is null, never 0. */
import type { RenamedMount, ReplicationMay } from '@gatehouse/api-types/console/replication-status';

/** The environment of the console whose secrets server a cluster is. */
export interface Place {
  readonly id: string;
  readonly name: string;
  readonly kind: 'production' | 'staging' | 'development';
}

/** How far a secondary is behind, as one end of the link tells it. */
export interface Lag {
  /** Entries that the secondary does not have yet. */
  readonly entries: number | null;
  /** The last entry that it has. */
  readonly appliedSeq: number | null;
  /** Age of the last heartbeat in ms, when it was read. */
  readonly heartbeatAgeMs: number | null;
  /** How long a heartbeat takes to the other end and back, in ms. */
  readonly heartbeatMs: number | null;
  /** The other clock less this one, in ms. */
  readonly skewMs: number | null;
  /** Age of the newest entry that the secondary has while it lacks any, in ms; 0 once it has all. */
  readonly canaryAgeMs: number | null;
}

export interface PathsFilter {
  readonly mode: 'allow' | 'deny';
  readonly paths: readonly string[];
}

/** A cluster that a primary gave an activation to. */
export interface KnownSecondary {
  readonly id: string;
  /** Null before it connected for the first time, and where the server does not tell. */
  readonly clusterId: string | null;
  readonly connection: Connection;
  readonly lag: Lag;
  /** Null where it receives everything; undefined where that is not known. */
  readonly filter: PathsFilter | null | undefined;
}

export type Connection = 'ready' | 'connecting' | 'disconnected' | 'denied' | 'unknown';

interface Placed {
  readonly place: Place;
}

interface ReadCluster extends Placed {
  /** What the person may do; null where the server does not tell. */
  readonly may: ReplicationMay;
  /** Whether the person is signed in there: without that a server tells less, and nothing can be done. */
  readonly isSignedIn: boolean;
}

/** A cluster whose status could not be read. */
export interface UnreadCluster extends Placed {
  readonly mode: 'unread';
  readonly why: string;
  /** True where the server does not answer; false where it does, but not to this person. */
  readonly isDown: boolean;
  /** What it was when it was last read; null where it never was, undefined where that is not known. */
  readonly last: LastKnown | null | undefined;
}

/** Whether a cluster that can't be read took part in replication, as far as anybody knows. */
export function replicated({ last }: UnreadCluster): boolean {
  return last?.mode === 'primary' || last?.mode === 'secondary';
}

/** What a cluster was before it could no longer be read. */
export interface LastKnown {
  readonly mode: 'unsupported' | 'disabled' | 'primary' | 'secondary';
  readonly clusterId: string | null;
  /** What a primary gave to secondaries. */
  readonly clusterAddress: string | null;
  /** When it was last read, as ISO text. */
  readonly time: string;
}

/** A server without replication, or an edition that can't do it. */
export interface UnsupportedCluster extends ReadCluster {
  readonly mode: 'unsupported';
}

export interface DisabledCluster extends ReadCluster {
  readonly mode: 'disabled';
}

export interface PrimaryCluster extends ReadCluster {
  readonly mode: 'primary';
  readonly clusterId: string | null;
  /** Its last entry. */
  readonly seq: number | null;
  /** What it gives to secondaries; null where the server is configured with it. */
  readonly clusterAddress: string | null;
  readonly secondaries: readonly KnownSecondary[];
  /** Its own mounts that gave way to replicated ones while it was a secondary. */
  readonly renamed: readonly RenamedMount[];
}

export interface SecondaryCluster extends ReadCluster {
  readonly mode: 'secondary';
  readonly clusterId: string | null;
  /** The identifier that it was activated under; empty where it has no primary. */
  readonly secondaryId: string;
  /** `alone`: it has no primary, because it was demoted or made to forget it. */
  readonly standing: 'following' | 'alone';
  /** Cluster addresses that it knows of its primary. */
  readonly primaryAddresses: readonly string[];
  readonly primaryClusterId: string | null;
  readonly connection: Connection;
  readonly isReceivingSnapshot: boolean;
  /** The last entry that it has. */
  readonly seq: number | null;
  readonly lag: Lag;
  /** Its own mounts that gave way to replicated ones. */
  readonly renamed: readonly RenamedMount[];
}

export type Cluster =
  | UnreadCluster
  | UnsupportedCluster
  | DisabledCluster
  | PrimaryCluster
  | SecondaryCluster;

/** Nothing is known. */
export const unknownLag: Lag = {
  entries: null,
  appliedSeq: null,
  heartbeatAgeMs: null,
  heartbeatMs: null,
  skewMs: null,
  canaryAgeMs: null,
};

/** The id of a cluster, of one that can't be read the last that was known; null where it has none, or it is not known. */
export function clusterIdOf(cluster: Cluster): string | null {
  if (cluster.mode === 'unread') return cluster.last?.clusterId ?? null;
  return cluster.mode === 'primary' || cluster.mode === 'secondary' ? cluster.clusterId : null;
}

/** What a cluster is, for telling that it has become something else. */
export function roleOf(cluster: Cluster): string {
  return cluster.mode === 'secondary' ? `secondary ${cluster.standing}` : cluster.mode;
}

/** The cluster of an environment. */
export function clusterAt(
  clusters: readonly Cluster[],
  environment: string | undefined,
): Cluster | undefined {
  return clusters.find(({ place }) => place.id === environment);
}
