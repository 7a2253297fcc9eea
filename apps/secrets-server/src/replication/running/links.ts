import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { Refusal } from '../../core/refusal.ts';
import type { Barrier } from '../../store/barrier.ts';
import type { PathsFilter, ReplicationStore } from '../../store/replication/replication-store.ts';
import { follow } from '../link/follow.ts';
import { servePrimary } from '../link/serve.ts';
import type {
  FollowOptions,
  Following,
  ForwardedAnswer,
  ForwardedRequest,
  SecondaryCredentials,
  SecondaryRecord,
  Serving,
} from '../link/types.ts';
import type { ClusterListener, Role, SecondaryRole, ServingRole } from '../role/role.ts';
import type { Secondaries } from './secondaries.ts';

/** The time limits of replication in milliseconds; the defaults suit real networks. */
export interface ReplicationTimes {
  readonly heartbeat?: number;
  /** How long the other side may be silent; by default three heartbeats for a primary, four for a secondary. */
  readonly deadline?: number;
  /** The pauses between attempts to reach the primary. */
  readonly retry?: { readonly first: number; readonly most: number };
  /** How long a primary may take to answer a ping. */
  readonly ping?: number;
  /** The total time of a role change's external calls: files, the primary's API and its cluster addresses. */
  readonly wait?: number;
}

export interface LinkOptions {
  readonly store: ReplicationStore;
  readonly secondaries: Secondaries;
  readonly listener: ClusterListener;
  readonly apiAddress: () => string;
  readonly barrier: Pick<Barrier, 'hash'>;
  /** Runs a forwarded write. @param filter of the secondary, which applies to its writes too */
  readonly answer: (
    secondary: SecondaryRecord,
    request: ForwardedRequest,
    filter: PathsFilter | undefined,
  ) => Promise<Omit<ForwardedAnswer, 'seq'>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly times: ReplicationTimes;
}

/** Opens the cluster port. @throws Refusal 400 if the port can't be used; also whatever `prepare` throws */
export async function serve(
  { secondaries, store, listener, answer, clock, log, times }: LinkOptions,
  mode: Role['mode'],
  { identity, port }: ServingRole,
  prepare: (port: number) => Promise<void>,
): Promise<Serving> {
  let isOpen = false;
  try {
    return await servePrimary({
      identity,
      host: listener.host,
      port: listener.port === 0 ? port : listener.port,
      store,
      book: secondaries,
      standing: mode === 'primary' ? 'primary' : 'demoted',
      prepare(opened) {
        isOpen = true;
        return prepare(opened);
      },
      forward: (secondary, request) => answer(secondary, request, secondaries.filter(secondary)),
      clock,
      log,
      ...timesOf(times),
    });
  } catch (error) {
    if (isOpen) throw error;
    throw new Refusal(400, [
      `the cluster port cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    ]);
  }
}

/** Follows the primary of the given credentials. */
export function followPrimary(
  { store, apiAddress, barrier, clock, log, times }: LinkOptions,
  { clusterId, filterHash }: SecondaryRole,
  credentials: SecondaryCredentials,
  own: Pick<FollowOptions, 'onFilter'> & { readonly clusterAddress: () => string },
): Following {
  // Differs for each primary, so that none can use it at another.
  const clusterProof = barrier.hash('replication', `cluster ${clusterId} at ${credentials.primaryClusterId}`);
  return follow({
    credentials,
    own: () => ({
      clusterId,
      apiAddress: apiAddress(),
      clusterAddress: own.clusterAddress(),
      clusterProof,
    }),
    filterHash,
    onFilter: own.onFilter,
    onLost: async (count) => {
      log.warn('writes lost that the new primary never had', { count });
    },
    store,
    clock,
    log,
    ...timesOf(times),
    ...(times.retry !== undefined && { retryMs: times.retry }),
  });
}

function timesOf({
  heartbeat,
  deadline,
}: ReplicationTimes): Pick<FollowOptions, 'heartbeatMs' | 'deadlineMs'> {
  return {
    ...(heartbeat !== undefined && { heartbeatMs: heartbeat }),
    ...(deadline !== undefined && { deadlineMs: deadline }),
  };
}
