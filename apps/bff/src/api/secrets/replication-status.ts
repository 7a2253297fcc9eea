/** A cluster's replication status in the console's format. What a server doesn't report is null. */
import type {
  DisabledReplication,
  PrimaryReplication,
  ReplicationMay,
  ReplicationSecondary,
  ReplicationStatus,
  SecondaryReplication,
} from '@gatehouse/api-types/console/replication-status';
import type {
  WireReplicationSecondary,
  WireReplicationStatus,
} from '@gatehouse/api-types/services/secrets-replication';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import { serviceToken, type ServiceCall } from '#session/service-token.ts';
import { callAs, type SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { readClusterHealth } from '#upstreams/secrets-server/cluster-nodes.ts';
import { listTransitions, readStatus } from '#upstreams/secrets-server/replication.ts';
import { ServiceError } from '#upstreams/service-error.ts';
import { askedBy } from '#upstreams/transport.ts';
import { secretsCaller } from './caller.ts';
import { mayReplicate } from './replication-rights.ts';

/** Whether the caller is signed in, and what they may do. */
interface Reader {
  readonly signed_in: boolean;
  readonly may: ReplicationMay;
}

/** Calls the server without a token, in its root namespace. */
function anonymousCaller(context: Context, { params, caller }: ServiceCall): SecretsCaller {
  const server = askedBy(caller, context.directory.secrets(params.environment));
  return callAs({ ...server, namespace: undefined }, { signal: caller.signal });
}

/**
 * The replication status of a call's environment, read with the user's token or, without one, anonymously.
 * @throws ProblemError `not-found` if the environment has no secrets server; ServiceError if it doesn't respond
 */
export async function readReplication(context: Context, call: ServiceCall): Promise<ReplicationStatus> {
  try {
    const caller = await secretsCaller(context, call);
    const [told, may] = await Promise.all([readStatus(caller), mayReplicate(caller)]);
    return await statusOf(caller, told, { signed_in: true, may }, context.clock.now());
  } catch (error) {
    if (!isAboutCaller(error)) throw error;
  }
  const nobody = anonymousCaller(context, call);
  const reader: Reader = { signed_in: await isSignedIn(context, call), may: null };
  try {
    return await statusOf(nobody, await readStatus(nobody), reader, context.clock.now());
  } catch (error) {
    // A server with replication shows its status to everyone.
    if (isAboutCaller(error)) return { mode: 'unsupported', ...reader };
    throw error;
  }
}

/** Whether a request without a token, or in the root namespace, might succeed. */
function isAboutCaller(error: unknown): boolean {
  return (
    error instanceof ProblemError && ['not-connected', 'forbidden', 'invalid-request'].includes(error.code)
  );
}

async function isSignedIn(context: Context, call: ServiceCall): Promise<boolean> {
  try {
    await serviceToken(context, call, 'secrets');
    return true;
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'not-connected') return false;
    throw error;
  }
}

async function statusOf(
  caller: SecretsCaller,
  told: WireReplicationStatus | null,
  reader: Reader,
  now: number,
): Promise<ReplicationStatus> {
  if (told === null) return { mode: 'unsupported', ...reader };
  switch (told.mode) {
    case 'disabled':
      return disabled(await canReplicate(caller, reader), reader);
    case 'primary':
      return primary(told, reader, now);
    case 'secondary':
      return secondary(told, reader, now);
    default: {
      const { environment, service } = caller.transport;
      throw new ServiceError(
        'service-unavailable',
        'The secrets server is changing its replication role. Try again in a moment.',
        { environment, service },
        { delivery: 'answered', status: 200 },
      );
    }
  }
}

function disabled(can_replicate: boolean | null, reader: Reader): DisabledReplication {
  return { mode: 'disabled', can_replicate, ...reader };
}

/** Whether a server with replication disabled could enable it. Editions differ, and not all servers report theirs. */
async function canReplicate(caller: SecretsCaller, { signed_in }: Reader): Promise<boolean | null> {
  const health = await readClusterHealth(caller);
  if (health?.enterprise === true || /\+ent/.test(health?.version ?? '')) return true;
  if (!signed_in) return null;
  try {
    return (await listTransitions(caller)) !== null;
  } catch (error) {
    if (isAboutCaller(error)) return null;
    throw error;
  }
}

function primary(told: WireReplicationStatus, reader: Reader, now: number): PrimaryReplication {
  return {
    mode: 'primary',
    cluster_id: told.cluster_id,
    primary_cluster_addr: told.primary_cluster_addr,
    last_seq: told.last_performance_wal ?? told.last_wal,
    secondaries: secondariesOf(told, now),
    renamed_mounts: told.renamed_mounts ?? null,
    ...reader,
  };
}

/** All secondaries that the server knows, with or without details. */
function secondariesOf(told: WireReplicationStatus, now: number): ReplicationSecondary[] {
  const seen = new Set(told.secondaries.map(({ node_id }) => node_id));
  return [
    ...told.secondaries.map((one) => secondaryAtPrimary(one, now)),
    ...told.known_secondaries.filter((id) => !seen.has(id)).map(unseenSecondary),
  ].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function secondaryAtPrimary(told: WireReplicationSecondary, now: number): ReplicationSecondary {
  const { connection_status: status } = told;
  return {
    id: told.node_id,
    cluster_id: told.cluster_id,
    api_address: told.api_address,
    cluster_address: told.cluster_address,
    connection: status === 'connected' || status === 'disconnected' ? status : 'unknown',
    connected_since: told.connected_since,
    applied_seq: told.applied_wal,
    whole: told.whole ?? null,
    ...linkOf(told, now),
  };
}

/** A secondary of which the primary knows only the identifier. */
function unseenSecondary(id: string): ReplicationSecondary {
  return {
    id,
    cluster_id: null,
    api_address: null,
    cluster_address: null,
    connection: 'unknown',
    connected_since: null,
    applied_seq: null,
    whole: null,
    heartbeat_age_ms: null,
    last_heartbeat_duration_ms: null,
    clock_skew_ms: null,
    canary_age_ms: null,
    lag_entries: null,
  };
}

type Link = Pick<
  WireReplicationStatus,
  | 'last_heartbeat'
  | 'last_heartbeat_duration_ms'
  | 'clock_skew_ms'
  | 'replication_primary_canary_age_ms'
  | 'lag_entries'
>;

/** Until the first heartbeat the values are unknown, even if the server reports zeros. */
function linkOf(told: Link, now: number) {
  const { last_heartbeat: last } = told;
  const known = last !== null;
  return {
    heartbeat_age_ms: known ? Math.max(0, now - Date.parse(last)) : null,
    last_heartbeat_duration_ms: known ? told.last_heartbeat_duration_ms : null,
    clock_skew_ms: known ? told.clock_skew_ms : null,
    canary_age_ms: known ? told.replication_primary_canary_age_ms : null,
    lag_entries: known ? told.lag_entries : null,
  };
}

function secondary(told: WireReplicationStatus, reader: Reader, now: number): SecondaryReplication {
  const [peer] = told.primaries;
  const addresses = told.known_primary_cluster_addrs;
  const address = told.primary_cluster_addr ?? peer?.cluster_address ?? null;
  const follows = address !== null || addresses.length > 0;
  return {
    mode: 'secondary',
    cluster_id: told.cluster_id,
    secondary_id: told.secondary_id,
    primary: follows
      ? {
          cluster_id: told.primary_cluster_id ?? peer?.cluster_id ?? null,
          api_address: peer?.api_address ?? null,
          cluster_address: address,
          known_addresses: addresses,
          standing: standings[told.primary_standing ?? ''] ?? null,
          last_seq: told.primary_last_wal,
        }
      : null,
    connection: (follows ? connections[told.connection_state ?? ''] : undefined) ?? 'unknown',
    connection_problem: told.connection_error,
    sync: syncs[told.sync_state ?? ''] ?? syncs[told.state ?? ''] ?? 'unknown',
    last_seq: told.last_remote_wal,
    last_start: told.last_start,
    whole: told.whole ?? null,
    demoted: told.demoted ?? null,
    secondaries: told.demoted === true ? secondariesOf(told, now) : null,
    renamed_mounts: told.renamed_mounts ?? null,
    // Vault reports these values as the primary's.
    ...linkOf(told.last_heartbeat === null && peer !== undefined ? peer : told, now),
    ...reader,
  };
}

const standings: Readonly<Record<string, 'primary' | 'demoted'>> = { primary: 'primary', demoted: 'demoted' };

/** The servers' names of connection states. */
const connections: Readonly<Record<string, SecondaryReplication['connection']>> = {
  ready: 'ready',
  connected: 'ready',
  connecting: 'connecting',
  idle: 'connecting',
  disconnected: 'disconnected',
  'transient-failure': 'disconnected',
  transient_failure: 'disconnected',
  shutdown: 'disconnected',
  denied: 'denied',
};

/** The servers' names of synchronization states. */
const syncs: Readonly<Record<string, SecondaryReplication['sync']>> = {
  stream: 'streaming',
  'stream-wals': 'streaming',
  snapshot: 'receiving',
  'merkle-diff': 'receiving',
  'merkle-sync': 'receiving',
  idle: 'idle',
};
