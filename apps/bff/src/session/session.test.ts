import { DatabaseSync } from 'node:sqlite';
import { signIn, tokenOf } from '@gatehouse/secrets-server/testing/people';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { boundaryController, boundaryPassword } from '#test/boundary-controller.ts';
import { signInAs, startConsole } from '#test/console.ts';
import { secretsApi, startSecrets } from '#test/secrets.ts';
import { credentials, minute, startSessionConsole, type SessionConsole } from '#test/session-console.ts';

let at: SessionConsole;
beforeEach(async () => {
  at = await startSessionConsole();
});
afterEach(() => at[Symbol.asyncDispose]());

describe('the cookie', () => {
  test('over http on loopback has the port in its name, and only the needed attributes', async () => {
    const page = at.console.browser();
    const answer = await page.send('POST', '/api/session', { body: credentials(boundaryPassword) });
    const port = new URL(at.console.origin).port;
    expect(answer.headers['set-cookie']).toMatch(
      new RegExp(`^gatehouse-${port}=[A-Za-z0-9_-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    );
  });

  test('over https is __Host- and Secure, with HSTS', async () => {
    const secure = await startConsole({
      access: { kind: 'url', url: new URL(at.controller.url) },
      console: { publicUrl: new URL('https://gatehouse.example'), trustedProxies: ['127.0.0.1'] },
    });
    try {
      const page = secure.browser();
      const answer = await page.send('POST', '/api/session', {
        body: credentials(boundaryPassword),
        headers: {
          host: 'gatehouse.example',
          'x-forwarded-proto': 'https',
          'x-forwarded-for': '203.0.113.9',
        },
      });
      expect(answer.headers['set-cookie']).toMatch(
        /^__Host-gatehouse=[A-Za-z0-9_-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
      );
      expect(answer.headers['strict-transport-security']).toMatch(/^max-age=\d{8}/);
      const plain = await page.send('GET', '/api/session', {
        headers: { host: 'gatehouse.example', 'x-forwarded-proto': 'http' },
      });
      expect(plain.status).toBe(403);
    } finally {
      await secure.close();
    }
  });

  test('with a planted value never becomes a signed-in session', async () => {
    const page = at.console.browser();
    const fixed = `gatehouse-${new URL(at.console.origin).port}=${'A'.repeat(43)}`;
    page.cookie = fixed;
    await signInAs(page, 'admin', boundaryPassword);
    expect(page.cookie).not.toBe(fixed);
    const attacker = at.console.browser();
    attacker.cookie = fixed;
    expect((await attacker.send('GET', '/api/session')).json).toMatchObject({
      code: 'unauthenticated',
      signedOut: 'none',
    });
  });

  test('has a new value after signing in again, and the old session ends', async () => {
    const page = await at.signedIn();
    const before = page.cookie;
    await signInAs(page, 'admin', boundaryPassword);
    expect(page.cookie).not.toBe(before);
    const old = at.console.browser();
    old.cookie = before;
    expect((await old.send('GET', '/api/session')).json).toMatchObject({ status: 401, signedOut: 'ended' });
  });

  test('counts as absent if there are two of its name', async () => {
    const page = await at.signedIn();
    page.cookie = `${page.cookie}; ${page.cookie?.split('=')[0]}=${'B'.repeat(43)}`;
    expect((await page.send('GET', '/api/session')).status).toBe(401);
  });
});

describe('the session', () => {
  test('says who is signed in, where and until when', async () => {
    const page = await at.signedIn();
    const { json } = await page.send('GET', '/api/session');
    expect(json).toMatchObject({
      person: { id: 'test/access/u_admin', login_name: 'admin' },
      environment: 'test',
      method: 'password',
      signed_in_at: '2026-01-01T00:00:00.000Z',
      idle_expires_at: '2026-01-01T00:15:00.000Z',
      expires_at: '2026-01-01T08:00:00.000Z',
      confirmed_until: {},
    });
    expect(JSON.stringify(json)).not.toContain(page.cookie?.split('=')[1]);
  });

  test("answers a page that isn't signed in with the reason", async () => {
    const page = await at.signedIn();
    const found = await page.send('GET', '/api/session/current');
    expect(found.json).toEqual({
      session: (await page.send('GET', '/api/session')).json,
      signed_out: null,
    });
    at.console.clock.advance(15 * minute);
    const missed = await page.send('GET', '/api/session/current');
    expect([missed.status, missed.json]).toEqual([200, { session: null, signed_out: 'idle' }]);
  });

  test("of someone who signed in in another tab is refused to the previous user's page, which reads and writes nothing", async () => {
    const page = await at.signedIn('ana');
    await signInAs(page, 'lena', boundaryPassword);
    const targets = '/api/environments/test/access/targets';
    const body = { scope_id: 'p_1234567890', type: 'tcp', name: 'a', attributes: { default_port: 22 } };
    const from = (login: string) => ({ headers: { 'x-gatehouse-person': `test/access/u_${login}` } });
    at.console.clock.advance(15 * minute - 1);
    const refused = { status: 401, code: 'unauthenticated', signedOut: 'other-person' };
    expect((await page.send('POST', targets, { body, ...from('ana') })).json).toMatchObject(refused);
    expect((await page.send('GET', `${targets}?scope_id=global`, from('ana'))).json).toMatchObject(refused);
    expect((await page.send('DELETE', '/api/session', from('ana'))).json).toMatchObject(refused);
    expect(at.controller.seen.filter(({ path }) => path.startsWith('/v1/targets'))).toEqual([]);
    at.console.clock.advance(1);
    // A refused request doesn't count as activity.
    expect((await page.send('GET', '/api/session')).json).toMatchObject({ signedOut: 'idle' });

    const again = { body: credentials(boundaryPassword, 'lena'), ...from('ana') };
    expect((await page.send('POST', '/api/session', again)).status).toBe(200);
    expect((await page.send('POST', targets, { body, ...from('lena') })).status).toBe(200);
    expect((await page.send('POST', targets, { body: { ...body, name: 'b' } })).status).toBe(200);
    const { json } = await page.send('GET', '/api/environments/test/activity?kind=target');
    const done = { action: 'target.create', outcome: 'succeeded', person: { login_name: 'lena' } };
    expect(json['items']).toMatchObject([done, done]);
  });

  test("of a user whose ID isn't ASCII is answered to their page", async () => {
    const page = await at.signedIn('žofie %41');
    const { json } = await page.send('GET', '/api/session');
    const { id } = json['person'] as { readonly id: string };
    const headers = { 'x-gatehouse-person': encodeURI(id) };
    expect((await page.send('GET', '/api/session', { headers })).status).toBe(200);
  });

  test('ends after exactly 15 minutes without activity', async () => {
    const page = await at.signedIn();
    at.console.clock.advance(15 * minute - 1);
    expect((await page.send('GET', '/api/session')).status).toBe(200);
    at.console.clock.advance(15 * minute - 1);
    expect((await page.send('GET', '/api/session')).status).toBe(200);
    at.console.clock.advance(15 * minute);
    expect((await page.send('GET', '/api/session')).json).toMatchObject({ status: 401, signedOut: 'idle' });
    expect((await page.send('GET', '/api/session')).json).toMatchObject({ status: 401, signedOut: 'idle' });
  });

  test("isn't kept alive by polling", async () => {
    const page = await at.signedIn();
    for (let polls = 0; polls < 14; polls++) {
      at.console.clock.advance(minute);
      expect((await page.send('GET', '/api/session', { headers: { 'x-gatehouse-poll': '1' } })).status).toBe(
        200,
      );
    }
    at.console.clock.advance(minute);
    expect(
      (await page.send('GET', '/api/session', { headers: { 'x-gatehouse-poll': '1' } })).json,
    ).toMatchObject({ signedOut: 'idle' });
  });

  test('ends after 8 hours despite activity', async () => {
    const page = await at.signedIn();
    for (let passed = 0; passed < 8 * 60 - 10; passed += 10) {
      at.console.clock.advance(10 * minute);
      expect((await page.send('GET', '/api/session')).status).toBe(200);
    }
    at.console.clock.advance(10 * minute);
    expect((await page.send('GET', '/api/session')).json).toMatchObject({
      status: 401,
      signedOut: 'expired',
    });
  });

  test('lasts no longer than the token', async () => {
    at.controller.tokenEnd = '2026-01-01T00:10:00Z';
    const page = await at.signedIn();
    expect((await page.send('GET', '/api/session')).json).toMatchObject({
      expires_at: '2026-01-01T00:10:00.000Z',
    });
    at.console.clock.advance(10 * minute);
    expect((await page.send('GET', '/api/session')).json).toMatchObject({
      status: 401,
      signedOut: 'expired',
    });
  });

  test('survives a clock that is set back or ahead by ten minutes', async () => {
    const page = await at.signedIn();
    for (const minutes of [-10, 10, 10]) {
      at.console.clock.setWall(at.console.clock.now() + minutes * minute);
      expect((await page.send('GET', '/api/session')).status).toBe(200);
    }
    at.console.clock.advance(5 * minute - 1);
    at.console.clock.setWall(at.console.clock.now() + 10 * minute);
    expect((await page.send('GET', '/api/session')).status).toBe(200);
  });

  test('survives a restart', async () => {
    const page = await at.signedIn();
    const again = await startConsole({
      access: { kind: 'url', url: new URL(at.controller.url) },
      dataDir: at.console.dataDir,
      clock: at.console.clock,
    });
    try {
      const other = again.browser();
      other.cookie = page.cookie?.replace(new URL(at.console.origin).port, new URL(again.origin).port);
      expect((await other.send('GET', '/api/session')).status).toBe(200);
      expect((await other.send('GET', '/api/environments/test/access/scopes')).status).toBe(200);
      await page.send('DELETE', '/api/session');
      at.console.clock.advance(1_000);
      expect((await other.send('GET', '/api/session')).json).toMatchObject({
        status: 401,
        signedOut: 'ended',
      });
    } finally {
      await again.close();
    }
  });

  test('is listed, and can be ended from another browser', async () => {
    const [one, two, three] = [await at.signedIn(), await at.signedIn(), await at.signedIn()];
    const stranger = await at.signedIn('stranger');
    const { json } = await one.send('GET', '/api/sessions');
    const listed = json['sessions'] as { id: string; current: boolean; address: string }[];
    expect(listed).toHaveLength(3);
    expect(listed.filter(({ current }) => current)).toHaveLength(1);
    expect(listed[0]?.address).toBe('127.0.0.1');
    const twoId = String((await two.send('GET', '/api/session')).json['id']);
    expect((await stranger.send('DELETE', `/api/sessions/${twoId}`)).status).toBe(404);
    expect((await one.send('DELETE', `/api/sessions/${twoId}`)).status).toBe(204);
    expect((await two.send('GET', '/api/session')).json).toMatchObject({ status: 401, signedOut: 'ended' });
    expect((await one.send('POST', '/api/sessions/end-others')).json).toEqual({ ended: 1 });
    expect((await three.send('GET', '/api/session')).status).toBe(401);
    expect((await one.send('GET', '/api/session')).status).toBe(200);
    expect((await stranger.send('GET', '/api/session')).status).toBe(200);
  });
});

describe('confirmation in production', () => {
  test('is required, lasts some minutes, and is refused for a wrong password', async () => {
    const production = await startConsole({
      access: { kind: 'url', url: new URL(at.controller.url) },
      kind: 'production',
    });
    try {
      const page = production.browser();
      await signInAs(page, 'admin', boundaryPassword);
      const remove = () =>
        page.send('DELETE', '/api/environments/test/access/targets/ttcp_none', { revision: '1' });
      expect((await remove()).json).toMatchObject({ status: 403, code: 'confirmation-required' });
      expect(
        (await page.send('POST', '/api/session/confirm', { body: { environment: 'test', secret: 'wrong' } }))
          .json,
      ).toMatchObject({ code: 'sign-in-failed' });
      expect((await remove()).json).toMatchObject({ code: 'confirmation-required' });
      const confirmed = await page.send('POST', '/api/session/confirm', {
        body: { environment: 'test', secret: boundaryPassword },
      });
      expect(confirmed.json).toMatchObject({ confirmed_until: { test: '2026-01-01T00:05:00.000Z' } });
      expect((await remove()).json).toMatchObject({ status: 404 });
      await production.bff.upkeep();
      expect(at.controller.tokens.size).toBe(1);
      production.clock.advance(5 * minute);
      expect((await remove()).json).toMatchObject({ code: 'confirmation-required' });
    } finally {
      await production.close();
    }
  });

  test('of a token sign-in requires that token, not another one of the same account', async () => {
    const production = await startConsole({
      access: { kind: 'url', url: new URL(at.controller.url) },
      kind: 'production',
    });
    try {
      const [own, other] = ['at_brought000_s1canarybrought', 'at_brought001_s1canaryother'];
      for (const token of [own, other]) at.controller.tokens.add(token);
      const page = production.browser();
      const body = { environment: 'test', service: 'access', credentials: { method: 'token', token: own } };
      expect((await page.send('POST', '/api/session', { body })).status).toBe(200);
      const remove = () =>
        page.send('DELETE', '/api/environments/test/access/targets/ttcp_none', { revision: '1' });
      const confirm = (secret: string) =>
        page.send('POST', '/api/session/confirm', { body: { environment: 'test', secret } });
      for (const secret of [other, boundaryPassword]) {
        expect((await confirm(secret)).json).toMatchObject({ code: 'sign-in-failed' });
        expect((await remove()).json).toMatchObject({ code: 'confirmation-required' });
      }
      expect((await confirm(own)).json).toMatchObject({
        confirmed_until: { test: '2026-01-01T00:05:00.000Z' },
      });
      expect((await remove()).json).toMatchObject({ status: 404 });
    } finally {
      await production.close();
    }
  });

  test('of an account connected with a token requires that token, not the password of an account that was connected since', async () => {
    await using production = await startSecrets({
      kind: 'production',
      access: { kind: 'url', url: new URL(at.controller.url) },
    });
    const token = tokenOf(await signIn(production.server, 'admin'));
    const page = production.console.browser();
    await page.send('POST', '/api/session', {
      body: { environment: 'test', service: 'secrets', credentials: { method: 'token', token } },
    });
    const takeAll = () =>
      page.send('POST', `${secretsApi}/mounts/secret/export`, { body: { folders: [''] } });
    const isAsked = async () =>
      expect((await takeAll()).json).toMatchObject({
        code: 'confirmation-required',
        detail: expect.stringMatching('The token for the secrets server in Test is required'),
        service: 'secrets',
        account: { login_name: 'admin', method: 'token' },
      });
    await isAsked();
    const confirm = (secret: string, service?: string) =>
      page.send('POST', '/api/session/confirm', { body: { environment: 'test', service, secret } });
    const connected = await page.send('POST', '/api/environments/test/connections/access', {
      body: { credentials: { method: 'password', login_name: 'rita', password: boundaryPassword } },
    });
    expect(connected.status).toBe(200);
    for (const service of [undefined, 'secrets', 'access']) {
      await confirm(boundaryPassword, service);
      await isAsked();
    }
    expect((await confirm(token)).status).toBe(200);
    expect((await takeAll()).status).toBe(200);
  });

  test("of another environment, or of an account that was connected since, doesn't count", async () => {
    const live = await boundaryController();
    live.password = 'a password of production';
    const access = (url: string) => ({ kind: 'url', url: new URL(url) }) as const;
    const both = await startConsole({
      access: access(at.controller.url),
      others: [
        {
          id: 'live',
          name: 'Live',
          kind: 'production',
          sharedAccounts: false,
          services: { access: { endpoint: access(live.url), signIn: ['password'] } },
        },
      ],
    });
    try {
      const page = both.browser();
      await signInAs(page, 'admin', boundaryPassword);
      const connect = (login_name: string) =>
        page.send('POST', '/api/environments/live/connections/access', {
          body: { credentials: { method: 'password', login_name, password: live.password } },
        });
      expect((await connect('olga')).status).toBe(200);
      const remove = () =>
        page.send('DELETE', '/api/environments/live/access/targets/ttcp_none', { revision: '1' });
      const confirm = (environment: string, secret: string) =>
        page.send('POST', '/api/session/confirm', { body: { environment, secret } });
      const isAskedOf = async (login_name: string) =>
        expect((await remove()).json).toMatchObject({
          code: 'confirmation-required',
          detail: expect.stringMatching(`The password of ${login_name} in Live is required`),
          environment: 'live',
          service: 'access',
          account: { login_name, method: 'password' },
        });
      await isAskedOf('olga');
      const until = '2026-01-01T00:05:00.000Z';
      expect((await confirm('test', boundaryPassword)).json).toMatchObject({
        confirmed_until: { test: until },
      });
      await isAskedOf('olga');
      expect((await confirm('live', boundaryPassword)).json).toMatchObject({ code: 'sign-in-failed' });
      await isAskedOf('olga');
      expect((await confirm('live', live.password)).json).toMatchObject({
        confirmed_until: { test: until, live: until },
      });
      expect((await remove()).status).toBe(404);
      const { items } = (await page.send('GET', '/api/environments/live/activity')).json;
      expect(Array.isArray(items) && items[0]).toMatchObject({
        action: 'target.delete',
        person: { login_name: 'admin' },
        paths: ['as=olga'],
      });
      expect((await connect('omar')).status).toBe(200);
      await isAskedOf('omar');
      expect((await confirm('nowhere', 'x')).json).toMatchObject({ code: 'not-connected' });
    } finally {
      await both.close();
      await live.close();
    }
  });
});

describe('a token that was granted while the database failed', () => {
  /** Sends a request during which tables are missing from when the controller is asked. */
  async function without(tables: readonly string[], send: () => Promise<{ status: number }>) {
    const file = new DatabaseSync(`${at.console.dataDir}/console.db`);
    at.controller.intercept = ({ path }) => {
      if (path.endsWith(':authenticate'))
        for (const one of tables) file.exec(`ALTER TABLE ${one} RENAME TO ${one}_gone`);
      return false;
    };
    expect((await send()).status).toBeGreaterThanOrEqual(500);
    at.controller.intercept = undefined;
    for (const one of tables) file.exec(`ALTER TABLE ${one}_gone RENAME TO ${one}`);
    file.close();
  }

  test.each([[['sign_in_attempt']], [['session']], [['connection']], [['sign_in_attempt', 'revocation']]])(
    'is revoked without %s',
    async (tables) => {
      const page = at.console.browser();
      await without(tables, () => page.send('POST', '/api/session', { body: credentials(boundaryPassword) }));
      await at.console.bff.upkeep();
      expect(at.controller.seen.some(({ path }) => path.endsWith(':authenticate'))).toBe(true);
      expect([...at.controller.tokens]).toEqual([]);
    },
  );

  test('for a connection is revoked, and for a confirmation too', async () => {
    const page = await at.signedIn();
    const before = [...at.controller.tokens];
    const { credentials: body } = credentials(boundaryPassword);
    const path = '/api/environments/test/connections/access';
    await without(['sign_in_attempt'], () => page.send('POST', path, { body: { credentials: body } }));
    const again = { environment: 'test', secret: boundaryPassword };
    await without(['sign_in_attempt'], () => page.send('POST', '/api/session/confirm', { body: again }));
    await at.console.bff.upkeep();
    expect([...at.controller.tokens]).toEqual(before);
  });
});
