import { testClock } from '@gatehouse/service-kit/clock';
import { keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { openTestAccounts } from '@gatehouse/service-kit/testing/test-accounts';
import { expect, test } from 'vitest';
import { openBarrier } from './barrier.ts';
import { openDatabase } from './database.ts';
import { tokenStore } from './tokens.ts';

test('a token that ends during its use or renewal stays ended', async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  const accounts = await openTestAccounts(folder.file('accounts.db'), testClock());
  const barrier = await openBarrier(store, keyRingFromFile(folder.file('keys.json')), 1);
  const tokens = tokenStore(store, barrier, accounts, { endSomeOfToken: () => true });
  const { record } = await tokens.issue(
    {
      parent: null,
      namespace: '',
      path: 'auth/token/create',
      policies: [],
      meta: null,
      displayName: '',
      lifetime: { ttl: 4, period: 0, explicitMaxTtl: 0, renewable: true },
      numUses: 5,
      expireTime: 5_000,
      person: null,
    },
    1,
  );
  // Both calls start before the token ends, and their writes fall between its end and its removal.
  const [, used, renewed] = await Promise.all([
    tokens.revoke(record.hash, 1_000),
    tokens.use(record, 999),
    tokens.renew(record, 9_000, 999),
  ]);
  expect([used, renewed]).toEqual([undefined, undefined]);
  await accounts.close();
  await store.close();
});
