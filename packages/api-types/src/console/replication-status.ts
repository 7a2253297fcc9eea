/**
 * What clusters of secrets servers tell of their replication. What a server doesn't tell is null, or `unknown`: never 0, an
 * empty list or a guess.
 */
import * as z from 'zod/mini';

const count = z.nullable(z.int());
/** Milliseconds. */
const milliseconds = z.nullable(z.number());
const time = z.nullable(z.string());
/** Null where the server doesn't tell. */
const text = z.nullable(z.string());

/** What the caller may do; null where the server doesn't tell. What the cluster's mode allows is another question. */
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
    /** Become a secondary: all data of the cluster is cleared. */
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

/** What moves between two clusters, as one of them sees it. */
const heartbeat = {
  /** When it last succeeded. */
  last_heartbeat: time,
  /** How long it took, there and back. */
  last_heartbeat_duration_ms: milliseconds,
  /** The secondary's clock less the primary's. */
  clock_skew_ms: milliseconds,
  /** Age of the newest entry that the secondary has, while it lacks any. */
  canary_age_ms: milliseconds,
  /** Entries that the secondary doesn't have yet. */
  lag_entries: count,
};

/** A cluster that was activated, as its primary sees it. */
export const replicationSecondary = z.object({
  /** The identifier that it was activated under: by it, it is revoked and filtered. */
  id: z.string(),
  /** Of the cluster that used the activation; null too before its first connection. */
  cluster_id: text,
  api_address: text,
  cluster_address: text,
  connection: z.enum(['connected', 'disconnected', 'unknown']),
  connected_since: time,
  /** The number of the last entry that it said it had. */
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
  /** In use, or the one that was last. */
  cluster_address: text,
  /** Where it looks for its primary. */
  known_addresses: z.array(z.string()),
  /** Whether it was demoted since, as last heard. */
  standing: z.nullable(z.enum(['primary', 'demoted'])),
  /** The number of its last entry, as last heard. */
  last_seq: count,
});
export type FollowedPrimary = z.output<typeof followedPrimary>;

/** A path that a mount of the cluster alone gave up to a replicated one, and where it is now. */
const renamedMount = z.object({
  /** With the namespace, as is `former_path`. */
  path: z.string(),
  former_path: z.string(),
  time,
});
export type RenamedMount = z.output<typeof renamedMount>;
/** Those that the caller may reach; null where the server doesn't tell. */
const renamedMounts = z.nullable(z.array(renamedMount));

const everywhere = {
  /** Whether a token of the caller's was used: without one, servers tell less. */
  signed_in: z.boolean(),
  /** Null without a token too. */
  may: replicationMay,
};

export const unsupportedReplication = z.object({
  /** The server has no replication. */
  mode: z.literal('unsupported'),
  ...everywhere,
});

export const disabledReplication = z.object({
  mode: z.literal('disabled'),
  /** False for an edition without replication; null where that can't be known. */
  can_replicate: z.nullable(z.boolean()),
  ...everywhere,
});

export const primaryReplication = z.object({
  mode: z.literal('primary'),
  cluster_id: text,
  /** What it gives to secondaries; null too where it gives what is configured. */
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
  /** The identifier that it was activated under. */
  secondary_id: text,
  /** Null where it follows none: it was demoted, or has forgotten its primary. */
  primary: z.nullable(followedPrimary),
  /** `denied`: it was revoked, or its certificate is refused. */
  connection: z.enum(['ready', 'connecting', 'disconnected', 'denied', 'unknown']),
  /** Why it last failed to connect, in the server's words. */
  connection_problem: text,
  /** `receiving`: all records come once more, and what is here is a mixture until they are. */
  sync: z.enum(['streaming', 'receiving', 'idle', 'unknown']),
  /** The number of the last entry that it has. */
  last_seq: count,
  /** When it last began to follow. */
  last_start: time,
  /** False while it receives all records. */
  whole: z.nullable(z.boolean()),
  /** Whether it was the primary and goes on serving what it has, until it follows another one. */
  demoted: z.nullable(z.boolean()),
  /** Those that may still fetch what a demoted primary has. Null of any other. */
  secondaries: z.nullable(z.array(replicationSecondary)),
  renamed_mounts: renamedMounts,
  ...heartbeat,
  ...everywhere,
});

/** What a cluster is in replication. */
export const replicationStatus = z.discriminatedUnion('mode', [
  unsupportedReplication,
  disabledReplication,
  primaryReplication,
  secondaryReplication,
]);
export type ReplicationStatus = z.output<typeof replicationStatus>;
export type ReplicationMode = ReplicationStatus['mode'];
export type PrimaryReplication = z.output<typeof primaryReplication>;
export type SecondaryReplication = z.output<typeof secondaryReplication>;
export type DisabledReplication = z.output<typeof disabledReplication>;

/** A change of what the cluster is in replication, or one that was refused. */
export const replicationTransition = z.object({
  time: z.string(),
  /** `primary/enable`, `secondary/promote`: the last part of the server's path. */
  operation: z.string(),
  /** The modes before and after; null where it doesn't tell. */
  from: text,
  to: text,
  outcome: z.enum(['done', 'refused', 'failed', 'unknown']),
  /** Who asked for it, by the display name of their token. */
  by: text,
  /** Why it was refused or failed. */
  why: text,
  /** What the server said about what was under way, or left behind. */
  warnings: z.array(z.string()),
});
export type ReplicationTransition = z.output<typeof replicationTransition>;

/** A write that this cluster accepted and that its new primary never had. */
export const lostWrite = z.object({
  /** Its place in the list: later ones have higher numbers. Null where the server doesn't tell. */
  id: z.nullable(z.int()),
  seq: z.int(),
  /** When it was written. */
  time: z.string(),
  /** When it was found to be lost. */
  found_time: z.string(),
  /** What it wrote, without values: `secret/db version 3`. */
  records: z.array(z.string()),
});
export type LostWrite = z.output<typeof lostWrite>;

/** Lost writes, the newest first. */
export const lostWritePage = z.object({
  /** Null where the server keeps none. */
  items: z.nullable(z.array(lostWrite)),
  /** How many there are on all pages; null where the server doesn't tell. */
  total: count,
});
export type LostWritePage = z.output<typeof lostWritePage>;

/** What the console last read of a cluster that it could read. */
export const lastKnownCluster = z.object({
  /** When that was. */
  time: z.string(),
  mode: z.enum(['unsupported', 'disabled', 'primary', 'secondary']),
  cluster_id: text,
  /** Of a primary: what it gave to secondaries. */
  cluster_address: text,
});
export type LastKnownCluster = z.output<typeof lastKnownCluster>;

/** A keyed digest of all that is replicated, at one position. */
export const replicationDigest = z.object({
  /** The last entry that it includes. */
  seq: z.int(),
  /** The primary's term in which that was written; empty where there is none. */
  epoch: z.string(),
  digest: z.string(),
  records: z.int(),
});
export type ReplicationDigest = z.output<typeof replicationDigest>;

/** One of two clusters that are compared. */
export const comparedCluster = z.object({
  environment: z.string(),
  mode: z.enum(['unsupported', 'disabled', 'primary', 'secondary']),
  cluster_id: text,
  /** The number of its last entry. */
  seq: count,
  /** Null where the server has no digests, or the caller may not read them. */
  digest: z.nullable(replicationDigest),
});
export type ComparedCluster = z.output<typeof comparedCluster>;

export const replicationComparison = z.object({
  /** The cluster of the address, then the other one. */
  clusters: z.tuple([comparedCluster, comparedCluster]),
  /** The secondary's identifier, where the primary's digest is that of what its filter lets through. */
  filtered_for: text,
  /** Whether both have the same records at the same position; null where they are at different ones, or digests are missing. */
  same: z.nullable(z.boolean()),
  /** Entries of the first that the second lacks; negative where it has more. */
  behind: count,
});
export type ReplicationComparison = z.output<typeof replicationComparison>;

/** One server of a cluster. */
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
  /** Which of the server's answers tells it; null where none does. */
  source: z.nullable(z.enum(['ha-status', 'raft', 'leader'])),
  /** The cluster's name, as the server tells it. */
  cluster_name: text,
  cluster_id: text,
  nodes: z.array(clusterNode),
});
export type ClusterNodes = z.output<typeof clusterNodes>;

/** What an action has led to. It may still be under way: the status is read until it is what was wanted. */
export const replicationChanged = z.object({
  /** Null where it can't be read at the moment. */
  status: z.nullable(replicationStatus),
  /** What the server said about what is under way, or was left behind. */
  warnings: z.array(z.string()),
  /**
   * Whether the caller is still signed in at the server. A cluster that becomes a secondary ends all of its tokens.
   */
  connected: z.boolean(),
});
export type ReplicationChanged = z.output<typeof replicationChanged>;
