import { keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import { writeInParts } from '@gatehouse/service-kit/store';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test, vi } from 'vitest';
import { openBarrier } from './barrier.ts';
import { openDatabase } from './database.ts';
import { leaseStore } from './leases.ts';
import type { LeaseRecord } from './leases.ts';

/** Opens a store of leases with one lease issued by a mount. */
async function openLeases() {
  const folder = temporaryFolder();
  const store = openDatabase(folder.path);
  const leases = leaseStore(store, await openBarrier(store, keyRingFromFile(folder.file('keys.json')), 1));
  const lease: LeaseRecord = {
    id: 'cloud/creds/u/1',
    namespace: '',
    engine: 'cloud',
    mountId: 1,
    token: null,
    issueTime: 1,
    expireTime: 1000,
    maxExpireTime: 9000,
    lastRenewalTime: null,
    renewable: true,
    attempts: 0,
    data: null,
  };
  return {
    store,
    leases,
    lease,
    async [Symbol.asyncDispose]() {
      await store.close();
      folder[Symbol.dispose]();
    },
  };
}

test('a lease that ends during its renewal stays ended, and one that is renewed twice is renewed', async () => {
  await using it = await openLeases();
  const { leases, lease } = it;
  await leases.add(lease);
  expect(await leases.extend(lease, 2000, 10)).toBe(true);
  // Two renewals that read the lease at the same time.
  expect(await leases.extend(lease, 2500, 15)).toBe(true);
  await leases.end('', [lease.id], 20);
  expect(await leases.extend({ ...lease, expireTime: 2000 }, 3000, 30)).toBe(false);
  expect(leases.due(30, 0).map(({ id, expireTime }) => [id, expireTime])).toEqual([[lease.id, 20]]);
});

test('many leases of a mount, a namespace or a token end in several writes', async () => {
  await using it = await openLeases();
  const { store, leases, lease } = it;
  const ids = Array.from({ length: 1_000 }, (_, index) => `cloud/creds/u/${index}`);
  const ends: ((now: number) => Promise<void>)[] = [
    (now) => leases.endOfMount(1, now),
    (now) => leases.endOfNamespace('', now),
    (now) => leases.end('', ids, now),
    (now) => writeInParts(store, (tx) => leases.endSomeOfToken(tx, 'token', now)),
  ];
  for (const end of ends) {
    await Promise.all(ids.map((id) => leases.add({ ...lease, id })));
    await store.write((tx) =>
      tx.run(store.build.updateTable('lease').set({ token: 'token', expire_time: 1000 }).compile()),
    );
    using writes = vi.spyOn(store, 'write');
    // Each look at the clock takes long, so that each write does the least.
    let time = performance.now();
    using _slow = vi.spyOn(performance, 'now').mockImplementation(() => (time += 20));
    await end(500);
    expect(writes.mock.calls.length).toBeGreaterThanOrEqual(5);
    expect(ids.every((id) => leases.get('', id)?.expireTime === 500)).toBe(true);
    await leases.remove('', ids);
  }
});
