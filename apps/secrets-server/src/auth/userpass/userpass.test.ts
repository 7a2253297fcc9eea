import { join } from 'node:path';
import { openAccounts } from '@gatehouse/service-kit/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { as, authOf, errorsOf, signIn, tokenOf, tokenWith } from '../../testing/people.ts';
import { startServer, testPassword } from '../../testing/server.ts';
import type { TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server[Symbol.asyncDispose]());

describe('signing in', () => {
  test.each([
    ['admin', 'administrator'],
    ['operator', 'operator'],
    ['read-only', 'read-only'],
    ['OPERATOR', 'operator'],
  ])('%s gets the policy %s', async (user, policy) => {
    const answer = await signIn(server, user);
    expect(answer.status).toBe(200);
    expect(authOf(answer)).toMatchObject({
      policies: ['default', policy].toSorted(),
      token_policies: ['default', policy].toSorted(),
      metadata: { username: user.toLowerCase() },
      lease_duration: 86_400,
      renewable: true,
      orphan: true,
      token_type: 'service',
    });
    const { data } = await server.with(tokenOf(answer)).read('auth/token/lookup-self');
    expect(data).toMatchObject({
      display_name: `userpass-${user.toLowerCase()}`,
      path: `auth/userpass/login/${user.toLowerCase()}`,
    });
  });

  test.each([
    ['admin', 'wrong', 400, ['invalid username or password']],
    ['stranger', testPassword, 400, ['invalid username or password']],
    ['admin', '', 400, ['missing password']],
    ['admin', 'x'.repeat(5000), 400, ['invalid username or password']],
    ['nobody', testPassword, 403, ['permission denied: the account has no role in this server']],
  ])('%s with %.10s… is refused', async (user, password, status, errors) => {
    const answer = await signIn(server, user, password);
    expect([answer.status, errorsOf(answer)]).toEqual([status, errors]);
  });

  test('works only in the root namespace and by a write', async () => {
    const admin = await as(server, 'administrator');
    await admin.write('sys/namespaces/signing');
    const path = 'auth/userpass/login/admin';
    const within = await server.anonymous.write(`signing/${path}`, { password: testPassword });
    expect([within.status, errorsOf(within)]).toEqual([400, ['operation unavailable in namespaces']]);
    expect((await server.anonymous.read(path)).status).toBe(405);
    expect((await server.anonymous.write('auth/userpass/login', {})).status).toBe(403);
  });

  test('is limited per account and address', async () => {
    await using limited = await startServer({ guesses: { burst: 2, perSecond: 0.5 } });
    expect((await signIn(limited, 'admin', 'wrong')).status).toBe(400);
    expect((await signIn(limited, 'admin', 'wrong')).status).toBe(400);
    const answer = await signIn(limited, 'admin');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '2']);
    limited.clock.advance(2000);
    expect((await signIn(limited, 'admin')).status).toBe(200);
  });
});

describe('tokens of a person and their descendants stop working', () => {
  const person = async () => {
    const account = await server.accounts.create({
      loginName: `p${server.clock.now()}-${Math.random()}`,
      password: testPassword,
      roles: { secrets: 'administrator' },
    });
    const token = tokenOf(await signIn(server, account.loginName));
    const child = await tokenWith(server.with(token), { policies: ['default'] });
    const grandchild = await tokenWith(server.with(token), { policies: ['default'] });
    const status = async (): Promise<number[]> => {
      const answers = [];
      for (const each of [token, child, grandchild]) {
        answers.push((await server.with(each).read('auth/token/lookup-self')).status);
      }
      return answers;
    };
    return { account, status };
  };

  test('when the person is disabled', async () => {
    const { account, status } = await person();
    expect(await status()).toEqual([200, 200, 200]);
    await server.accounts.update(account.id, account.version, { disabled: true });
    expect(await status()).toEqual([403, 403, 403]);
    await server.accounts.update(account.id, account.version + 1, { disabled: false });
    expect(await status()).toEqual([403, 403, 403]);
    expect((await signIn(server, account.loginName)).status).toBe(200);
  });

  test('when the person is deleted', async () => {
    const { account, status } = await person();
    await server.accounts.remove(account.id);
    expect(await status()).toEqual([403, 403, 403]);
  });

  test('when another process updates the person', async () => {
    const { account, status } = await person();
    expect(await status()).toEqual([200, 200, 200]);
    const other = openAccounts({ file: join(server.dataDir, 'accounts.db'), clock: server.clock });
    await other.update(account.id, account.version, { disabled: true });
    expect(await status()).toEqual([403, 403, 403]);
    await other.close();
  });

  test('when the password changes', async () => {
    const { account, status } = await person();
    await server.accounts.setPassword(account.id, 'another horse');
    expect(await status()).toEqual([403, 403, 403]);
    expect((await signIn(server, account.loginName)).status).toBe(400);
    expect((await signIn(server, account.loginName, 'another horse')).status).toBe(200);
  });

  test('when the role in this service changes, but not in another service', async () => {
    const { account, status } = await person();
    await server.accounts.update(account.id, account.version, { roles: { boxes: 'operator' } });
    expect(await status()).toEqual([200, 200, 200]);
    await server.accounts.update(account.id, account.version + 1, { roles: { secrets: 'read-only' } });
    expect(await status()).toEqual([403, 403, 403]);
    const again = await signIn(server, account.loginName);
    expect(authOf(again)['policies']).toEqual(['default', 'read-only']);
  });
});
