import { randomBytes } from 'node:crypto';
import { testClock } from '@gatehouse/service-kit/clock';
import { keyRingOfOne } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { openTestAccounts, testPassword } from '@gatehouse/service-kit/testing/test-accounts';
import { URI } from 'otpauth';
import { expect, test } from 'vitest';
import { openDatabase } from '../store/database.ts';
import { twoFactorStore } from '../store/two-factor.ts';
import { twoFactor } from './two-factor.ts';

test('a code confirms only the key that it belongs to, not one that is set up in the meantime', async () => {
  using folder = temporaryFolder();
  const clock = testClock();
  const accounts = await openTestAccounts(folder.file('accounts.db'), clock);
  const { account } = await accounts.ensureFirstAdministrator({ password: testPassword });
  const store = openDatabase(folder.path);
  const keys = keyRingOfOne('test', randomBytes(32));
  const factors = twoFactor({
    store: twoFactorStore(store),
    keys,
    sender: { send: () => Promise.resolve() },
    clock,
  });
  const codeOf = (uri: string) => {
    const totp = URI.parse(uri);
    return totp.generate({ timestamp: clock.now() });
  };
  const first = await factors.setUp(account, '');
  const confirming = factors.confirm(account, codeOf(first.uri));
  const second = factors.setUp(account, '');
  await expect(confirming).rejects.toThrow('set up again');
  expect(factors.state(account.id).enabled).toBe(false);
  await factors.confirm(account, codeOf((await second).uri));
  expect(factors.state(account.id).enabled).toBe(true);
  await expect(factors.setUp(account, '')).rejects.toThrow('already enabled');
  await store.close();
  await accounts.close();
});
