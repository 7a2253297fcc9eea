import { randomBytes } from 'node:crypto';
import { testClock } from '@gatehouse/service-kit/clock';
import { keyRingOfOne } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { openBarrier } from '../store/barrier.ts';
import { cloudStore } from '../store/cloud/cloud-store.ts';
import { openDatabase } from '../store/database.ts';
import { kvStore } from '../store/kv/kv-store.ts';
import { mountTable } from '../store/mounts.ts';
import { namespaceStore } from '../store/namespaces.ts';
import { pluginStore } from '../store/plugins.ts';
import { policyStore } from '../store/policies.ts';
import { openReplicationStore } from '../store/replication/open-replication-store.ts';

/** A secrets server's store with all replicated parts, but without a server. */
export type ReplicatedStore = Awaited<ReturnType<typeof openReplicatedStore>>;

/** Opens a store in a new folder with new keys. */
export async function openReplicatedStore() {
  const folder = temporaryFolder();
  const clock = testClock();
  const store = openDatabase(folder.path);
  const barrier = await openBarrier(store, keyRingOfOne('test', randomBytes(32)), clock.now());
  return {
    clock,
    store,
    barrier,
    kv: kvStore(store, barrier),
    mounts: mountTable(store, []),
    policies: policyStore(store, barrier),
    namespaces: namespaceStore(store),
    plugins: pluginStore(store, barrier),
    cloud: cloudStore(store, barrier),
    replication: openReplicationStore(store, barrier, clock),
    async [Symbol.asyncDispose]() {
      await store.close();
      folder[Symbol.dispose]();
    },
  };
}
