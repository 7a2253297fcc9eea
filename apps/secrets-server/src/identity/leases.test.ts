import { randomBytes } from 'node:crypto';
import { silentLog } from '@gatehouse/service-kit/log';
import { keyRingOfOne } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import type { Mount } from '../core/mount.ts';
import { openBarrier } from '../store/barrier.ts';
import { openDatabase } from '../store/database.ts';
import { leaseStore } from '../store/leases.ts';
import { defaultConfig, mountTable } from '../store/mounts.ts';
import { leasesOf } from './leases.ts';

/** Leases of an engine that knows its mounts, in a store of their own. */
async function openLeases() {
  const folder = temporaryFolder();
  const store = openDatabase(folder.path);
  const kept = leaseStore(store, await openBarrier(store, keyRingOfOne('test', randomBytes(32)), 1));
  const leases = leasesOf(kept, silentLog);
  const takenBack: string[] = [];
  const source = { answers: true };
  leases.register('cloud', {
    mountOf: (data) => (typeof data === 'number' ? data : undefined),
    revoke: async (_data, { id }) => {
      takenBack.push(id);
      if (!source.answers) throw new Error('no answer');
    },
    isUnanswered: () => true,
  });
  const mounts = mountTable(store, []);
  const config = { type: 'cloud', description: '', options: null, config: defaultConfig, local: true };
  return {
    leases,
    takenBack,
    source,
    mountAt: (path: string) => mounts.add({ namespace: '', path, ...config }),
    async issue(id: string, { id: mountId }: Mount) {
      const times = { issueTime: 1, expireTime: 9e9, maxExpireTime: 9e9, lastRenewalTime: null };
      const rest = { engine: 'cloud', token: null, renewable: true, attempts: 0, ...times };
      await kept.add({ id, namespace: '', data: mountId, ...rest });
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      folder[Symbol.dispose]();
    },
  };
}

test('a mount ends what it issued, under whatever path it did, and nothing of another', async () => {
  await using it = await openLeases();
  const renamed = await it.mountAt('cloud-local-1/');
  const other = await it.mountAt('cloud/');
  await it.issue('cloud/creds/u/1', renamed);
  await it.issue('cloud/creds/u/2', other);
  await it.issue('cloud-local-1/creds/u/3', renamed);
  expect(await it.leases.endOfMount(renamed, 5)).toEqual([]);
  expect(it.takenBack.toSorted()).toEqual(['cloud-local-1/creds/u/3', 'cloud/creds/u/1']);
});

test('a mount that is put aside twice ends what it issued in between', async () => {
  await using it = await openLeases();
  const mount = await it.mountAt('cloud/');
  expect(await it.leases.endRetired([mount], 5)).toEqual([mount]);
  expect(await it.leases.endRetired([], 5)).toEqual([]);
  await it.issue('cloud/creds/u/1', mount);
  expect(await it.leases.endRetired([mount], 6)).toEqual([]);
  await it.leases.sweep(6);
  expect(it.takenBack).toEqual(['cloud/creds/u/1']);
  expect(await it.leases.endRetired([mount], 7)).toEqual([mount]);
});

test('a source that does not answer is asked a few times, however many leases are revoked, and forgotten by force', async () => {
  await using it = await openLeases();
  const mount = await it.mountAt('cloud/');
  const ids = Array.from({ length: 50 }, (_, number) => `cloud/creds/u/${number}`);
  for (const id of ids) await it.issue(id, mount);
  it.source.answers = false;
  const left = await it.leases.revoke('', ids, 5);
  expect(left.toSorted()).toEqual(ids.toSorted());
  expect(it.takenBack.length).toBeLessThanOrEqual(8);
  await it.leases.revokeForcibly('', ids, 6);
  expect(it.leases.ids('', 'cloud/')).toEqual([]);
});
