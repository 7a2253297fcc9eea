import { randomBytes } from 'node:crypto';
import { silentLog } from '@gatehouse/service-kit/log';
import { keyRingOfOne } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test, vi } from 'vitest';
import type { Mount } from '../core/mount.ts';
import { openBarrier } from '../store/barrier.ts';
import { openDatabase } from '../store/database.ts';
import { leaseStore } from '../store/leases.ts';
import { defaultConfig, mountTable } from '../store/mounts.ts';
import { leasesOf } from './leases.ts';

/** Opens leases of an engine with mounts, in a separate store. */
async function openLeases() {
  const folder = temporaryFolder();
  const store = openDatabase(folder.path);
  const barrier = await openBarrier(store, keyRingOfOne('test', randomBytes(32)), 1);
  const decrypted = vi.spyOn(barrier, 'open');
  const kept = leaseStore(store, barrier);
  const leases = leasesOf(kept, silentLog);
  const takenBack: string[] = [];
  const source = { answers: true, until: Promise.resolve() };
  leases.register('cloud', {
    revoke: async (_data, { id }) => {
      takenBack.push(id);
      await source.until;
      if (!source.answers) throw new Error('no answer');
    },
    isUnanswered: () => true,
    times: () => ({ ttl: 0, maxTtl: 0 }),
  });
  const mounts = mountTable(store, []);
  const config = { type: 'cloud', description: '', options: null, config: defaultConfig, local: true };
  return {
    leases,
    takenBack,
    source,
    decrypted,
    mountAt: (path: string) => mounts.add({ namespace: '', path, ...config }),
    async issue(id: string, { id: mountId }: Mount) {
      const times = { issueTime: 1, expireTime: 9e9, maxExpireTime: 9e9, lastRenewalTime: null };
      const rest = { engine: 'cloud', token: null, renewable: true, attempts: 0, ...times };
      await kept.add({ id, namespace: '', mountId, data: null, ...rest });
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      folder[Symbol.dispose]();
    },
  };
}

test("ending a mount's leases includes those issued under its earlier paths, and none of another mount", async () => {
  await using it = await openLeases();
  const renamed = await it.mountAt('cloud-local-1/');
  const other = await it.mountAt('cloud/');
  await it.issue('cloud/creds/u/1', renamed);
  await it.issue('cloud/creds/u/2', other);
  await it.issue('cloud-local-1/creds/u/3', renamed);
  expect(await it.leases.endOfMount(renamed, 5)).toEqual({ count: 0, some: [] });
  expect(it.takenBack.toSorted()).toEqual(['cloud-local-1/creds/u/3', 'cloud/creds/u/1']);
});

test('a mount that is retired again ends the leases issued since the first time', async () => {
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

test('revoking many leases makes only a few calls to a source that does not answer, and force removes them', async () => {
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

test("a mount's many leases are revoked in parts, and further parts left to the sweeps once none of one can be", async () => {
  await using it = await openLeases();
  const mount = await it.mountAt('cloud/');
  for (let number = 0; number < 450; number += 1) await it.issue(`cloud/creds/u/${number}`, mount);
  it.source.answers = false;
  const left = await it.leases.endOfMount(mount, 5);
  expect([left.count, left.some.length]).toEqual([450, 200]);
  expect(it.takenBack.length).toBeLessThanOrEqual(8);
  it.source.answers = true;
  expect(await it.leases.endOfMount(mount, 6)).toEqual({ count: 0, some: [] });
  expect(new Set(it.takenBack).size).toBe(450);
});

test('leases that are not revoked, because their source does not answer, do not keep others waiting', async () => {
  await using it = await openLeases();
  const mount = await it.mountAt('cloud/');
  const ids = Array.from({ length: 1_000 }, (_, number) => `cloud/creds/u/${number}`);
  for (const id of ids) await it.issue(id, mount);
  it.source.answers = false;
  let turns = 0;
  const count = (): unknown => (turns += 1) && (other = setImmediate(count));
  let other = setImmediate(count);
  await it.leases.revoke('', ids.slice(0, 8), 5);
  const before = turns;
  await it.leases.revoke('', ids, 6);
  clearImmediate(other);
  expect(turns - before).toBeGreaterThanOrEqual(5);
});

test("while a retired mount's source hangs, only leases that are being revoked are decrypted", async () => {
  await using it = await openLeases();
  const mount = await it.mountAt('cloud/');
  const other = await it.mountAt('other/');
  for (let number = 0; number < 50; number += 1) await it.issue(`cloud/creds/u/${number}`, mount);
  await it.issue('other/creds/u/1', other);
  const release = Promise.withResolvers<void>();
  it.source.until = release.promise;
  const sweeps: Promise<void>[] = [];
  for (let now = 5; now < 10; now += 1) {
    expect(await it.leases.endRetired([mount], now)).toEqual([]);
    sweeps.push(it.leases.sweep(now));
  }
  expect(it.takenBack).toHaveLength(1);
  expect(it.decrypted).toHaveBeenCalledTimes(1);
  it.source.answers = false;
  release.resolve();
  await Promise.all(sweeps);
  expect(it.takenBack).toHaveLength(1);
  expect(it.decrypted).toHaveBeenCalledTimes(1);
  expect(it.leases.find('', 'other/creds/u/1', 10)).toBeDefined();
});
