import { randomBytes } from 'node:crypto';
import { testClock } from '@gatehouse/service-kit/clock';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { keyRingOfOne } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { openTestAccounts, testPassword } from '@gatehouse/service-kit/testing/test-accounts';
import { URI } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../store/database.ts';
import { twoFactorStore } from '../store/two-factor.ts';
import { twoFactor } from './two-factor.ts';

/** Second factors, and the account that they are of. */
async function startFactors() {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(temporaryFolder());
  const clock = testClock();
  const accounts = await openTestAccounts(folder.file('accounts.db'), clock);
  opening.defer(() => accounts.close());
  const { account } = await accounts.ensureFirstAdministrator({ password: testPassword });
  const store = openDatabase(folder.path);
  opening.defer(() => store.close());
  const factors = twoFactor({
    store: twoFactorStore(store),
    keys: keyRingOfOne('test', randomBytes(32)),
    sender: { send: () => Promise.resolve() },
    clock,
    known: accounts.knownAddresses,
  });
  const codeOf = (uri: string) => URI.parse(uri).generate({ timestamp: clock.now() });
  const opened = opening.move();
  return { clock, account, factors, codeOf, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

const home = '198.51.100.7';

test('a code confirms only the key that it belongs to, not one that is set up in the meantime', async () => {
  await using started = await startFactors();
  const { account, factors, codeOf } = started;
  const first = await factors.setUp(account, '');
  const confirming = factors.confirm(account, codeOf(first.uri), home);
  const second = factors.setUp(account, '');
  await expect(confirming).rejects.toThrow('set up again');
  expect(factors.state(account.id).enabled).toBe(false);
  await factors.confirm(account, codeOf((await second).uri), home);
  expect(factors.state(account.id).enabled).toBe(true);
  await expect(factors.setUp(account, '')).rejects.toThrow('already enabled');
});

describe("wrong codes don't lock the owner out", () => {
  const tooMany = { status: 429, code: 'rate_limited' };

  /** Sends wrong codes until they are refused. @returns how many were judged */
  async function guess(attempt: (code: string) => Promise<unknown>): Promise<number> {
    for (let judged = 0; ; judged++) {
      const error: unknown = await attempt('no').catch((thrown: unknown) => thrown);
      if (error instanceof HttpError) {
        expect(error).toMatchObject(tooMany);
        return judged;
      }
    }
  }

  test('from another address, for a confirmation or a sent code', async () => {
    await using started = await startFactors();
    const { account, factors, codeOf } = started;
    const { uri } = await factors.setUp(account, '+15551237890');
    expect(await guess((code) => factors.confirm(account, code, '203.0.113.1'))).toBe(5);
    await factors.confirm(account, codeOf(uri), home);
    for (let sent = 0; sent < 3; sent++) await factors.sendCode(account, '203.0.113.1');
    await expect(factors.sendCode(account, '203.0.113.1')).rejects.toMatchObject(tooMany);
    await factors.sendCode(account, home);
  });

  test('from many addresses, at one that sent a right code before', async () => {
    await using started = await startFactors();
    const { clock, account, factors, codeOf } = started;
    const { uri } = await factors.setUp(account, '');
    await factors.confirm(account, codeOf(uri), home);
    let judged = 0;
    for (let n = 1; n <= 9; n++)
      judged += await guess((code) => factors.check(account, code, `203.0.113.${n}`));
    expect(judged).toBe(15);
    clock.advance(60_000);
    await expect(factors.check(account, codeOf(uri), '203.0.113.200')).rejects.toMatchObject(tooMany);
    await factors.check(account, codeOf(uri), home);
  });
});
