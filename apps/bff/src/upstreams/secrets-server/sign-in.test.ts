import { startController, testPassword } from '@gatehouse/access-controller/testing/controller';
import type { Connection, Session } from '@gatehouse/api-types/console/session';
import { as } from '@gatehouse/secrets-server/testing/people';
import { startServer } from '@gatehouse/secrets-server/testing/server';
import { describe, expect, test } from 'vitest';
import { startConsole } from '#test/console.ts';
import { signInAs } from '#test/console.ts';
import { faultProxy } from '#test/fault-proxy.ts';
import { secretsApi, startSecrets } from '#test/secrets.ts';

const mounts = `${secretsApi}/mounts`;

/**
 * Signs in as the administrator to a console with an access controller and a secrets server.
 * @param proxyOf what is put in front of the secrets server
 */
async function signInToBoth(proxyOf?: (server: URL) => ReturnType<typeof faultProxy>) {
  await using opened = new AsyncDisposableStack();
  const controller = opened.use(await startController());
  const server = opened.use(await startServer());
  const proxy = await proxyOf?.(new URL(server.url));
  opened.defer(() => proxy?.close());
  const console = await startConsole({
    access: { kind: 'url', url: new URL(controller.url) },
    secrets: {
      kind: 'url',
      url: new URL(proxy === undefined ? server.url : `http://127.0.0.1:${proxy.port}`),
    },
    clock: server.clock,
  });
  opened.defer(() => console.close());
  const page = console.browser();
  await signInAs(page, 'admin', testPassword);
  const rest = opened.move();
  return { page, [Symbol.asyncDispose]: () => rest.disposeAsync() };
}

describe('one sign-in', () => {
  test('opens every service that shares the accounts, and connects an unavailable one later', async () => {
    await using signedIn = await signInToBoth();
    const { page } = signedIn;
    expect((await page.send('GET', '/api/connections')).json['connections']).toMatchObject([
      { service: 'access', state: 'connected' },
      {
        service: 'secrets',
        state: 'connected',
        account: { name: 'admin' },
        expires_at: expect.any(String),
      },
    ]);
    expect((await page.send('GET', mounts)).status).toBe(200);
    await page.send('DELETE', '/api/environments/test/connections/secrets');
    expect((await page.send('GET', mounts)).json).toMatchObject({
      code: 'not-connected',
      service: 'secrets',
    });
    const connect = (password: string) =>
      page.send('POST', '/api/environments/test/connections/secrets', {
        body: { credentials: { method: 'password', login_name: 'admin', password } },
      });
    expect((await connect('wrong password')).json).toMatchObject({
      code: 'sign-in-failed',
      service: 'secrets',
    });
    expect((await connect(testPassword)).json).toMatchObject({ state: 'connected' });
    expect((await page.send('GET', mounts)).status).toBe(200);
    expect((await page.send('GET', '/api/environments/test/access/scopes?scope_id=global')).status).toBe(200);
  });

  test('to a service later opens those that are not connected, never as another user', async () => {
    await using signedIn = await signInToBoth();
    const { page } = signedIn;
    const connect = (service: string, login_name: string) =>
      page.send('POST', `/api/environments/test/connections/${service}`, {
        body: { credentials: { method: 'password', login_name, password: testPassword } },
      });
    const disconnect = async () => {
      for (const service of ['access', 'secrets'])
        await page.send('DELETE', `/api/environments/test/connections/${service}`);
    };
    const accounts = async () =>
      ((await page.send('GET', '/api/connections')).json['connections'] as Connection[]).map(
        ({ account }) => account?.name,
      );
    await disconnect();
    expect((await connect('secrets', 'admin')).status).toBe(200);
    expect(await accounts()).toEqual(['First administrator', 'admin']);
    const { json } = await page.send(
      'GET',
      '/api/environments/test/activity?action=connection.connect&page_size=3',
    );
    expect(json['items']).toMatchObject([
      { service: 'access', paths: ['part-of=connection.connect'], outcome: 'succeeded' },
      { service: 'secrets', outcome: 'succeeded' },
      {
        service: 'secrets',
        paths: ['part-of=console-session.sign-in'],
        person: { login_name: 'admin' },
        outcome: 'succeeded',
      },
    ]);
    await disconnect();
    expect((await connect('secrets', 'operator')).status).toBe(200);
    expect(await accounts()).toEqual([undefined, 'operator']);
    expect((await connect('access', 'admin')).status).toBe(200);
    expect(await accounts()).toEqual(['First administrator', 'operator']);
  });

  test('sends the password to no service that takes only tokens', async () => {
    await using controller = await startController();
    await using server = await startServer();
    const console = await startConsole({
      access: { kind: 'url', url: new URL(controller.url) },
      secrets: { kind: 'url', url: new URL(server.url) },
      secretsSettings: { signIn: ['token'] },
      clock: server.clock,
    });
    try {
      const page = console.browser();
      await signInAs(page, 'admin', testPassword);
      expect((await page.send('GET', '/api/connections')).json['connections']).toMatchObject([
        { service: 'access', state: 'connected' },
        { service: 'secrets', state: 'not-connected' },
      ]);
    } finally {
      await console.close();
    }
  });

  test('leaves what the user has connected before a slow service answers', async () => {
    const answering = Promise.withResolvers<void>();
    let isRevoked = false;
    let held = 0;
    await using signedIn = await signInToBoth(async ({ port }) => {
      const proxy = await faultProxy(Number(port));
      proxy.onRequest = (bytes) => {
        isRevoked ||= bytes.includes('revoke');
        if (bytes.includes('/login/') && held++ === 0) return answering.promise;
        return undefined;
      };
      return proxy;
    });
    const { page } = signedIn;
    try {
      const connected = await page.send('POST', '/api/environments/test/connections/secrets', {
        body: { credentials: { method: 'password', login_name: 'operator', password: testPassword } },
      });
      expect(connected.json).toMatchObject({ account: { name: 'operator' } });
      expect(isRevoked).toBe(false);
      answering.resolve();
      await expect.poll(() => isRevoked, { timeout: 10_000 }).toBe(true);
      expect((await page.send('GET', '/api/connections')).json['connections']).toMatchObject([
        { service: 'access' },
        { service: 'secrets', state: 'connected', account: { name: 'operator' } },
      ]);
      expect((await page.send('GET', mounts)).status).toBe(200);
    } finally {
      answering.resolve();
    }
  }, 20_000);

  test("doesn't wait for a slow service, and opens it once it responds", async () => {
    const answering = Promise.withResolvers<void>();
    await using signedIn = await signInToBoth(async ({ port }) => {
      const proxy = await faultProxy(Number(port));
      proxy.onRequest = () => answering.promise;
      return proxy;
    });
    const { page } = signedIn;
    try {
      const opened = async () => (await page.send('GET', mounts)).json;
      expect(await opened()).toMatchObject({ code: 'not-connected', service: 'secrets' });
      answering.resolve();
      await expect.poll(opened, { timeout: 10_000 }).toHaveProperty('items');
    } finally {
      answering.resolve();
    }
  }, 20_000);

  test("with a token: revokes what the console created once the server is back, but not the user's token", async () => {
    await using secrets = await startSecrets();
    const made = await secrets.direct.write('auth/token/create', { policies: ['administrator'] });
    const { client_token: token } = made.body['auth'] as { readonly client_token: string };
    const page = secrets.console.browser();
    const signedIn = await page.send('POST', '/api/session', {
      body: {
        environment: 'test',
        service: 'secrets',
        credentials: { method: 'token', token: ` ${token}\n` },
      },
    });
    expect(signedIn.status, signedIn.text).toBe(200);
    // The token is a user of its own, but counts as its creator.
    const ownerOf = ({ json }: typeof signedIn) =>
      /^test\/secrets\/(.*)#\w+$/.exec((json['person'] as Session['person']).id)?.[1];
    const creator = (await secrets.direct.read('auth/token/lookup-self')).data['entity_id'];
    expect(ownerOf(signedIn)).toBe(creator);
    await page.send('DELETE', '/api/session');
    await secrets.console.bff.upkeep();
    const own = secrets.server.with(token);
    expect((await own.read('auth/token/lookup-self')).status).toBe(200);
    for (const wrong of ['nonsense', 'with space', 'ümlaut']) {
      const refused = await page.send('POST', '/api/session', {
        body: { environment: 'test', service: 'secrets', credentials: { method: 'token', token: wrong } },
      });
      expect(refused.json).toMatchObject({ code: 'sign-in-failed' });
    }

    const policy = 'path "secret/data/*" { capabilities = ["read"] }';
    expect((await secrets.direct.write('sys/policies/acl/bare', { policy })).status).toBe(204);
    const bare = await secrets.direct.write('auth/token/create', {
      policies: ['bare'],
      no_default_policy: true,
    });
    const { client_token: unseen, accessor } = bare.body['auth'] as Record<string, string>;
    expect((await secrets.server.with(String(unseen)).read('auth/token/lookup-self')).status).toBe(403);
    const reader = secrets.console.browser();
    const withUnseen = await reader.send('POST', '/api/session', {
      body: { environment: 'test', service: 'secrets', credentials: { method: 'token', token: unseen } },
    });
    expect(withUnseen.status, withUnseen.text).toBe(200);
    expect(ownerOf(withUnseen)).toBe('');
    expect((await reader.send('GET', mounts)).status).toBe(200);
    const plugins = '/api/environments/test/secrets/plugins';
    expect((await reader.send('GET', plugins)).json).toMatchObject({ code: 'forbidden' });
    await secrets.direct.write('auth/token/revoke-accessor', { accessor });
    expect((await reader.send('GET', plugins)).json).toMatchObject({ code: 'not-connected' });

    const accessors = async () =>
      ((await secrets.direct.list('auth/token/accessors')).data['keys'] as string[]).length;
    const before = await accessors();
    const person = await secrets.signedIn('operator');
    expect(await accessors()).toBe(before + 1);
    secrets.proxy.fault = { kind: 'hang up' };
    secrets.proxy.drop();
    await person.send('DELETE', '/api/session');
    await secrets.console.bff.upkeep();
    expect(await accessors()).toBe(before + 1);
    secrets.proxy.fault = { kind: 'none' };
    secrets.console.clock.advance(120_000);
    await secrets.console.bff.upkeep();
    expect(await accessors()).toBe(before);
  });
});

describe('a token', () => {
  test('is renewed while in use, once for concurrent requests', async () => {
    await using secrets = await startSecrets();
    const made = await secrets.direct.write('auth/token/create', {
      policies: ['administrator'],
      ttl: '20m',
      renewable: true,
    });
    const { client_token: token } = made.body['auth'] as { readonly client_token: string };
    const page = secrets.console.browser();
    await page.send('POST', '/api/session', {
      body: { environment: 'test', service: 'secrets', credentials: { method: 'token', token } },
    });
    let renewals = 0;
    secrets.proxy.onRequest = (bytes) => {
      if (bytes.includes('/auth/token/renew-self')) renewals += 1;
    };
    const expiry = async () => {
      const { json } = await page.send('GET', '/api/connections');
      const [one] = json['connections'] as { expires_at: string }[];
      return Date.parse(one?.expires_at ?? '') - secrets.console.clock.now();
    };
    expect(await expiry()).toBe(20 * 60_000);
    await page.send('GET', mounts);
    expect(renewals).toBe(0);
    secrets.console.clock.advance(11 * 60_000);
    await Promise.all(Array.from({ length: 5 }, () => page.send('GET', mounts)));
    await expect.poll(expiry).toBe(20 * 60_000);
    expect(renewals).toBe(1);
    // The first token has expired, and the second hasn't.
    secrets.console.clock.advance(12 * 60_000);
    expect((await page.send('GET', mounts)).status).toBe(200);
  });

  test('must be entered again after it is revoked, but not when it lacks a permission', async () => {
    await using secrets = await startSecrets();
    const page = await secrets.signedIn('read-only');
    const denied = await page.send('PUT', `${secretsApi}/mounts/secret/settings`, {
      revision: 'x',
      body: { max_versions: 1, cas_required: false, delete_version_after: '0s' },
    });
    expect(denied.json['code']).toBe('conflict');
    const destroyed = await page.send('POST', `${secretsApi}/mounts/secret/secrets/a/undelete`, {
      body: { versions: [1] },
    });
    expect(destroyed.json['code']).toBe('not-found');
    await secrets.direct.write('secret/data/a', { data: {} });
    expect(
      (await page.send('POST', `${secretsApi}/mounts/secret/secrets/a/undelete`, { body: { versions: [1] } }))
        .json,
    ).toMatchObject({ code: 'forbidden', service: 'secrets' });

    const admin = await as(secrets.server, 'administrator');
    const keys = (await admin.list('auth/token/accessors')).data['keys'] as string[];
    for (const accessor of keys) {
      const { data } = await admin.write('auth/token/lookup-accessor', { accessor });
      if (String(data['display_name']).includes('read-only'))
        await admin.write('auth/token/revoke-accessor', { accessor });
    }
    expect((await page.send('GET', mounts)).json).toMatchObject({
      code: 'not-connected',
      service: 'secrets',
    });
    expect((await page.send('GET', '/api/connections')).json['connections']).toMatchObject([
      { state: 'expired' },
    ]);
  });
});
