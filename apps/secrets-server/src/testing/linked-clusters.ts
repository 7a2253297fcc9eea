import { randomUUID } from 'node:crypto';
import { silentLog } from '@gatehouse/service-kit/log';
import type { Mount } from '../core/mount.ts';
import { createIdentity, issueCredentials } from '../replication/link/certificates.ts';
import { follow } from '../replication/link/follow.ts';
import { servePrimary } from '../replication/link/serve.ts';
import type {
  FollowOptions,
  Following,
  SecondaryCredentials,
  SecondaryRecord,
  ServeOptions,
  Serving,
} from '../replication/link/types.ts';
import type { PathsFilter } from '../store/replication/replication-store.ts';
import { mountAt, put } from './replicated-pair.ts';
import { openReplicatedStore } from './replicated-store.ts';
import type { ReplicatedStore } from './replicated-store.ts';

/** A store with an open cluster port but without a server. */
export interface LinkedPrimary extends AsyncDisposable {
  readonly cluster: ReplicatedStore;
  readonly clusterId: string;
  readonly serving: Serving;
  /** The activated secondaries by ID; deleting a record revokes its secondary. */
  readonly records: Map<string, SecondaryRecord>;
  readonly filters: Map<string, PathsFilter>;
  /** Awaited before a record is saved. */
  beforeSave: (record: SecondaryRecord) => Promise<void>;
  /**
   * Activates a secondary.
   * @param addresses of proxies in front of the cluster port; by default the port's own address
   */
  activate(id: string, ...addresses: string[]): Promise<SecondaryCredentials>;
  /** Closes the port and opens it again. */
  reopen(options?: Partial<ServeOptions>): Promise<void>;
  mountAt(path: string): Promise<Mount>;
  put(mount: Mount, path: string, value: string): Promise<void>;
}

/** Short heartbeats and pauses that even a busy machine can keep. */
export const quick = {
  heartbeatMs: 250,
  deadlineMs: 10_000,
  retryMs: { first: 5, most: 50 },
  log: silentLog,
} as const;

/** Opens a store, or uses an existing one, and serves it. */
export async function openPrimary(
  options: Partial<ServeOptions> = {},
  cluster?: ReplicatedStore,
): Promise<LinkedPrimary> {
  const own = cluster ?? (await openReplicatedStore());
  if (own.replication.capture !== 'keep') {
    await own.policies.ensureInitial('');
    await own.replication.beginEpoch(false);
    own.replication.capture = 'keep';
  }
  const clusterId = randomUUID();
  const identity = await createIdentity(clusterId);
  const records = new Map<string, SecondaryRecord>();
  const filters = new Map<string, PathsFilter>();
  let successor: string | undefined;
  const serve = (more: Partial<ServeOptions>): Promise<Serving> =>
    servePrimary({
      identity,
      host: '127.0.0.1',
      port: 0,
      store: own.replication,
      book: {
        get: (id) => records.get(id),
        async save(record) {
          await self.beforeSave(record);
          if (records.has(record.id)) records.set(record.id, record);
        },
        async claim(record) {
          await self.beforeSave(record);
          if (records.has(record.id)) records.set(record.id, record);
          return [];
        },
        filter: ({ id }) => filters.get(id),
        async allowSuccessor(id) {
          successor ??= id;
          return successor === id;
        },
        async forgetSuccessor(id) {
          if (successor === id) successor = undefined;
        },
      },
      standing: 'primary',
      forward: async () => ({ status: 204, headers: {}, body: '' }),
      clock: own.clock,
      ...quick,
      ...options,
      ...more,
    });
  let serving: Serving;
  const self: LinkedPrimary = {
    cluster: own,
    clusterId,
    get serving() {
      return serving;
    },
    records,
    filters,
    beforeSave: () => Promise.resolve(),
    async activate(id, ...given) {
      const addresses = given.length === 0 ? [`127.0.0.1:${serving.port}`] : given;
      records.set(id, {
        id,
        clusterId: undefined,
        apiAddress: '',
        clusterAddress: '',
        appliedSeq: undefined,
        lastHeartbeat: undefined,
      });
      return issueCredentials(identity, { id, addresses, digestKey: '' });
    },
    async reopen(more = {}) {
      const { port } = serving;
      await serving.close();
      serving = await serve({ port, ...more });
    },
    mountAt: (path) => mountAt(own, path),
    async put(mount, path, value) {
      await put(own, mount, path, value);
    },
    async [Symbol.asyncDispose]() {
      await serving.close();
      if (cluster === undefined) await own[Symbol.asyncDispose]();
    },
  };
  serving = await serve({});
  return self;
}

/** A store that follows a primary. */
export interface LinkedSecondary extends AsyncDisposable {
  readonly cluster: ReplicatedStore;
  readonly following: Following;
  /** The reported filters and lost writes. */
  readonly told: { filters: [PathsFilter | undefined, string][]; lost: number[] };
  /** Stops following and starts again. */
  restart(credentials?: SecondaryCredentials, options?: Partial<FollowOptions>): Promise<void>;
  valueAt(mountPath: string, path: string): string | null | undefined;
}

/** Opens a store, or uses an existing one, and follows a primary. */
export async function openSecondary(
  credentials: SecondaryCredentials,
  options: Partial<FollowOptions> = {},
  cluster?: ReplicatedStore,
): Promise<LinkedSecondary> {
  const own = cluster ?? (await openReplicatedStore());
  own.replication.capture = 'refuse';
  const clusterId = randomUUID();
  const told: LinkedSecondary['told'] = { filters: [], lost: [] };
  let current = credentials;
  const begin = (more: Partial<FollowOptions>): Following =>
    follow({
      credentials: current,
      own: () => ({
        clusterId,
        apiAddress: 'http://secondary',
        clusterAddress: 'secondary:8201',
        clusterProof: '',
      }),
      filterHash: told.filters.at(-1)?.[1] ?? '',
      async onFilter(filter, hash) {
        told.filters.push([filter, hash]);
      },
      async onLost(count) {
        told.lost.push(count);
      },
      store: own.replication,
      clock: own.clock,
      ...quick,
      ...options,
      ...more,
    });
  let following = begin({});
  return {
    cluster: own,
    get following() {
      return following;
    },
    told,
    async restart(next = current, more = {}) {
      await following.close();
      current = next;
      following = begin(more);
    },
    valueAt(mountPath, path) {
      // Queries the store directly, because the mount table is cached.
      const query = own.store.build.selectFrom('mount').select('id').where('path', '=', mountPath).compile();
      return own.kv.read(own.store.get(query)?.id ?? 0, path, 0, own.clock.now())?.data;
    },
    async [Symbol.asyncDispose]() {
      await following.close();
      if (cluster === undefined) await own[Symbol.asyncDispose]();
    },
  };
}
