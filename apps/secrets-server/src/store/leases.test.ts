import { keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
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

test('a lease that ends during its renewal stays ended', async () => {
  await using it = await openLeases();
  const { leases, lease } = it;
  await leases.add(lease);
  expect(await leases.extend(lease, 2000, 10)).toBe(true);
  await leases.end('', [lease.id], 20);
  expect(await leases.extend({ ...lease, expireTime: 2000 }, 3000, 30)).toBe(false);
  expect(leases.due(30, 0).map(({ id, expireTime }) => [id, expireTime])).toEqual([[lease.id, 20]]);
});
