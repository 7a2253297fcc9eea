import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { Refusal } from '../core/refusal.ts';
import type { ReplicationRecords } from '../store/replication/record-store.ts';
import type { ReplicationStore } from '../store/replication/replication-store.ts';
import { follow } from './link/follow.ts';
import { servePrimary } from './link/serve.ts';
import type { Following, ForwardedAnswer, ForwardedRequest, Serving, SecondaryRecord } from './link/types.ts';
import { disabled } from './role.ts';
import type { ClusterListener, Role, SecondaryRole, ServingRole } from './role.ts';
import type { Secondaries } from './secondaries.ts';

/** How patient replication is, in milliseconds; as networks need it unless given. */
export interface ReplicationTimes {
  readonly heartbeat?: number;
  /** How long a primary may be silent; three heartbeats unless given. */
  readonly deadline?: number;
  /** Pauses between attempts to reach the primary. */
  readonly retry?: { readonly first: number; readonly most: number };
  /** How long a primary may take to answer a ping. */
  readonly ping?: number;
}

/** What a cluster's part in replication runs with. */
export interface RuntimeOptions {
  readonly store: ReplicationStore;
  readonly records: ReplicationRecords;
  readonly secondaries: Secondaries;
  readonly listener: ClusterListener;
  readonly apiAddress: () => string;
  /** Carries out what a secondary passes on. */
  readonly answer: (
    secondary: SecondaryRecord,
    request: ForwardedRequest,
  ) => Promise<Omit<ForwardedAnswer, 'seq'>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly times: ReplicationTimes;
}

/** A cluster's part in replication, and what runs because of it. */
export interface Runtime {
  readonly role: Role;
  readonly serving: Serving | undefined;
  readonly following: Following | undefined;
  /** `host:port` where others reach it; empty while its port is closed and none was given. */
  clusterAddress(): string;
  /** Keeps a role and runs what belongs to it; what ran before has ended. @throws Refusal 400 when its port cannot be used */
  take(role: Role): Promise<void>;
  /** Changes something of a secondary's role that does not change what runs. */
  amend(change: Partial<SecondaryRole>): Promise<void>;
  /** Becomes a secondary at this very write, and goes on serving what it has. */
  demote(role: SecondaryRole): Promise<void>;
  /** Ends what runs; the role stays. */
  stop(): Promise<void>;
  /** Runs what belongs to the role again, and tries for as long as its port cannot be used. */
  start(): Promise<void>;
}

/** Pause before a port is tried again that something else uses, in milliseconds. */
const portRetryMs = 5000;

/** Runs by what the store holds. */
export function openRuntime(options: RuntimeOptions): Runtime {
  const { store, records, secondaries, listener, apiAddress, answer, clock, log, times } = options;
  const heartbeat = times.heartbeat === undefined ? {} : { heartbeatMs: times.heartbeat };
  let role = (records.read('role') as Role | undefined) ?? disabled;
  let serving: Serving | undefined;
  let following: Following | undefined;
  let portRetry: NodeJS.Timeout | undefined;

  const captureOf = ({ mode }: Role) =>
    mode === 'primary' ? 'keep' : mode === 'secondary' ? 'refuse' : 'off';
  const servingRole = (): ServingRole | undefined =>
    role.mode === 'primary' ? role : role.mode === 'secondary' ? role.demoted : undefined;
  const clusterAddress = (): string => {
    const given = servingRole()?.clusterAddress || listener.address;
    if (given !== undefined && given !== '') return given;
    return serving === undefined
      ? ''
      : `${listener.host.includes(':') ? `[${listener.host}]` : listener.host}:${serving.port}`;
  };
  const save = async (next: Role): Promise<void> => {
    await records.save('role', next);
    role = next;
  };
  const amend = async (change: Partial<SecondaryRole>): Promise<void> => {
    if (role.mode === 'secondary') await save({ ...role, ...change });
  };

  const serve = async ({ identity, port }: ServingRole): Promise<void> => {
    serving = await servePrimary({
      identity,
      host: listener.host,
      port: listener.port === 0 ? port : listener.port,
      store,
      book: secondaries,
      standing: role.mode === 'primary' ? 'primary' : 'demoted',
      forward: answer,
      clock,
      log,
      ...heartbeat,
    });
    if (serving.port === port) return;
    // The same one is taken next time: secondaries know it.
    if (role.mode === 'primary') await save({ ...role, port: serving.port });
    else if (role.mode === 'secondary' && role.demoted !== undefined)
      await save({ ...role, demoted: { ...role.demoted, port: serving.port } });
  };
  const followPrimary = (secondary: SecondaryRole): void => {
    const { credentials, clusterId, filterHash } = secondary;
    if (credentials === undefined) return;
    const isCurrent = (): boolean => role.mode === 'secondary' && role.credentials === credentials;
    following = follow({
      credentials,
      own: () => ({ clusterId, apiAddress: apiAddress(), clusterAddress: clusterAddress() }),
      filterHash,
      onFilter: async (filter, hash) => {
        if (!isCurrent() || role.mode !== 'secondary') return;
        const { filter: _, ...rest } = role;
        await save({ ...rest, filterHash: hash, ...(filter !== undefined && { filter }) });
      },
      onLost: async (count) => {
        log.warn('writes were lost: the new primary never had them', { count });
      },
      store,
      clock,
      log,
      ...heartbeat,
      ...(times.deadline !== undefined && { deadlineMs: times.deadline }),
      ...(times.retry !== undefined && { retryMs: times.retry }),
    });
  };
  const run = async (): Promise<void> => {
    store.capture = captureOf(role);
    const serves = servingRole();
    if (serves !== undefined) await serve(serves);
    if (role.mode === 'secondary') followPrimary(role);
  };
  const stop = async (): Promise<void> => {
    clearTimeout(portRetry);
    const [server, follower] = [serving, following];
    serving = undefined;
    following = undefined;
    await Promise.all([server?.close(), follower?.close()]);
  };
  const start = async (): Promise<void> => {
    if (serving !== undefined || following !== undefined) return;
    // What is here may be of a backup: nothing that is written from now on may pass for what was written after it before.
    if (role.mode === 'primary') await store.beginEpoch(false);
    try {
      await run();
    } catch (error) {
      log.error('the cluster port cannot be used; it is tried again', { error });
      portRetry = setTimeout(() => void start(), portRetryMs).unref();
    }
  };
  // Nothing is written past replication between the opening of the store and `start`.
  store.capture = captureOf(role);

  return {
    get role() {
      return role;
    },
    get serving() {
      return serving;
    },
    get following() {
      return following;
    },
    clusterAddress,
    async take(next) {
      await save(next);
      try {
        await run();
      } catch (error) {
        throw new Refusal(400, [
          `the cluster port cannot be used: ${error instanceof Error ? error.message : String(error)}`,
        ]);
      }
    },
    amend,
    async demote(next) {
      store.capture = captureOf(next);
      try {
        await save(next);
      } finally {
        store.capture = captureOf(role);
      }
      serving?.demote();
    },
    stop,
    start,
  };
}
