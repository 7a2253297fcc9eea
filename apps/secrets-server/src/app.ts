import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AccountStore } from '@gatehouse/service-kit/accounts';
import { systemClock } from '@gatehouse/service-kit/clock';
import type { Clock } from '@gatehouse/service-kit/clock';
import { silentLog } from '@gatehouse/service-kit/log';
import type { Log } from '@gatehouse/service-kit/log';
import { keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import type { KeyRing } from '@gatehouse/service-kit/secret-box';
import type { Service } from '@gatehouse/service-kit/service';
import { tokenBackend } from './auth/token/backend.ts';
import { userpassBackend } from './auth/userpass/backend.ts';
import type { Backend } from './core/backend.ts';
import type { Context } from './core/context.ts';
import type { Mount } from './core/mount.ts';
import { backendOf } from './core/routes.ts';
import { version } from './core/version.ts';
import { cloudBackend } from './engines/cloud/backend.ts';
import { openCloudEngine } from './engines/cloud/engine.ts';
import type { Engine } from './engines/cloud/engine.ts';
import { writeCloudSeed } from './engines/cloud/seed.ts';
import type { CloudSeed } from './engines/cloud/seed.ts';
import { cloudTimes } from './engines/cloud/times.ts';
import type { CloudTimes } from './engines/cloud/times.ts';
import { kvBackend } from './engines/kv/backend.ts';
import { errorBody } from './http/envelope.ts';
import { answerForwarded, requestHandler } from './http/handler.ts';
import type { Pipeline } from './http/pipeline.ts';
import { openIdentity } from './identity/identity.ts';
import type { Identity } from './identity/identity.ts';
import { pluginCatalog } from './plugins/catalog.ts';
import { pluginFiles } from './plugins/plugin-files.ts';
import { openReplication } from './replication/replication.ts';
import type { ClusterListener } from './replication/role/role.ts';
import type { ReplicationTimes } from './replication/running/links.ts';
import { openBarrier } from './store/barrier.ts';
import { cloudStore } from './store/cloud/cloud-store.ts';
import { openCluster } from './store/cluster.ts';
import { openDatabase } from './store/database.ts';
import { kvStore } from './store/kv/kv-store.ts';
import type { KvStore } from './store/kv/kv-store.ts';
import { defaultConfig, mountTable } from './store/mounts.ts';
import type { FixedMount } from './store/mounts.ts';
import { pluginStore } from './store/plugins.ts';
import { openReplicationStore } from './store/replication/open-replication-store.ts';
import { healthRoute } from './sys/health.ts';
import { identityRoutes } from './sys/identity.ts';
import { mountRoutes } from './sys/mounts.ts';
import { catalogRoutes } from './sys/plugins/catalog.ts';
import { pinRoutes } from './sys/plugins/pins.ts';
import { reloadRoutes } from './sys/plugins/reload.ts';
import { replicationRoutes } from './sys/replication/routes.ts';
import { rotateRoutes } from './sys/rotate.ts';
import { sealRoutes } from './sys/seal.ts';
import { statusRoutes } from './sys/status.ts';
import { uiMountRoutes } from './sys/ui-mounts.ts';

export interface SecretsServerOptions {
  /** The folder of secrets-server.db; created if missing. */
  readonly dataDir: string;
  /** The accounts that the embedded services share. The caller must close them. */
  readonly accounts: AccountStore;
  readonly clock?: Clock;
  readonly log?: Log;
  /** The content of an empty store; by default only `secret/`. */
  readonly seed?: Seed;
  /** The root key; by default from secrets-server-keys.json in the data folder. Sealing wipes the ring. */
  readonly keys?: KeyRing;
  /**
   * The environment variables with cloud credentials for engines without their own (CLOUD_ACCESS_KEY …); by default the
   * process's.
   */
  readonly cloudEnvironment?: Readonly<Record<string, string | undefined>>;
  /** The intervals and time limits of cloud engines; the defaults suit real providers. */
  readonly cloudTimes?: CloudTimes;
  /**
   * The folder of plugin files, which are compared with their registrations and never run. By default there is none.
   */
  readonly pluginDirectory?: string;
  /** Where a primary listens for secondaries; by default a free port of 127.0.0.1. */
  readonly cluster?: ClusterListener;
  /**
   * The address of the API for clients, as included in activation tokens. A function is called when a token is created,
   * for an address that is not known earlier. Not reported by default.
   */
  readonly apiAddress?: string | (() => string);
  /** The time limits of replication; the defaults suit real networks. */
  readonly replicationTimes?: ReplicationTimes;
}

/** The initial content of an empty store. */
export interface Seed {
  /** Paths of key-value engines, each with a trailing slash. */
  readonly keyValueMounts: readonly string[];
  /** Secrets for the first engine, read while they are stored, so that they need not fit into memory. */
  readonly secrets?: Iterable<SeedSecret>;
  readonly cloudMounts?: readonly CloudSeed[];
}

export interface SeedSecret {
  readonly path: string;
  readonly data: Readonly<Record<string, string>>;
}

const wellKnownSeed: Seed = { keyValueMounts: ['secret/'] };

/** The content of a new installation: every engine at its usual path. */
export const installationSeed: Seed = { ...wellKnownSeed, cloudMounts: [{ path: 'cloud/' }] };

/** The mounts of every namespace. */
const fixedMounts: readonly FixedMount[] = [
  { path: 'sys/', type: 'system', description: 'system endpoints used for control, policy and debugging' },
  { path: 'auth/token/', type: 'token', description: 'token based credentials' },
  { path: 'auth/userpass/', type: 'userpass', description: 'people, with their passwords' },
];

/**
 * Creates the secrets server, which initializes itself at its first start and unseals itself with its root key.
 * @throws StoreRefused if the store can't be opened; KeyRingRefused if the root key can't be used or the store was
 * written under another one
 */
export async function createService(options: SecretsServerOptions): Promise<Service> {
  const { dataDir, accounts, clock = systemClock, log = silentLog, seed = wellKnownSeed } = options;
  const times = options.cloudTimes ?? cloudTimes;
  const { apiAddress: given = '' } = options;
  const apiAddress = typeof given === 'string' ? () => given : given;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const root = options.keys ?? keyRingFromFile(join(dataDir, 'secrets-server-keys.json'));
  const store = openDatabase(dataDir);
  try {
    const barrier = await openBarrier(store, root, clock.now());
    const { cluster, fresh } = await openCluster(store);
    const mounts = mountTable(store, fixedMounts);
    if (fresh) {
      const added: Mount[] = [];
      for (const path of seed.keyValueMounts) {
        const mount = await mounts.add({
          namespace: '',
          path,
          type: 'kv',
          description: 'key/value secret storage',
          options: { version: '2' },
          config: defaultConfig,
        });
        added.push(mount);
      }
      const [first] = added;
      if (first !== undefined && seed.secrets !== undefined) {
        await writeSecrets(kvStore(store, barrier), first.id, seed.secrets, clock.now());
      }
      for (const cloud of seed.cloudMounts ?? [])
        await writeCloudSeed(mounts, cloudStore(store, barrier), cloud);
      log.info('initialized an empty store');
    }
    const identity = await openIdentity({
      store,
      barrier,
      accounts,
      clock,
      log,
      leaseRetry: times.retry,
      sweepInterval: times.sweep,
    });
    const { leases, namespaces, authorizer } = identity;
    // Rights are judged within writes, which fills the caches with what earlier writes of the transaction changed.
    store.onUndone(() => {
      for (const cache of [mounts, identity.policies, identity.tokens]) cache.forget();
    });
    const environment = options.cloudEnvironment ?? process.env;
    const cloud = openCloudEngine({ store, barrier, mounts, leases, clock, log, environment, times });
    const replication = openReplication({
      database: store,
      store: openReplicationStore(store, barrier, clock),
      barrier,
      identity,
      mounts,
      listener: options.cluster ?? { host: '127.0.0.1', port: 0 },
      apiAddress,
      answer: ({ id }, request, filter) => answerForwarded(pipeline, id, request, filter),
      clock,
      log,
      times: options.replicationTimes ?? {},
    });
    const context: Context = {
      version,
      store,
      barrier,
      mounts,
      accounts,
      authorizer,
      namespaces,
      leases,
      plugins: pluginCatalog(pluginStore(store, barrier), pluginFiles(options.pluginDirectory)),
      replication,
      apiAddress,
      clock,
      log,
      cluster,
    };
    const pipeline: Pipeline = {
      sealed: () => barrier.sealed,
      findMount: (namespace, path) => mounts.find(namespace, path),
      backends: backendsOf(context, identity, cloud),
      authorizer,
      namespaces,
      forwarder: replication.forwarder,
      clock,
      log,
    };
    await replication.start();
    return {
      name: 'secrets',
      version,
      listMethod: true,
      handler: requestHandler(pipeline),
      errorBody: ({ message }) => errorBody([message]),
      ready: () => Promise.resolve(store.healthy() && accounts.healthy()),
      async close() {
        await replication.close();
        cloud.providers.close();
        await identity.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The number of secrets stored at a time: each in a transaction, all committed together. */
const seededAtOnce = 2000;

async function writeSecrets(
  kv: KvStore,
  mountId: number,
  secrets: Iterable<SeedSecret>,
  now: number,
): Promise<void> {
  let waiting: Promise<unknown>[] = [];
  for (const { path, data } of secrets) {
    waiting.push(kv.change(mountId, path, now, (key) => key.addVersion(JSON.stringify(data)).version));
    if (waiting.length < seededAtOnce) continue;
    await Promise.all(waiting);
    waiting = [];
  }
  await Promise.all(waiting);
}

/** The backend of each mount type. */
function backendsOf(context: Context, identity: Identity, cloud: Engine): ReadonlyMap<string, Backend> {
  return new Map([
    [
      'system',
      backendOf([
        healthRoute(context),
        ...replicationRoutes(context),
        ...statusRoutes(context),
        ...sealRoutes(context),
        ...rotateRoutes(context),
        ...mountRoutes(context),
        ...uiMountRoutes(context),
        ...catalogRoutes(context),
        ...pinRoutes(context),
        ...reloadRoutes(context),
        ...identityRoutes(identity, context.barrier, context.mounts),
      ]),
    ],
    ['token', tokenBackend(identity)],
    ['userpass', userpassBackend(identity)],
    ['kv', kvBackend(context)],
    ['cloud', cloudBackend(cloud)],
  ]);
}
