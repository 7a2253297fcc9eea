/**
 * A secrets server's answers about replication and nodes. Values that it omits, or replaces with zero because they are
 * unknown, become null.
 */
import * as z from 'zod/mini';
import { listOf } from './fields.ts';
import { longestSeconds } from './secrets-server.ts';

/** Empty text becomes null. */
const textField = z.pipe(
  z.nullish(z.string()),
  z.transform((value) => value || null),
);
/** A number or its text: real servers send some as text. */
const numberField = z.pipe(
  z.nullish(z.union([z.number(), z.string()])),
  z.transform((value) => {
    const number = value === '' ? NaN : Number(value ?? NaN);
    return Number.isFinite(number) ? number : null;
  }),
);
const countField = z.pipe(
  numberField,
  z.transform((value) => (Number.isSafeInteger(value) ? value : null)),
);
/** A duration in seconds. */
const durationField = z.pipe(
  numberField,
  z.transform((value) => (value === null ? null : Math.min(Math.max(value, 0), longestSeconds))),
);
/** A time; null for none, which real servers send as a time in the year 1. */
const timeField = z.pipe(
  z.nullish(z.string()),
  z.transform((value) => (value === undefined || value === null || !(Date.parse(value) > 0) ? null : value)),
);
const textsField = listOf(z.string());

/** Either side's view of the link. */
const link = {
  last_heartbeat: timeField,
  last_heartbeat_duration_ms: numberField,
  clock_skew_ms: numberField,
  replication_primary_canary_age_ms: numberField,
  lag_entries: countField,
};

const peer = {
  api_address: textField,
  cluster_address: textField,
  connection_status: textField,
  ...link,
};

/** A secondary as its primary reports it. */
const secondary = z.object({
  node_id: z.string(),
  cluster_id: textField,
  applied_wal: countField,
  connected_since: timeField,
  whole: z.nullish(z.boolean()),
  ...peer,
});
export type WireReplicationSecondary = z.output<typeof secondary>;

/** The primary as its secondary reports it. */
const primary = z.object({ cluster_id: textField, ...peer });

/** A local mount whose path a replicated mount took. */
const renamedMount = z.object({ path: z.string(), former_path: z.string(), time: timeField });

/** `GET sys/replication/performance/status`. */
export const replicationStatus = z.object({
  data: z.object({
    mode: z.string(),
    cluster_id: textField,
    primary_cluster_addr: textField,
    state: textField,
    /** Real servers number the entries of each kind of replication separately. */
    last_performance_wal: countField,
    last_wal: countField,
    known_secondaries: textsField,
    secondaries: listOf(secondary),
    secondary_id: textField,
    connection_state: textField,
    sync_state: textField,
    known_primary_cluster_addrs: textsField,
    primaries: listOf(primary),
    primary_cluster_id: textField,
    primary_standing: textField,
    primary_last_wal: countField,
    connection_error: textField,
    whole: z.nullish(z.boolean()),
    demoted: z.nullish(z.boolean()),
    last_remote_wal: countField,
    last_start: timeField,
    renamed_mounts: z.nullish(z.array(renamedMount)),
    ...link,
  }),
});
export type WireReplicationStatus = z.output<typeof replicationStatus>['data'];

/** The answer to a change of state. */
export const replicationChange = z.object({ warnings: textsField });

/** `POST …/primary/secondary-token`: wrapped, or encrypted to a public key. */
export const secondaryToken = z.object({
  wrap_info: z.nullish(
    z.object({ token: z.string(), accessor: textField, ttl: durationField, creation_time: timeField }),
  ),
  data: z.nullish(z.object({ token: z.optional(z.string()) })),
});

/** `POST …/secondary/generate-public-key`. */
export const secondaryPublicKey = z.object({ data: z.object({ secondary_public_key: z.string() }) });

/** `GET …/primary/paths-filter/<id>`; without data or mode if there is no filter. */
export const pathsFilter = z.object({ data: z.nullish(z.object({ mode: textField, paths: textsField })) });

/** `GET …/{primary,secondary}/dynamic-filter/<id>`. */
export const dynamicFilter = z.object({
  data: z.nullish(
    z.object({
      dynamic_filtered_mounts: z.nullish(z.array(z.string())),
      dynamic_filtered_namespaces: z.nullish(z.array(z.string())),
    }),
  ),
});

/** `GET …/digest`. */
export const replicationDigest = z.object({
  data: z.object({ seq: z.int(), epoch: z.nullish(z.string()), digest: z.string(), records: z.int() }),
});

/** `GET …/transitions`. */
export const replicationTransitions = z.object({
  data: z.object({
    transitions: listOf(
      z.object({
        time: z.string(),
        operation: z.string(),
        from: textField,
        to: textField,
        outcome: textField,
        by: textField,
        /** Why it was refused or failed; empty if it succeeded. */
        why: textField,
        warnings: textsField,
      }),
    ),
  }),
});

/** `GET …/lost`. */
export const lostWrites = z.object({
  data: z.object({
    /** Total on all pages. */
    total: countField,
    lost: listOf(
      z.object({
        id: countField,
        seq: z.int(),
        time: z.string(),
        found_time: z.string(),
        records: textsField,
      }),
    ),
  }),
});

/** `DELETE …/lost`. */
export const lostWritesDeleted = z.object({ data: z.nullish(z.object({ deleted: countField })) });

/** `POST …/canary`. */
export const canary = z.object({ data: z.nullish(z.object({ seq: countField })) });

/** `GET sys/ha-status`. */
export const haStatus = z.object({
  data: z.object({
    nodes: listOf(
      z.object({
        hostname: textField,
        api_address: textField,
        cluster_address: textField,
        active_node: z.nullish(z.boolean()),
        last_echo: timeField,
        version: textField,
      }),
    ),
  }),
});

/** `GET sys/storage/raft/configuration`. */
export const raftConfiguration = z.object({
  data: z.object({
    config: z.object({
      servers: listOf(
        z.object({
          node_id: textField,
          address: textField,
          leader: z.nullish(z.boolean()),
          voter: z.nullish(z.boolean()),
        }),
      ),
    }),
  }),
});

/** `GET sys/leader`. */
export const leader = z.object({
  is_self: z.nullish(z.boolean()),
  leader_address: textField,
  leader_cluster_address: textField,
});

/** The cluster's fields of `GET sys/health`. */
export const clusterHealth = z.object({
  version: textField,
  enterprise: z.nullish(z.boolean()),
  cluster_name: textField,
  cluster_id: textField,
  replication_performance_mode: textField,
});

/** `LIST sys/namespaces`. */
export const namespaces = z.object({ data: z.object({ keys: textsField }) });

/** `GET sys/mounts` and `GET sys/auth`, only the fields that filters need. */
export const filteredMounts = z.object({
  data: z.record(
    z.string(),
    z.object({
      type: z.string(),
      description: textField,
      local: z.nullish(z.boolean()),
    }),
  ),
});
