import type { Answer, Request, Route } from '../../core/backend.ts';
import type { Context } from '../../core/context.ts';
import { wireTime } from '../../core/time.ts';
import { isWrappedCaller } from '../../identity/wrapped-caller.ts';
import type { FollowState, SecondaryState } from '../../replication/link/types.ts';
import type { ReplicationView } from '../../replication/replication.ts';
import type { PrimaryRole, SecondaryRole } from '../../replication/role/role.ts';
import { nameOf } from '../../replication/running/secondaries.ts';
import type { KnownSecondary } from '../../replication/running/secondaries.ts';
import { addressWire } from './address-wire.ts';

type Wire = Readonly<Record<string, unknown>>;

/**
 * sys/replication/status and sys/replication/performance/status: the public part reports this cluster's role; callers
 * with a token also see its progress and that of other clusters. Unknown values are null.
 */
export function replicationStatusRoutes({ replication, authorizer }: Context): Route[] {
  const open = { withoutToken: true, tokenWelcome: true };
  const performance = ({ caller }: Request): Wire => {
    const signedIn = caller !== undefined && !isWrappedCaller(caller);
    const status = statusWire(replication.view, signedIn);
    if (!signedIn || status['mode'] === 'disabled') return status;
    return {
      ...status,
      // Lists a renamed mount only if the caller can reach its current or former path.
      renamed_mounts: replication.store
        .renamed()
        .filter(({ namespace, path, formerPath }) =>
          [path, formerPath].some((place) => authorizer.reaches(caller, namespace, place)),
        )
        .map(({ namespace, path, formerPath, time }) => ({
          path: namespace + path,
          former_path: namespace + formerPath,
          time: timeWire(time),
        })),
    };
  };
  return [
    {
      ...open,
      path: 'replication/status',
      operations: {
        read: (request): Answer => ({
          data: { dr: { mode: 'disabled' }, performance: performance(request) },
          repeatData: true,
        }),
      },
    },
    {
      ...open,
      path: 'replication/performance/status',
      operations: { read: (request): Answer => ({ data: performance(request), repeatData: true }) },
    },
  ];
}

function statusWire(view: ReplicationView, signedIn: boolean): Wire {
  const { role } = view;
  if (role.mode === 'disabled') return { mode: role.mode };
  return role.mode === 'primary' ? primaryWire(view, role, signedIn) : secondaryWire(view, role, signedIn);
}

function primaryWire(view: ReplicationView, role: PrimaryRole, signedIn: boolean): Wire {
  return {
    cluster_id: role.clusterId,
    known_secondaries: view.known.map(nameOf),
    last_wal: view.position.seq,
    // Digests are keyed, expensive and require a token, so they have their own operation.
    merkle_root: '',
    mode: role.mode,
    primary_cluster_addr: addressWire(view.clusterAddress),
    secondaries: secondariesWire(view, signedIn),
    state: 'running',
    ...(signedIn && { epoch: epochOf(view) }),
  };
}

function secondariesWire({ known, connected }: ReplicationView, signedIn: boolean): readonly Wire[] {
  return known.map((secondary) =>
    secondaryOfPrimaryWire(
      secondary,
      connected.find(({ id }) => id === secondary.id),
      signedIn,
    ),
  );
}

function secondaryOfPrimaryWire(
  known: KnownSecondary,
  state: SecondaryState | undefined,
  signedIn: boolean,
): Wire {
  const { apiAddress, clusterAddress, lastHeartbeat, appliedSeq, clusterId } = state ?? known;
  return {
    node_id: nameOf(known),
    api_address: apiAddress,
    cluster_address: addressWire(clusterAddress),
    connection_status: state?.connected === true ? 'connected' : 'disconnected',
    last_heartbeat: timeWire(lastHeartbeat),
    ...(signedIn && {
      cluster_id: clusterId ?? null,
      // A secondary's position is unknown until its first heartbeat.
      applied_wal: lastHeartbeat === undefined ? null : (appliedSeq ?? null),
      connected_since: timeWire(state?.connectedSince),
      last_heartbeat_duration_ms: millisecondsWire(state?.lastHeartbeatDurationMs),
      clock_skew_ms: millisecondsWire(state?.clockSkewMs),
      replication_primary_canary_age_ms: state?.canaryAgeMs ?? null,
      lag_entries: lastHeartbeat === undefined ? null : (state?.lagEntries ?? null),
      whole: state?.whole ?? null,
    }),
  };
}

function secondaryWire(view: ReplicationView, role: SecondaryRole, signedIn: boolean): Wire {
  const { credentials, demoted } = role;
  const { follow, position } = view;
  const addresses = (credentials?.addresses ?? []).map(addressWire);
  const address = follow?.address === undefined ? (addresses[0] ?? '') : addressWire(follow.address);
  return {
    cluster_id: role.clusterId,
    connection_state: connectionWire(follow),
    known_primary_cluster_addrs: addresses,
    // A cluster has no position before its first snapshot.
    last_remote_wal: position.history.length === 0 ? null : position.seq,
    last_start: timeWire(follow?.connectedSince),
    mode: role.mode,
    primaries: credentials === undefined ? [] : [primaryOfSecondaryWire(role, follow, address, signedIn)],
    primary_cluster_addr: address,
    // Public, because the primary's status is too, and consoles recognize replicas by it.
    primary_cluster_id: credentials?.primaryClusterId ?? null,
    secondary_id: credentials === undefined ? '' : nameOf(credentials),
    state: stateWire(follow),
    ...(signedIn && {
      ...linkWire(follow),
      primary_standing: follow?.primaryStanding ?? null,
      primary_last_wal: follow?.primarySeq ?? null,
      sync_state: follow?.sync ?? 'idle',
      whole: view.whole,
      epoch: epochOf(view),
      connection_error: follow?.why ?? null,
      demoted: demoted !== undefined,
      // For a demoted primary: the secondaries that may still fetch its entries.
      ...(demoted !== undefined && {
        cluster_addr: addressWire(view.clusterAddress),
        known_secondaries: view.known.map(nameOf),
        secondaries: secondariesWire(view, signedIn),
      }),
    }),
  };
}

function primaryOfSecondaryWire(
  role: SecondaryRole,
  follow: FollowState | undefined,
  address: string,
  signedIn: boolean,
): Wire {
  return {
    api_address: role.primaryApiAddress,
    cluster_address: address,
    connection_status: follow?.connection === 'ready' ? 'connected' : 'disconnected',
    last_heartbeat: timeWire(follow?.lastHeartbeat),
    ...(signedIn && { ...linkWire(follow), cluster_id: role.credentials?.primaryClusterId ?? null }),
  };
}

function linkWire(follow: FollowState | undefined): Wire {
  return {
    last_heartbeat: timeWire(follow?.lastHeartbeat),
    last_heartbeat_duration_ms: millisecondsWire(follow?.lastHeartbeatDurationMs),
    clock_skew_ms: millisecondsWire(follow?.clockSkewMs),
    replication_primary_canary_age_ms: follow?.canaryAgeMs ?? null,
    lag_entries: follow?.lagEntries ?? null,
  };
}

/** Rounds milliseconds to microseconds; null if unknown. */
function millisecondsWire(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms * 1000) / 1000;
}

/** The name of a gRPC channel state, or `denied` for a refused connection. */
function connectionWire(follow: FollowState | undefined): string {
  if (follow === undefined) return 'idle';
  return follow.connection === 'disconnected' ? 'transient_failure' : follow.connection;
}

function stateWire(follow: FollowState | undefined): string {
  if (follow?.sync === 'stream') return 'stream-wals';
  return follow?.sync === 'snapshot' ? 'merkle-sync' : 'idle';
}

function epochOf({ position }: ReplicationView): string | null {
  return position.history.at(-1)?.id ?? null;
}

function timeWire(ms: number | undefined): string | null {
  return ms === undefined ? null : wireTime(ms);
}
