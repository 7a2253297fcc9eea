/** Recorded answers of Vault 1.18 and OpenBao 2.6.2, and the console's reading of them. */
import { dataValuesLimit } from '@gatehouse/api-types/console/secret-names';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import { confirmAs, startConsole, type TestConsole } from '#test/console.ts';
import { linesOf, secretAt, secretsApi } from '#test/secrets.ts';
import { vaultServer, vaultToken, type VaultRequest, type VaultServer } from '#test/vault-server.ts';

let vault: VaultServer;
let console: TestConsole;
let page: Browser;

beforeEach(async () => {
  vault = await vaultServer();
  vault.secrets.set('db', ['{"a":1}']);
  console = await startConsole({ secrets: { kind: 'url', url: new URL(vault.url) } });
  page = console.browser();
  await page.send('POST', '/api/session', {
    body: { environment: 'test', service: 'secrets', credentials: { method: 'token', token: vaultToken } },
  });
});
afterEach(async () => {
  await console.close();
  await vault.close();
});

const folder = (mount: string, path = '') =>
  page.send(
    'GET',
    `${secretsApi}/mounts/${encodeURIComponent(mount)}/folder?path=${encodeURIComponent(path)}`,
  );
const pathOf = ({ path }: VaultRequest): string => new URL(path, 'http://server').pathname;

describe('a list', () => {
  test('without keys is an empty folder', async () => {
    vault.listsEmpty = true;
    vault.secrets.clear();
    expect((await folder('secret')).json).toEqual({ items: [], total: 0 });
    expect((await folder('secret', 'app')).json).toEqual({ items: [], total: 0 });
  });

  test('of a path without an engine is an error, not an empty folder', async () => {
    const { json } = await folder('nope');
    expect(json).toMatchObject({
      code: 'not-found',
      detail: expect.stringContaining('No engine is mounted at "nope"'),
    });
    // If the server hides the mount from the token, the list's answer shows that no engine is there.
    vault.denied.add('sys/internal/ui/mounts/nope');
    expect((await folder('nope')).json).toMatchObject({ code: 'not-found' });
  });

  test.each([
    ['is told', [200, { data: { type: 'aws', options: null } }]],
    ['is not told', [403, { errors: ['permission denied'] }]],
  ] as const)('of another engine, whose type %s to the token, is an error', async (_, told) => {
    vault.engine = ({ path }) => {
      if (path.startsWith('/v1/sys/internal/ui/mounts/aws')) return told;
      return path.startsWith('/v1/aws/')
        ? [404, { errors: ['1 error occurred:\n\t* unsupported path\n\n'] }]
        : undefined;
    };
    expect((await folder('aws')).json).toMatchObject({
      code: 'invalid-request',
      detail: expect.stringContaining('so it has no secrets to list'),
    });
  });
});

test('names and leaves out names that no address can hold, or that the server refuses individually', async () => {
  const { engine } = vault;
  const keys = ['', '/', '..', '../', 'a\tb', 'db', 'refused', 'refused/', 'x'.repeat(1025)];
  vault.engine = (request) => {
    const path = decodeURIComponent(pathOf(request));
    if (path === '/v1/secret/metadata') return [200, { data: { keys } }];
    return path.includes('refused') ? [400, { errors: ['relative paths not supported'] }] : engine?.(request);
  };
  const secrets = ['..', '/', 'a\tb', 'refused', 'x'.repeat(1025)];
  const folders = ['..', '/', 'refused'];
  const lines = async (method: string, at: string, body?: object) =>
    linesOf(await page.send(method, `${secretsApi}/mounts/secret/${at}`, { ...(body && { body }) }));
  const left = (found: Record<string, unknown>[], kind: string, isFolder?: boolean) =>
    found
      .filter((line) => line['kind'] === kind && line['folder'] === isFolder)
      .map(({ path }) => String(path))
      .sort();

  const search = await lines('GET', 'search?text=d');
  expect(search).toContainEqual({ kind: 'match', name: 'db', path: 'db', folder: false });
  expect(left(search, 'denied', true)).toEqual(folders);
  expect(search.at(-1)).toMatchObject({ kind: 'end', folders_read: 1, denied: 3 });
  const bin = await lines('GET', 'recycle-bin');
  expect(bin.at(-1)).toMatchObject({ kind: 'end', secrets: 6 });
  expect(left(bin, 'denied', true)).toEqual(folders);
  expect(left(bin, 'denied', false)).toEqual(secrets);
  const exported = await lines('POST', 'export', { folders: [''] });
  expect(exported).toContainEqual(expect.objectContaining({ kind: 'secret', path: 'db', data: '{"a":1}' }));
  expect(left(exported, 'skipped')).toEqual(secrets);
  expect(exported.at(-1)).toEqual({ kind: 'end', secrets: 1, skipped: secrets.length });
});

test("reads names as long as a server's keys, and no longer ones", async () => {
  let key = '';
  vault.engine = (request) =>
    pathOf(request) === '/v1/secret/metadata' ? [200, { data: { keys: [key] } }] : undefined;
  for (const [name, code] of [
    ['x'.repeat(32_768), undefined],
    ['x'.repeat(32_769), 'bad-answer'],
    ['a/'.repeat(2_000_000), 'bad-answer'],
  ] as const) {
    key = name;
    const bin = await page.send('GET', `${secretsApi}/mounts/secret/recycle-bin`);
    expect(bin.json['code']).toBe(code);
    const listed = await folder('secret');
    expect(listed.json['code']).toBe(code);
    if (code !== undefined)
      expect(listed.json['detail']).toBe(
        "The service's response has a name, ID, token or address of more than 32,768 characters.",
      );
  }
});

describe('an engine without versions', () => {
  beforeEach(() => {
    vault.plain.set('app/db', '{"password":"canary","n":9007199254740993}');
    vault.plain.set('top', '{}');
  });

  test('lists and searches its folders', async () => {
    expect((await folder('old')).json).toMatchObject({
      items: [
        { name: 'app', folder: true },
        { name: 'top', folder: false },
      ],
    });
    expect((await folder('old', 'app')).json).toMatchObject({ items: [{ path: 'app/db' }] });
    const found = await page.send('GET', `${secretsApi}/mounts/old/search?text=db`);
    expect(linesOf(found), found.text).toContainEqual(
      expect.objectContaining({ kind: 'match', path: 'app/db' }),
    );
    expect(vault.seen.some((request) => pathOf(request).includes('/metadata'))).toBe(false);
  });

  test('reports a secret that may not be read as forbidden, not as missing', async () => {
    vault.denied.add('old/app/db');
    expect((await page.send('GET', secretAt('app/db', '', 'old'))).json).toMatchObject({ code: 'forbidden' });
  });

  test('reads its secrets, without metadata and older versions', async () => {
    const seen = await page.send('GET', secretAt('app/db', '', 'old'));
    expect(seen.json, seen.text).toMatchObject({
      versioned: false,
      version: { structure: '{"password":null,"n":null}', created_time: '' },
      may: { read: true, update: false, create: false, write_metadata: false, delete: false },
    });
    expect(seen.text).not.toContain('canary');
    const revealed = await page.send('POST', secretAt('app/db', '/reveal', 'old'), { body: {} });
    expect(revealed.json['data']).toBe('{"password":"canary","n":9007199254740993}');
    expect((await page.send('GET', secretAt('none', '', 'old'))).json).toMatchObject({ code: 'not-found' });
    expect((await page.send('GET', `${secretAt('app/db', '', 'old')}?version=2`)).json).toMatchObject({
      code: 'not-found',
    });
    for (const asked of [`metadata/${encodeURIComponent('app/db')}`, 'settings', 'recycle-bin'])
      expect((await page.send('GET', `${secretsApi}/mounts/old/${asked}`)).json).toMatchObject({
        code: 'invalid-request',
        detail: expect.stringContaining("This engine isn't versioned (KV version 1)"),
      });
    expect((await page.send('GET', `${secretsApi}/mounts/old/capabilities`)).json).toMatchObject({
      may: { list: true, create: false },
    });
  });
});

describe('copying from an engine without versions', () => {
  beforeEach(() => {
    vault.plain.set('app/db', '{"password":"canary","n":9007199254740993}');
  });
  const transfer = (kind: 'secret' | 'folder', mode: 'copy' | 'move', name: string) =>
    page.send('POST', `${secretsApi}/transfer`, {
      body: {
        kind,
        from: { mount: 'old', path: name },
        to: { mount: 'secret', path: `new/${name}` },
        mode,
        versions: 'all',
      },
    });

  test.each(['secret', 'folder'] as const)('copies the values of a %s unchanged', async (kind) => {
    const lines = linesOf(await transfer(kind, 'copy', kind === 'secret' ? 'app/db' : 'app'));
    expect(lines.at(-1)).toMatchObject({ kind: 'end', outcome: 'done' });
    expect(vault.secrets.get('new/app/db')).toEqual(['{"password":"canary","n":9007199254740993}']);
    expect(vault.plain.size).toBe(1);
  });

  test('is refused for a secret that may not be read', async () => {
    vault.denied.add('old/app/db');
    expect((await transfer('secret', 'copy', 'app/db')).text).toContain('"forbidden"');
  });

  test('is offered instead of moving', async () => {
    const moved = await transfer('secret', 'move', 'app/db');
    expect(moved.json).toMatchObject({
      code: 'invalid-request',
      detail: expect.stringContaining('Copy them instead'),
    });
    expect(vault.secrets.has('new/app/db')).toBe(false);
  });
});

describe('a refused check-and-set, for a user who can write but not read', () => {
  beforeEach(() => {
    vault.engine = ({ method, path }) =>
      method === 'GET' && /^\/v1\/secret\/(?:data|metadata|subkeys)\//.test(path)
        ? [403, { errors: ['1 error occurred:\n\t* permission denied\n\n'] }]
        : undefined;
  });

  test('is a conflict without the stored record', async () => {
    const created = await page.send('POST', secretAt('db'), { body: { data: '{"b":2}' } });
    expect(created.json, created.text).toMatchObject({
      code: 'conflict',
      conflict: { reason: 'created', current: null, currentRevision: null },
    });
    vault.secrets.set('db', ['{"a":1}', '{"a":2}']);
    const updated = await page.send('PUT', secretAt('db'), { revision: '1', body: { data: '{"b":2}' } });
    expect(updated.json, updated.text).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining("can't be read"),
      conflict: { reason: 'modified', expectedRevision: '1', current: null },
    });
    expect(vault.secrets.get('db')).toHaveLength(2);
    expect(
      (await page.send('PUT', secretAt('db'), { revision: '2', body: { data: '{"b":2}' } })).json,
    ).toMatchObject({ revision: '3' });
  });

  test('stops an import as a conflict', async () => {
    const imported = await page.send('POST', `${secretsApi}/mounts/secret/import`, {
      body: { entries: [{ path: 'db', data: '{"b":2}', revision: '0' }] },
    });
    expect(linesOf(imported).at(-1), imported.text).toMatchObject({ kind: 'end', code: 'conflict' });
  });

  test('leaves other refusals as they are', async () => {
    const denied = vault.engine;
    vault.engine = (request) =>
      request.method === 'POST' && request.path.startsWith('/v1/secret/data/')
        ? [400, { errors: ['failed to decode JSON input: input JSON exceeded number of strings'] }]
        : denied?.(request);
    const refused = await page.send('PUT', secretAt('db'), { revision: '1', body: { data: '{"b":2}' } });
    expect(refused.json, refused.text).toMatchObject({
      code: 'invalid-request',
      detail: expect.stringContaining('too many values'),
    });
  });
});

describe('a server with check-and-set for metadata', () => {
  const settings = { cas_required: false, delete_version_after: '0s', max_versions: 0 };
  let metadata: Record<string, unknown> & { current_metadata_version: number };
  let isThere: boolean;

  beforeEach(async () => {
    isThere = true;
    metadata = {
      ...settings,
      metadata_cas_required: true,
      current_metadata_version: 4,
      current_version: 1,
      created_time: '2026-01-01T00:00:00Z',
      updated_time: '2026-01-01T00:00:00Z',
      custom_metadata: null,
      versions: { 1: { created_time: '2026-01-01T00:00:00Z', deletion_time: '', destroyed: false } },
    };
    vault.engine = ({ method, path, body }) => {
      if (path === '/v1/secret/config') {
        if (method === 'GET') return [200, { data: { ...settings, metadata_cas_required: true } }];
        expect(JSON.parse(body)).not.toHaveProperty('metadata_cas_required');
        return [204, null];
      }
      if (!path.startsWith('/v1/secret/metadata/')) return undefined;
      if (method === 'GET') return isThere ? [200, { data: metadata }] : [404, { errors: [] }];
      const { metadata_cas: cas, ...sent } = JSON.parse(body) as Record<string, unknown>;
      if (cas === undefined) {
        return [400, { errors: ['metadata check-and-set parameter required for this call'] }];
      }
      if (cas !== (isThere ? metadata.current_metadata_version : 0)) {
        return [400, { errors: ['metadata check-and-set parameter does not match the current version'] }];
      }
      isThere = true;
      metadata = { ...metadata, ...sent, current_metadata_version: metadata.current_metadata_version + 1 };
      return [204, null];
    };
    await confirmAs(page, vaultToken);
  });

  const address = `${secretsApi}/mounts/secret/metadata/db`;
  const read = async () => (await page.send('GET', address)).json;

  test('is sent the metadata version of the previous write, and keeps the flag', async () => {
    const seen = await read();
    expect(seen).toMatchObject({ metadata_cas_required: true });
    const patched = await page.send('PATCH', address, {
      revision: String(seen['revision']),
      body: { custom_metadata: { owner: 'a' } },
    });
    expect(patched.json, patched.text).toMatchObject({ custom_metadata: { owner: 'a' } });
    const set = await page.send('PUT', address, {
      revision: String(patched.json['revision']),
      body: { ...settings, max_versions: 3, custom_metadata: { owner: 'b' } },
    });
    expect(set.json, set.text).toMatchObject({ max_versions: 3, metadata_cas_required: true });
    expect(metadata.current_metadata_version).toBe(6);
    metadata = { ...metadata, metadata_cas_required: false };
    expect((await read())['revision']).not.toBe(set.json['revision']);
  });

  test('refuses a write without the current metadata version as a conflict', async () => {
    isThere = false;
    const made = await page.send('PUT', address, {
      revision: 'none',
      body: { ...settings, custom_metadata: { owner: 'a' } },
    });
    expect(made.json, made.text).toMatchObject({ custom_metadata: { owner: 'a' } });
    const { revision } = await read();
    vault.before = ({ method }) => {
      if (method === 'PATCH') metadata.current_metadata_version += 1;
    };
    const stale = await page.send('PATCH', address, {
      revision: String(revision),
      body: { custom_metadata: { owner: 'c' } },
    });
    expect(stale.json).toMatchObject({ code: 'conflict' });
    expect(metadata['custom_metadata']).toEqual({ owner: 'a' });
  });

  test("shows the engine's flag, and keeps it when settings change", async () => {
    const engine = `${secretsApi}/mounts/secret/settings`;
    const seen = await page.send('GET', engine);
    expect(seen.json).toMatchObject({ metadata_cas_required: true });
    const saved = await page.send('PUT', engine, { revision: String(seen.json['revision']), body: settings });
    expect(saved.json, saved.text).toMatchObject({ metadata_cas_required: true });
  });

  test('copies the flag', async () => {
    const sent: unknown[] = [];
    const guarded = vault.engine;
    vault.engine = (request) => {
      if (!request.path.startsWith('/v1/secret/metadata/copy')) return guarded?.(request);
      if (request.method === 'GET' && !vault.secrets.has('copy')) return [404, { errors: [] }];
      if (request.method === 'GET') {
        const bare = { ...metadata, ...settings, metadata_cas_required: false, current_metadata_version: 7 };
        return [200, { data: bare }];
      }
      sent.push(JSON.parse(request.body));
      return [204, null];
    };
    const copied = await page.send('POST', `${secretsApi}/transfer`, {
      body: {
        mode: 'copy',
        kind: 'secret',
        from: { mount: 'secret', path: 'db' },
        to: { mount: 'secret', path: 'copy' },
        versions: 'latest',
      },
    });
    expect(linesOf(copied).at(-1), copied.text).toMatchObject({ outcome: 'done' });
    expect(sent).toMatchObject([{ metadata_cas_required: true, metadata_cas: 7 }]);
  });
});

test('recognizes a lost answer, though the server reads numbers as doubles', async () => {
  vault.readsDoubles = true;
  const data = '{"big":9007199254740993,"long":0.12345678901234567891,"n":1e2}';
  let isLost = true;
  vault.before = ({ method, path }) => {
    if (!isLost || method !== 'POST' || !path.startsWith('/v1/secret/data/')) return;
    isLost = false;
    // The secret was written, and the answer is lost.
    vault.secrets.set('db', ['{"a":1}', data]);
    throw new Error('The answer is lost.');
  };
  const saved = await page.send('PUT', secretAt('db'), { revision: '1', body: { data } });
  expect(saved.json, saved.text).toMatchObject({ revision: '2' });
  vault.secrets.set('db', ['{"a":1}', '{"big":9007199254740994,"long":0.12345678901234567,"n":100}']);
  const other = await page.send('PUT', secretAt('db'), { revision: '1', body: { data } });
  expect(other.json).toMatchObject({ code: 'conflict' });
});

describe('gives the reason for a refused sign-in', () => {
  const wrong = 'The login name or the password is wrong.';
  test.each([
    ['a wrong password', 400, 'invalid username or password', wrong],
    [
      'a wrong password in a directory',
      400,
      'ldap operation failed: LDAP Result Code 49 "Invalid Credentials"',
      wrong,
    ],
    ['a missing namespace', 404, 'namespace not found', 'has no namespace "team"'],
    [
      'a missing auth method',
      404,
      'no handler for route "auth/userpass/login/ann". route entry not found.',
      'no auth method at "userpass" in the namespace "team"',
    ],
    [
      'a missing auth method, or a locked account',
      403,
      'permission denied',
      'the account is locked after too many',
    ],
    [
      'an unreachable directory',
      400,
      'error connecting to host "ldap://10.0.0.1": LDAP Result Code 200 "Network Error": dial tcp 10.0.0.1:389: connect: connection refused',
      "can't reach the directory",
    ],
    [
      'a directory that refuses the server',
      400,
      'LDAP bind (service) failed: LDAP Result Code 2 "Protocol Error":',
      'refused the secrets server',
    ],
    ['anything else', 400, 'canary-text of a plugin', wrong],
  ])('%s', async (_, status, text, words) => {
    vault.openPaths.add('/v1/auth/userpass/login/ann');
    vault.engine = () => [status, { errors: [text] }];
    const other = await startConsole({
      secrets: { kind: 'url', url: new URL(vault.url) },
      secretsSettings: { namespace: 'team' },
    });
    const answer = await other.browser().send('POST', '/api/session', {
      body: {
        environment: 'test',
        service: 'secrets',
        credentials: { method: 'password', login_name: 'ann', password: 'x' },
      },
    });
    await other.close();
    expect(answer.json).toMatchObject({ code: 'sign-in-failed', detail: expect.stringContaining(words) });
    expect(answer.text).not.toContain('canary');
    expect(answer.text).not.toContain('10.0.0.1');
  });

  test("doesn't call a server's internal error a wrong password", async () => {
    vault.openPaths.add('/v1/auth/userpass/login/ann');
    vault.engine = () => [500, { errors: ['1 error occurred:\n\t* internal error\n\n'] }];
    const answer = await console.browser().send('POST', '/api/session', {
      body: {
        environment: 'test',
        service: 'secrets',
        credentials: { method: 'password', login_name: 'ann', password: 'x' },
      },
    });
    expect(answer.json).toMatchObject({ code: 'bad-answer' });
  });
});

test.each([
  ['openbao', { version: '2.6.2' }],
  ['vault', { version: '1.18.1', enterprise: false }],
  ['vault', { version: '2.0.0+ent', enterprise: true }],
  ['built-in', { version: '0.1.0', enterprise: false }],
  [null, {}],
] as const)("connections name the server's software: %s", async (product, edition) => {
  vault.edition = edition;
  const other = await startConsole({
    secrets: { kind: 'url', url: new URL(vault.url) },
    secretsSettings: { namespace: 'team/app', passwordMount: 'ldap/eu' },
  });
  const browser = other.browser();
  await browser.send('POST', '/api/session', {
    body: { environment: 'test', service: 'secrets', credentials: { method: 'token', token: vaultToken } },
  });
  const { json } = await browser.send('GET', '/api/connections');
  await other.close();
  expect(json['connections']).toMatchObject([
    {
      product,
      namespace: 'team/app',
      sign_in_mount: 'ldap/eu',
      version: 'version' in edition ? edition.version : null,
    },
  ]);
});

test('refuses to read a secret with too many values, and exports the others', async () => {
  const dataOf = (values: number) => `{"a":[${Array.from({ length: values }, () => '{}').join()}]}`;
  vault.secrets.set('long', [dataOf(dataValuesLimit - 2)]);
  vault.secrets.set('longer', [dataOf(dataValuesLimit + 100)]);
  vault.plain.set('longer', dataOf(dataValuesLimit + 100));
  const tooLarge = {
    code: 'payload-too-large',
    detail:
      'This secret has more than 20,000 values, which is too many for the console. Read and change it with the command line.',
  };
  expect((await page.send('GET', secretAt('long'))).status).toBe(200);
  expect((await page.send('GET', secretAt('longer'))).json).toMatchObject(tooLarge);
  expect((await page.send('GET', secretAt('longer', '', 'old'))).json).toMatchObject(tooLarge);
  expect((await page.send('POST', secretAt('longer', '/reveal'), { body: {} })).json).toMatchObject(tooLarge);
  const exported = await page.send('POST', `${secretsApi}/mounts/secret/export`, { body: { folders: [''] } });
  expect(linesOf(exported).filter(({ kind }) => kind !== 'secret')).toEqual([
    { kind: 'skipped', path: 'longer', detail: tooLarge.detail },
    { kind: 'end', secrets: 2, skipped: 1 },
  ]);
});

test('refuses changes after which a secret would have too many values', async () => {
  const fields = (prefix: string, count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, 1])));
  vault.secrets.set('long', [fields('a', dataValuesLimit - 10)]);
  vault.engine = ({ method }) => (method === 'PATCH' ? [405, { errors: [] }] : undefined);
  const patch = (data: string) => page.send('PATCH', secretAt('long'), { revision: '1', body: { data } });
  expect((await patch(fields('b', 10))).json).toMatchObject({
    code: 'payload-too-large',
    detail:
      'With these changes, the secret would have more than 20,000 values. Remove some fields, or split it into several secrets.',
  });
  expect((await patch(fields('b', 9))).json).toMatchObject({ revision: '2' });
});

describe('the reason for a refusal', () => {
  const framed = (text: string) => ({ errors: [`1 error occurred:\n\t* ${text}\n\n`] });

  test.each([
    [
      500,
      'put failed due to value being too large; got 1300000 bytes, max: 1048576 bytes',
      'payload-too-large',
      'This is larger than the secrets server can store in one entry. The limit is 1,048,576 bytes.',
    ],
    [
      400,
      'failed to parse JSON input: JSON payload exceeds max nesting depth: 300',
      'invalid-request',
      "The secrets server refuses this: a text is too long, there are too many values, or they are nested too deeply. Split it into several secrets, or have an operator raise the listener's limits.",
    ],
    [
      500,
      'JSON string value exceeds allowed length',
      'invalid-request',
      "The secrets server refuses this: a text is too long, there are too many values, or they are nested too deeply. Split it into several secrets, or have an operator raise the listener's limits.",
    ],
    [
      400,
      'value has too many members (at most 20000)',
      'payload-too-large',
      'This has more values than the secrets server accepts. Split it into several secrets.',
    ],
    [
      400,
      'bad value correct-horse-battery',
      'invalid-request',
      'The secrets server refused the request as invalid.',
    ],
    [
      500,
      'barrier write failed of correct-horse-battery',
      'bad-answer',
      'The secrets server returned an error (status 500). Its log says why.',
    ],
  ])("is given in the console's words: %d %s", async (status, text, code, detail) => {
    vault.engine = ({ method, path }) =>
      method === 'POST' && path.startsWith('/v1/secret/data/') ? [status, framed(text)] : undefined;
    const { json } = await page.send('POST', secretAt('large'), {
      body: { data: '{"password":"correct-horse-battery"}' },
    });
    expect(json).toMatchObject({ code, detail });
    expect(JSON.stringify(json)).not.toContain('correct-horse');
  });

  test("is given for a plugin that doesn't start", async () => {
    const text = 'error creating backend: fork/exec /plugins/aws: exec format error';
    vault.engine = ({ method, path }) => {
      if (method === 'GET' && /^\/v1\/sys\/(?:mounts|auth)$/.test(path)) return [200, { data: {} }];
      return method === 'POST' && path === '/v1/sys/mounts/cloud' ? [400, framed(text)] : undefined;
    };
    await confirmAs(page, vaultToken);
    const { json } = await page.send('POST', `${secretsApi}/cloud`, {
      body: { mount: 'cloud', plugin: 'aws', description: '' },
    });
    expect(json).toMatchObject({
      code: 'invalid-request',
      detail: "The server couldn't start the plugin. Its log says why.",
    });
  });
});
