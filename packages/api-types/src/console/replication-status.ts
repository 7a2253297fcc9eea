/**
 * What clusters of secrets servers report about replication. Unreported values are null or `unknown`, never 0, an empty
 * list or a guess.
 */
import * as z from 'zod/mini';

const count = z.nullable(z.int());
/** Milliseconds. */
const milliseconds = z.nullable(z.number());
const time = z.nullable(z.string());
/** Null if the server doesn't report them. */
const text = z.nullable(z.string());

/** The caller's rights; null if the server doesn't report them. The cluster's mode may also forbid an action. */
export const replicationMay = z.nullable(
  z.object({
    enable_primary: z.boolean(),
    demote: z.boolean(),
    disable_primary: z.boolean(),
    create_token: z.boolean(),
    revoke: z.boolean(),
    read_filter: z.boolean(),
    save_filter: z.boolean(),
    delete_filter: z.boolean(),
    /** Become a secondary, which deletes all data of the cluster. */
    enable_secondary: z.boolean(),
    promote: z.boolean(),
    disable_secondary: z.boolean(),
    update_primary: z.boolean(),
    read_digest: z.boolean(),
    write_canary: z.boolean(),
    read_transitions: z.boolean(),
    read_lost_writes: z.boolean(),
    delete_lost_writes: z.boolean(),
  }),
);
export type ReplicationMay = z.output<typeof replicationMay>;

/** The link between two clusters as one of them sees it. */
const heartbeat = {
  /** Time since the last successful heartbeat, by the console's clock: a browser's clock may be wrong. */
  heartbeat_age_ms: milliseconds,
  /** Round-trip time of the heartbeat. */
  last_heartbeat_duration_ms: milliseconds,
  /** The secondary's clock minus the primary's. */
  clock_skew_ms: milliseconds,
  /** Age of the newest entry that the secondary has, while it lacks any. */
  canary_age_ms: milliseconds,
  /** Number of entries that the secondary lacks. */
  lag_entries: count,
};

/** An activated cluster as its primary sees it. */
export const replicationSecondary = z.object({
  /** The identifier of its activation, used to revoke and filter it. */
  id: z.string(),
  /** The cluster that used the activation; null before its first connection or if not reported. */
  cluster_id: text,
  api_address: text,
  cluster_address: text,
  connection: z.enum(['connected', 'disconnected', 'unknown']),
  connected_since: time,
  /** The number of the last entry that it confirmed. */
  applied_seq: count,
  /** False while it receives all records. */
  whole: z.nullable(z.boolean()),
  ...heartbeat,
});
export type ReplicationSecondary = z.output<typeof replicationSecondary>;

/** The primary that a secondary follows, as the secondary sees it. */
export const followedPrimary = z.object({
  cluster_id: text,
  api_address: text,
  /** The address in use, or the last one used. */
  cluster_address: text,
  /** The addresses to find its primary at. */
  known_addresses: z.array(z.string()),
  /** Whether the primary is known to have been demoted. */
  standing: z.nullable(z.enum(['primary', 'demoted'])),
  /** The primary's last known entry number. */
  last_seq: count,
});

/** A local mount that was moved because a replicated mount took its path. */
const renamedMount = z.object({
  /** Like `former_path`, includes the namespace. */
  path: z.string(),
  former_path: z.string(),
  time,
});
export type RenamedMount = z.output<typeof renamedMount>;
/** Those that the caller can access; null if the server doesn't report them. */
const renamedMounts = z.nullable(z.array(renamedMount));

const everywhere = {
  /** Whether the request used the caller's token; servers report less without one. */
  signed_in: z.boolean(),
  /** Also null without a token. */
  may: replicationMay,
};

export const unsupportedReplication = z.object({
  /** The server has no replication. */
  mode: z.literal('unsupported'),
  ...everywhere,
});

export const disabledReplication = z.object({
  mode: z.literal('disabled'),
  /** False for an edition without replication; null if unknown. */
  can_replicate: z.nullable(z.boolean()),
  ...everywhere,
});

export const primaryReplication = z.object({
  mode: z.literal('primary'),
  cluster_id: text,
  /** The address given to secondaries; also null if the configured one is used. */
  primary_cluster_addr: text,
  /** The number of its last entry. */
  last_seq: count,
  secondaries: z.array(replicationSecondary),
  renamed_mounts: renamedMounts,
  ...everywhere,
});

export const secondaryReplication = z.object({
  mode: z.literal('secondary'),
  cluster_id: text,
  /** The identifier of its activation. */
  secondary_id: text,
  /** Null if it follows no primary: it was demoted, or has forgotten its primary. */
  primary: z.nullable(followedPrimary),
  /** `denied`: it was revoked, or its certificate is refused. */
  connection: z.enum(['ready', 'connecting', 'disconnected', 'denied', 'unknown']),
  /** The server's reason for the last failed connection. */
  connection_problem: text,
  /** `receiving`: all records are being received again, and until then the data is a mixture. */
  sync: z.enum(['streaming', 'receiving', 'idle', 'unknown']),
  /** The number of its last entry. */
  last_seq: count,
  /** When it last started to follow. */
  last_start: time,
  /** False while it receives all records. */
  whole: z.nullable(z.boolean()),
  /** Whether it is a demoted primary, which serves its data until it follows another primary. */
  demoted: z.nullable(z.boolean()),
  /** The secondaries that may still fetch a demoted primary's entries. Null for any other cluster. */
  secondaries: z.nullable(z.array(replicationSecondary)),
  renamed_mounts: renamedMounts,
  ...heartbeat,
  ...everywhere,
});

/** A cluster's role in replication. */
export const replicationStatus = z.discriminatedUnion('mode', [
  unsupportedReplication,
  disabledReplication,
  primaryReplication,
  secondaryReplication,
]);
export type ReplicationStatus = z.output<typeof replicationStatus>;
export type PrimaryReplication = z.output<typeof primaryReplication>;
export type SecondaryReplication = z.output<typeof secondaryReplication>;
export type DisabledReplication = z.output<typeof disabledReplication>;

/** Other environments whose secrets server is the same one, or a replica. */
export const replicas = z.object({
  /** Passes every change on to its primary, except those of local mounts. */
  is_secondary: z.boolean(),
  /** The primary's environment; null if it is this one, or none of the console's. */
  primary: text,
  /** The other environments with the same secrets, in the same namespace. */
  environments: z.array(z.string()),
  /**
   * Other environments that may have some of the same secrets: a server can't be reached, or was demoted and has no
   * primary, or the environment uses a namespace below this one.
   */
  unknown: z.array(z.string()),
});
export type Replicas = z.output<typeof replicas>;

/** A change of the cluster's role, or a refused attempt. */
export const replicationTransition = z.object({
  time: z.string(),
  /** `primary/enable`, `secondary/promote`: the end of the server's path. */
  operation: z.string(),
  /** The modes before and after; null if not reported. */
  from: text,
  to: text,
  outcome: z.enum(['done', 'refused', 'failed', 'unknown']),
  /** The display name of the requesting token. */
  by: text,
  /** Why it was refused or failed. */
  why: text,
  /** The server's warnings about work in progress or left behind. */
  warnings: z.array(z.string()),
});
export type ReplicationTransition = z.output<typeof replicationTransition>;

/** A write that this cluster accepted but its new primary never had. */
export const lostWrite = z.object({
  /** Its number in the list, increasing with time. Null if the server doesn't report it. */
  id: z.nullable(z.int()),
  seq: z.int(),
  /** When it was written. */
  time: z.string(),
  /** When the loss was detected. */
  found_time: z.string(),
  /** What was written, without values: `secret/db version 3`. */
  records: z.array(z.string()),
});
export type LostWrite = z.output<typeof lostWrite>;

/** Lost writes, newest first. */
export const lostWritePage = z.object({
  /** Null if the server doesn't keep them. */
  items: z.nullable(z.array(lostWrite)),
  /** Total number on all pages; null if the server doesn't report it. */
  total: count,
});

/** The console's last successful reading of a cluster. */
export const lastKnownCluster = z.object({
  /** When it was read. */
  time: z.string(),
  mode: z.enum(['unsupported', 'disabled', 'primary', 'secondary']),
  cluster_id: text,
  /** For a primary: the address given to secondaries. */
  cluster_address: text,
});
export type LastKnownCluster = z.output<typeof lastKnownCluster>;

/** A keyed digest of all replicated records at one position. */
export const replicationDigest = z.object({
  /** The last entry that it covers. */
  seq: z.int(),
  /** The primary's epoch in which that entry was written; empty if none. */
  epoch: z.string(),
  digest: z.string(),
  records: z.int(),
});
export type ReplicationDigest = z.output<typeof replicationDigest>;

/** One of two compared clusters. */
export const comparedCluster = z.object({
  environment: z.string(),
  mode: z.enum(['unsupported', 'disabled', 'primary', 'secondary']),
  cluster_id: text,
  /** The number of its last entry. */
  seq: count,
  /** Null if the server has no digests, or the caller can't read them. */
  digest: z.nullable(replicationDigest),
});
export type ComparedCluster = z.output<typeof comparedCluster>;

export const replicationComparison = z.object({
  /** The cluster in the address, then the other one. */
  clusters: z.tuple([comparedCluster, comparedCluster]),
  /** The secondary's identifier, if the primary's digest only covers the records that its filter lets through. */
  filtered_for: text,
  /** Whether both have the same records at the same position; null at different positions or if digests are missing. */
  same: z.nullable(z.boolean()),
  /** Entries of the first cluster that the second lacks; negative if it has more. */
  behind: count,
});
export type ReplicationComparison = z.output<typeof replicationComparison>;

/** A server of a cluster. */
export const clusterNode = z.object({
  name: z.string(),
  api_address: text,
  cluster_address: text,
  role: z.enum(['active', 'standby', 'leader', 'voter', 'non-voter', 'unknown']),
  last_echo: time,
  version: text,
});
export type ClusterNode = z.output<typeof clusterNode>;

export const clusterNodes = z.object({
  /** Which of the server's answers lists the nodes; null if none does. */
  source: z.nullable(z.enum(['ha-status', 'raft', 'leader'])),
  /** The cluster's name as reported by the server. */
  cluster_name: text,
  cluster_id: text,
  nodes: z.array(clusterNode),
});
export type ClusterNodes = z.output<typeof clusterNodes>;

/** The result of an action. It may still be in progress: read the status until it shows the intended state. */
export const replicationChanged = z.object({
  /** Null if it can't be read at the moment. */
  status: z.nullable(replicationStatus),
  /** The server's warnings about work in progress or left behind. */
  warnings: z.array(z.string()),
  /** Whether the caller is still signed in to the server. A cluster that becomes a secondary ends all of its tokens. */
  connected: z.boolean(),
});
export type ReplicationChanged = z.output<typeof replicationChanged>;
