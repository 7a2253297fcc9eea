import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import { startConsole, type TestConsole } from '#test/console.ts';
import { linesOf, secretAt, secretsApi } from '#test/secrets.ts';
import { vaultPassword, vaultServer, vaultToken, type VaultServer } from '#test/vault-server.ts';

let vault: VaultServer;
let console: TestConsole;
let page: Browser;

const signIn = () =>
  page.send('POST', '/api/session', {
    body: { environment: 'test', service: 'secrets', credentials: { method: 'token', token: vaultToken } },
  });

beforeEach(async () => {
  vault = await vaultServer();
  vault.secrets.set('db', ['{"b":1,"a":{"p":"canary"}}']);
  console = await startConsole({ secrets: { kind: 'url', url: new URL(vault.url) } });
  page = console.browser();
  expect((await signIn()).status).toBe(200);
});
afterEach(async () => {
  await console.close();
  await vault.close();
});

describe("a server without the built-in server's additions", () => {
  test('takes field names from the values where the server has no subkeys', async () => {
    const seen = await page.send('GET', secretAt('db'));
    expect(seen.json).toMatchObject({
      revision: '1',
      version: { structure: '{"b":null,"a":{"p":null}}', custom_metadata: {} },
    });
    expect(seen.text).not.toContain('canary');
  });

  test('returns search results in tree order, however late a folder responds', async () => {
    for (const name of ['a/', 'b/', 'c/']) vault.secrets.set(`${name}db`, ['{}']);
    const { promise, resolve } = Promise.withResolvers<void>();
    let asked = 0;
    // Folder a responds only after folders b and c.
    vault.before = ({ path }) => {
      if (/metadata\/[bc]\b.*list=true/.test(path) && ++asked === 2) resolve();
      return /metadata\/a\b.*list=true/.test(path) ? promise : undefined;
    };
    const lines = linesOf(await page.send('GET', `${secretsApi}/mounts/secret/search?text=db`));
    expect(lines.filter(({ kind }) => kind === 'match').map(({ path }) => path)).toEqual([
      'a/db',
      'b/db',
      'c/db',
      'db',
    ]);
    expect(lines.at(-1)).toMatchObject({ kind: 'end', folders_read: 4, found: 4 });
  });

  test('pages lists itself', async () => {
    for (const name of ['e', 'c', 'd', 'x/']) vault.secrets.set(name, ['{}']);
    const folder = (query: string) => page.send('GET', `${secretsApi}/mounts/secret/folder?${query}`);
    const first = await folder('page_size=2');
    expect(first.json).toMatchObject({ items: [{ name: 'c' }, { name: 'd' }], next_after: 'd', total: 5 });
    const next = await folder('page_size=2&after=d');
    expect(next.json).toMatchObject({ items: [{ name: 'db' }, { name: 'e' }], next_after: 'e' });
    const last = await folder('page_size=2&after=e');
    expect(last.json).toMatchObject({ items: [{ name: 'x', folder: true }] });
    expect(last.json).not.toHaveProperty('next_after');
    expect((await folder('page_size=5')).json).toMatchObject({ total: 5 });
  });

  test('lists key-value engines of both versions, and no others', async () => {
    expect((await page.send('GET', `${secretsApi}/mounts`)).json['items']).toMatchObject([
      { path: 'old', version: 1 },
      { path: 'secret', version: 2 },
    ]);
  });

  test('undeletes a version that was written just before a deletion, and reports a conflict', async () => {
    vault.before = ({ method }) => {
      if (method === 'DELETE') vault.secrets.set('db', ['{"n":1}', '{"n":"theirs"}']);
    };
    const answer = await page.send('DELETE', secretAt('db'), { revision: '1' });
    expect(answer.json, answer.text).toMatchObject({
      code: 'conflict',
      conflict: { currentRevision: '2', current: { version: 2, state: 'readable' } },
    });
    expect([...vault.deleted]).toEqual([]);
    vault.before = undefined;
    expect((await page.send('DELETE', secretAt('db'), { revision: '2' })).status).toBe(204);
    expect([...vault.deleted]).toEqual(['db@2']);
    expect((await page.send('GET', secretAt('db'))).json).toMatchObject({
      version: { version: 2, state: 'deleted', structure: null },
    });
  });

  test('writes nothing to an engine without versions', async () => {
    for (const [method, address, request] of [
      ['POST', secretAt('a', '', 'old'), { body: { data: '{}' } }],
      ['PUT', secretAt('a', '', 'old'), { revision: '1', body: { data: '{}' } }],
      ['PATCH', secretAt('a', '', 'old'), { revision: '1', body: { data: '{}' } }],
    ] as const) {
      const answer = await page.send(method, address, request);
      expect(answer.json).toMatchObject({
        code: 'invalid-request',
        detail: expect.stringMatching(/versioned/),
      });
    }
    expect(vault.seen.filter(({ method, path }) => method !== 'GET' && path.startsWith('/v1/old'))).toEqual(
      [],
    );
  });

  test('decides conflicts by version numbers', async () => {
    vault.secrets.set('db', ['{"n":1}', '{"n":2}']);
    const stale = await page.send('PUT', secretAt('db'), { revision: '1', body: { data: '{"n":3}' } });
    expect(stale.json).toMatchObject({
      code: 'conflict',
      conflict: {
        currentRevision: '2',
        current: { version: 2, structure: '{"n":null}' },
        base: { version: 1, structure: '{"n":null}' },
      },
    });
    const own = await page.send('PUT', secretAt('db'), { revision: '1', body: { data: '{ "n": 2 }' } });
    expect(own.json).toMatchObject({ revision: '2' });
  });
});

describe('a server that is not the active one', () => {
  test.each([
    ['standby that redirects', false],
    ['standby without an active one', false],
    ['standby without an active one', true],
  ] as const)(
    'answers with its own code, and sends no token to the redirect: %s (old: %j)',
    async (state, oldHealth) => {
      vault.state = state;
      vault.oldHealth = oldHealth;
      expect((await page.send('GET', secretAt('db'))).json).toMatchObject({
        status: 503,
        code: 'service-standby',
      });
      expect(
        (await page.send('PUT', secretAt('db'), { revision: '1', body: { data: '{}' } })).json,
      ).toMatchObject({ code: 'service-standby' });
      console.clock.advance(5_000);
      expect((await page.send('GET', '/api/connections')).json['connections']).toMatchObject([
        { state: 'standby', detail: expect.any(String) },
      ]);
      vault.state = 'active';
      expect((await page.send('GET', secretAt('db'))).status).toBe(200);
    },
  );

  test('is shown with its software when sealed, and signing in reports that it is sealed', async () => {
    vault.edition = { version: '2.6.2' };
    vault.state = 'sealed';
    console.clock.advance(5_000);
    expect((await page.send('GET', '/api/connections')).json['connections']).toMatchObject([
      { state: 'sealed', product: 'openbao', version: '2.6.2' },
    ]);
    expect((await page.send('GET', secretAt('db'))).json).toMatchObject({ code: 'service-sealed' });
    const other = console.browser();
    const answer = await other.send('POST', '/api/session', {
      body: { environment: 'test', service: 'secrets', credentials: { method: 'token', token: vaultToken } },
    });
    expect(answer.json).toMatchObject({ code: 'service-sealed' });
  });
});

describe('403', () => {
  test('means a missing right while the token is valid, and otherwise requires a sign-in', async () => {
    vault.denied.add('secret/data/db');
    expect((await page.send('POST', secretAt('db', '/reveal'), { body: {} })).json).toMatchObject({
      code: 'forbidden',
    });
    vault.tokenLives = false;
    expect((await page.send('POST', secretAt('db', '/reveal'), { body: {} })).json).toMatchObject({
      code: 'not-connected',
    });
  });

  test("no rights are claimed if the server doesn't report them", async () => {
    vault.tellsRights = false;
    expect((await page.send('GET', secretAt('db'))).json).toMatchObject({ revision: '1', may: null });
    expect((await page.send('GET', `${secretsApi}/mounts`)).json['items']).toMatchObject([
      { may: null },
      { may: null },
    ]);
  });
});

test('uses the configured namespace and auth method', async () => {
  expect(vault.seen.some(({ headers }) => headers['x-vault-namespace'] !== undefined)).toBe(false);
  const other = await startConsole({
    secrets: { kind: 'url', url: new URL(`${vault.url}/behind/a-proxy/`) },
    secretsSettings: { namespace: 'team/app', passwordMount: 'ldap/eu' },
  });
  vault.seen.length = 0;
  await other.browser().send('POST', '/api/session', {
    body: {
      environment: 'test',
      service: 'secrets',
      credentials: { method: 'password', login_name: 'ann b', password: 'canary-password' },
    },
  });
  expect(vault.seen).toMatchObject([
    {
      method: 'POST',
      path: '/behind/a-proxy/v1/auth/ldap/eu/login/ann%20b',
      headers: { 'x-vault-namespace': 'team/app' },
      body: '{"password":"canary-password"}',
    },
  ]);
  expect(vault.seen.some(({ path }) => path.includes('canary'))).toBe(false);
  await other.close();
});

describe('an account with a second factor', () => {
  const withPassword = (browser: Browser, password = vaultPassword) =>
    browser.send('POST', '/api/session', {
      body: {
        environment: 'test',
        service: 'secrets',
        credentials: { method: 'password', login_name: 'person', password },
      },
    });
  const refusal = {
    code: 'two-factor-unsupported',
    service: 'secrets',
    detail: expect.stringMatching(/requires a second factor.*sign in here with the token/) as string,
  };

  test("can't sign in with only its password, and the answer says why", async () => {
    const browser = console.browser();
    vault.secondFactor = true;
    const answer = await withPassword(browser);
    expect(answer.json, answer.text).toMatchObject(refusal);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect((await browser.send('GET', '/api/session')).json).toMatchObject({ code: 'unauthenticated' });
    expect(vault.seen.every(({ headers }) => headers['x-vault-token'] !== '')).toBe(true);
    // The limit counts only wrong passwords, and this one was right.
    for (let n = 0; n < 10; n++) expect((await withPassword(browser)).json).toMatchObject(refusal);
    vault.secondFactor = false;
    expect((await withPassword(browser)).status).toBe(200);
  });

  test.each([
    ['a token beside the requirement', vaultToken, 'two-factor-unsupported'],
    ['a token of nothing but space', ' ', 'bad-answer'],
    ['a token that could be no header', 'a\tb', 'bad-answer'],
  ])('is not signed in by %s', async (_what, token, code) => {
    const browser = console.browser();
    vault.secondFactor = code === 'two-factor-unsupported';
    vault.issuedToken = token;
    expect((await withPassword(browser)).json).toMatchObject({ code });
    expect(browser.cookie).toBeUndefined();
  });

  test('refuses connecting and confirming with the password only', async () => {
    expect((await withPassword(page)).status).toBe(200);
    vault.secondFactor = true;
    const confirmed = await page.send('POST', '/api/session/confirm', {
      body: { environment: 'test', service: 'secrets', secret: vaultPassword },
    });
    expect(confirmed.json, confirmed.text).toMatchObject(refusal);
    const connected = await page.send('POST', '/api/environments/test/connections/secrets', {
      body: { credentials: { method: 'password', login_name: 'person', password: vaultPassword } },
    });
    expect(connected.json, connected.text).toMatchObject(refusal);
    // The existing connection is kept.
    expect((await page.send('GET', `${secretsApi}/mounts`)).status).toBe(200);
  });
});
