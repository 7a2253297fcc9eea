/** Plugins and the cloud engine, tested with recorded answers of OpenBao 2.6.2 and its AWS engine. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import { engineAt, roleAt, userRole } from '#test/cloud.ts';
import { startConsole, type TestConsole, confirmAs } from '#test/console.ts';
import { secretsApi } from '#test/secrets.ts';
import { vaultServer, vaultToken, type VaultRequest, type VaultServer } from '#test/vault-server.ts';

const sha = 'a'.repeat(64);
const plugin = 'openbao-plugin-secrets-aws';
const builtin = { builtin: true, deprecation_status: 'supported', version: 'v2.6.2+builtin.bao' };
const mount = {
  type: plugin,
  description: '',
  options: {},
  plugin_version: 'v1.0.0',
  running_plugin_version: 'v1.0.0',
  running_sha256: sha,
};
const root = {
  access_key: 'AKIAEXAMPLE',
  iam_endpoint: '',
  max_retries: -1,
  region: 'us-east-1',
  sts_endpoint: '',
  username_template: '{{ .DisplayName }}',
  rotation_window: 0,
  rotation_schedule: '',
};

let vault: VaultServer;
let console: TestConsole;
let page: Browser;
let wire: Map<string, unknown>;
let rewritten: Record<string, unknown>;
/** Fields that the server ignores. */
let ignored: readonly string[];
/** Whether the server's answers to writes are lost. */
let losesAnswers: boolean;

/** Stores what is written, and returns it the way the server would. */
function answer({ method, path, body }: VaultRequest): readonly [number, unknown] | undefined {
  const { pathname, searchParams } = new URL(path, 'http://server');
  const at = decodeURIComponent(pathname.slice('/v1/'.length)) + (searchParams.get('version') ?? '');
  if (at.startsWith('sys/plugins/pins') || at.startsWith('sys/plugins/reload/secret'))
    return [404, { errors: ['1 error occurred:\n\t* unsupported path\n\n'] }];
  if (at === 'sys/plugins/reload/backend') return [200, { data: { reload_id: body } }];
  if (!/^(?:cloud|sys\/plugins|sys\/mounts|sys\/auth|sys\/internal\/ui\/mounts)\b/.test(at)) return undefined;
  if (method === 'GET') {
    const data = wire.get(searchParams.has('list') ? `${at}?list` : at);
    if (data === 'denied') return [403, { errors: ['permission denied'] }];
    return data === undefined ? [404, { errors: [] }] : [200, { data, warnings: null }];
  }
  if (method === 'DELETE') {
    wire.delete(at);
    return [204, null];
  }
  const sent = JSON.parse(body) as Record<string, unknown>;
  rewritten = sent;
  const { policy_document: document = '', ...known } = sent;
  const fields = Object.fromEntries(Object.entries(known).filter(([name]) => !ignored.includes(name)));
  const before = wire.get(at);
  const kept = at === 'cloud/config/root' ? {} : before;
  wire.set(at, { ...(typeof kept === 'object' && kept), ...fields, policy_document: document });
  return losesAnswers ? [502, null] : [204, null];
}

beforeEach(async () => {
  vault = await vaultServer();
  vault.engine = answer;
  ignored = [];
  losesAnswers = false;
  wire = new Map<string, unknown>([
    ['sys/mounts', 'denied'],
    ['sys/auth', 'denied'],
    ['sys/internal/ui/mounts', { auth: { 'token/': { type: 'token' } }, secret: { 'cloud/': mount } }],
    ['sys/internal/ui/mounts/cloud', { ...mount, path: 'cloud/' }],
    [
      'sys/plugins/catalog',
      {
        auth: ['userpass'],
        database: null,
        secret: ['bogus/mine', 'kv', 'mine'],
        detailed: [
          { type: 'auth', name: 'userpass', ...builtin },
          { type: 'secret', name: 'bogus/mine', builtin: false, sha256: sha, version: '' },
          { type: 'secret', name: 'kv', builtin: false, sha256: sha, version: '' },
          { type: 'secret', name: plugin, builtin: false, sha256: sha, version: 'v1.0.0', declarative: true },
        ],
      },
    ],
    [`sys/plugins/catalog/secret/kvv2.6.2+builtin.bao`, { args: null, command: '', sha256: '', ...builtin }],
    [
      `sys/plugins/catalog/secret/${plugin}v1.0.0`,
      {
        args: null,
        builtin: false,
        command: plugin,
        declarative: true,
        name: plugin,
        oci: false,
        sha256: sha,
        version: 'v1.0.0',
      },
    ],
    ['cloud/config/root', root],
    ['cloud/roles?list', { keys: ['b', 'l3'] }],
    [
      'cloud/roles/b',
      {
        credential_type: 'assumed_role',
        default_sts_ttl: 3600,
        iam_groups: null,
        iam_tags: null,
        max_sts_ttl: 7200,
        permissions_boundary_arn: '',
        policy_arns: null,
        policy_document: '',
        role_arns: ['arn:aws:iam::123456789012:role/x'],
        user_path: '',
        external_id: 'e',
        session_tags: { a: 'b' },
        mfa_serial_number: 'm',
      },
    ],
    [
      'cloud/roles/l3',
      { credential_type: 'iam_user,federation_token', iam_tags: ['team=web'], invalid_data: '{"old":1}' },
    ],
  ]);
  console = await startConsole({ secrets: { kind: 'url', url: new URL(vault.url) } });
  page = console.browser();
  await page.send('POST', '/api/session', {
    body: { environment: 'test', service: 'secrets', credentials: { method: 'token', token: vaultToken } },
  });
  // Changes to plugins and roles require a recent confirmation.
  await confirmAs(page, vaultToken);
});
afterEach(async () => {
  await console.close();
  await vault.close();
});

const at = (id: string, more = ''): string => `${secretsApi}/plugins/${encodeURIComponent(id)}${more}`;

test('lists the plugins of `detailed`, and the mounts that the token can see', async () => {
  const { json } = await page.send('GET', `${secretsApi}/plugins`);
  expect(json).toMatchObject({
    items: [
      { id: 'auth/userpass@v2.6.2+builtin.bao', shadowed: false },
      { id: 'secret/bogus/mine', name: 'bogus/mine' },
      { id: 'secret/kv' },
      { id: `secret/${plugin}@v1.0.0`, declarative: true },
      { id: 'secret/kv@v2.6.2+builtin.bao', builtin: true, shadowed: true },
    ],
    mounts: [{ path: 'cloud', plugin, running_sha256: sha }],
    pins: null,
  });
  expect((await page.send('GET', `${secretsApi}/cloud`)).json).toMatchObject({
    items: [{ mount: 'cloud', plugin, configured: true, running_version: 'v1.0.0' }],
    available: [plugin],
  });
});

test('reloads a plugin of the configuration file by its name, and refuses to change it', async () => {
  const id = `secret/${plugin}@v1.0.0`;
  const { json } = await page.send('GET', at(id));
  expect(json).toMatchObject({
    declarative: true,
    args: [],
    pinned_version: null,
    mounts: [{ path: 'cloud' }],
  });
  expect(json).toMatchObject({ state: 'runs' });
  const revision = String(json['revision']);
  for (const [method, request] of [
    ['DELETE', { revision }],
    ['PATCH', { revision, body: { command: 'x' } }],
  ] as const) {
    expect((await page.send(method, at(id), request)).json).toMatchObject({
      code: 'forbidden',
      detail: expect.stringContaining('configuration file'),
    });
  }
  expect((await page.send('POST', at(id, '/reload'), { body: {} })).json).toEqual({
    reload_id: JSON.stringify({ plugin }),
  });
  expect((await page.send('PUT', at(id, '/pin'), { revision: 'none' })).json).toMatchObject({
    code: 'invalid-request',
    detail: expect.stringContaining('each mount'),
  });
});

test('names a field that the server silently drops', async () => {
  const registered = { ...builtin, builtin: false, version: '', sha256: sha, command: 'mine', args: [] };
  const kept = vault.engine;
  vault.engine = (request) => {
    const found = kept?.(request);
    if (request.method === 'POST' && request.path.endsWith('/catalog/secret/mine'))
      wire.set('sys/plugins/catalog/secret/mine', registered);
    return found;
  };
  const body = {
    type: 'secret',
    name: 'mine',
    version: '',
    sha256: sha,
    command: 'mine',
    args: [],
    oci_image: 'registry/mine',
    runtime: '',
  };
  expect((await page.send('POST', `${secretsApi}/plugins`, { body })).json).toMatchObject({
    code: 'bad-answer',
    fields: [{ path: 'oci_image' }],
  });
  expect(rewritten).toEqual({ sha256: sha, command: 'mine', oci_image: 'registry/mine' });
  const trail = await page.send('GET', '/api/environments/test/activity?action=plugin.create');
  expect(trail.json['items']).toMatchObject([
    { outcome: 'succeeded', problem: 'not-kept=oci_image', revision_after: expect.stringMatching(/./) },
  ]);
});

test("says why Vault refuses a plugin's registration or deletion", async () => {
  const stored = `sys/plugins/catalog/secret/${plugin}v1.0.0`;
  wire.set(stored, { ...Object(wire.get(stored)), declarative: false });
  const at = `${secretsApi}/plugins/${encodeURIComponent(`secret/${plugin}@v1.0.0`)}`;
  const found = await page.send('GET', at);
  vault.engine = (request) => {
    if (request.method === 'GET') return answer(request);
    return request.method === 'DELETE'
      ? [500, { errors: ['1 error occurred:\n\t* cannot delete a pinned version\n\n'] }]
      : [400, { errors: ['must provide at least one of sha256 or version: use sha256 for …'] }];
  };
  const { type, name, sha256, command, args, oci_image, runtime } = found.json;
  const body = { type, name, version: 'v2.0.0', sha256, command, args, oci_image, runtime };
  expect((await page.send('POST', `${secretsApi}/plugins`, { body })).json).toMatchObject({
    fields: [{ path: 'sha256', message: "The server requires the plugin's SHA-256." }],
  });
  const revision = String(found.json['revision']);
  expect((await page.send('DELETE', at, { revision })).json).toMatchObject({
    code: 'invalid-request',
    detail: 'This version is pinned. Remove the pin first.',
  });
});

test("keeps fields that the console doesn't know", async () => {
  const role = await page.send('GET', roleAt('b'));
  expect(role.json).toMatchObject({
    role_arns: ['arn:aws:iam::123456789012:role/x'],
    policy_arns: [],
    iam_tags: {},
    external_id: 'e',
    session_tags: { a: 'b' },
    other: { mfa_serial_number: 'm' },
  });
  const changed = await page.send('PATCH', roleAt('b'), {
    revision: String(role.json['revision']),
    body: { max_sts_ttl: '3h' },
  });
  expect(changed.json, changed.text).toMatchObject({
    max_sts_ttl: 10_800,
    other: { mfa_serial_number: 'm' },
  });
  expect(rewritten).toEqual({
    credential_type: 'assumed_role',
    role_arns: ['arn:aws:iam::123456789012:role/x'],
    default_sts_ttl: 3600,
    max_sts_ttl: 10_800,
    external_id: 'e',
    session_tags: ['a=b'],
    mfa_serial_number: 'm',
  });
  const seen = await page.send('GET', engineAt('/root'));
  expect(seen.json['other']).toEqual({
    username_template: '{{ .DisplayName }}',
    rotation_window: 0,
    rotation_schedule: '',
  });
  const saved = await page.send('PUT', engineAt('/root'), {
    revision: String(seen.json['revision']),
    body: { ...pick(seen.json), access_key: 'AKIAOTHER', secret_key: 'canary', region: '' },
  });
  expect(saved.status, saved.text).toBe(200);
  expect(saved.text).not.toContain('canary');
  expect(rewritten).toEqual({
    access_key: 'AKIAOTHER',
    secret_key: 'canary',
    // Vault keeps what isn't sent.
    region: '',
    iam_endpoint: '',
    sts_endpoint: '',
    max_retries: -1,
    username_template: '{{ .DisplayName }}',
    rotation_window: 0,
  });
});

test("reports root credentials as rotated if only the previous key couldn't be deleted", async () => {
  vault.engine = (request) => {
    if (!request.path.endsWith('/config/rotate-root')) return answer(request);
    wire.set('cloud/config/root', { ...root, access_key: 'AKIANEW' });
    return [500, { errors: ['1 error occurred:\n\t* error deleting old access key: AccessDenied: no\n\n'] }];
  };
  const { json } = await page.send('POST', engineAt('/root/rotate'));
  expect(json).toMatchObject({
    access_key: 'AKIANEW',
    previous_access_key: 'AKIAEXAMPLE',
    warnings: [expect.stringContaining('may not have deleted the previous access key, AKIAEXAMPLE')],
  });
});

test.each([
  ['', false],
  [', where the answer to the write is lost too', true],
])('reports a field that the server ignores%s', async (_, isLost) => {
  losesAnswers = isLost;
  ignored = ['external_id', 'session_tags'];
  wire.set('cloud/roles/b', {
    credential_type: 'assumed_role',
    role_arns: ['arn:aws:iam::123456789012:role/x'],
  });
  const role = await page.send('GET', roleAt('b'));
  const changed = await page.send('PATCH', roleAt('b'), {
    revision: String(role.json['revision']),
    body: { external_id: 'partner-7', max_sts_ttl: '2h' },
  });
  expect(changed.json, changed.text).toMatchObject({ external_id: '', not_kept: ['external_id'] });
  const created = await page.send('POST', engineAt('/roles'), {
    body: {
      name: 'ignoring',
      credential_type: 'assumed_role',
      role_arns: ['arn:aws:iam::123456789012:role/x'],
      policy_arns: [],
      policy_document: '',
      iam_groups: [],
      iam_tags: {},
      session_tags: { team: 'web' },
      external_id: '',
      default_sts_ttl: '',
      max_sts_ttl: '',
      user_path: '',
      permissions_boundary_arn: '',
    },
  });
  expect(created.json, created.text).toMatchObject({ session_tags: {}, not_kept: ['session_tags'] });
});

test('reports a conflict, not an ignored field, when someone else removed the value', async () => {
  const role = await page.send('GET', roleAt('b'));
  const { external_id: _, ...others } = wire.get('cloud/roles/b') as Record<string, unknown>;
  wire.set('cloud/roles/b', others);
  const changed = await page.send('PATCH', roleAt('b'), {
    revision: String(role.json['revision']),
    body: { external_id: 'partner-7' },
  });
  expect(changed.json).toMatchObject({ code: 'conflict' });
});

function pick({ region, iam_endpoint, sts_endpoint, max_retries }: Record<string, unknown>) {
  return { region, iam_endpoint, sts_endpoint, max_retries };
}

test.each([
  [
    'Field validation failed: error converting input for field "policy_document": text of more than 65536 characters',
    'The policy document is too long: it can have at most 65,536 characters.',
  ],
  [
    'Field validation failed: error converting input for field "policy_document": more than 5000 members and elements',
    'The policy document has too many members and elements: it can have at most 5,000.',
  ],
  ['cannot parse policy document: "{bad"', "The policy document isn't valid JSON."],
  [
    'cannot parse policy document: the member "Effect" is listed twice',
    'The policy document has a duplicate key.',
  ],
  [
    'cannot parse policy document: it is nested more than 32 levels deep',
    'The policy document is nested too deeply.',
  ],
])('says why a policy document is refused: %s', async (text, detail) => {
  vault.engine = (request) =>
    request.method === 'POST' && request.path.startsWith('/v1/cloud/roles/')
      ? [400, { errors: [text] }]
      : answer(request);
  const body = { name: 'refused', ...userRole, policy_document: '{}' };
  const { json } = await page.send('POST', engineAt('/roles'), { body });
  expect(JSON.stringify(json)).toContain(detail);
});

test("shows an earlier server's roles unchanged, and reads a missing list of roles as empty", async () => {
  expect((await page.send('GET', roleAt('l3'))).json).toMatchObject({
    legacy: true,
    iam_tags: { team: 'web' },
    invalid_data: '{"old":1}',
    other: {},
  });
  wire.delete('cloud/roles?list');
  expect((await page.send('GET', engineAt('/roles'))).json).toEqual({ items: [], total: 0 });
  expect((await page.send('GET', engineAt('/lease'))).json).toMatchObject({ configured: false });
  const { json } = await page.send('GET', roleAt('b'));
  // OpenBao answers 204 to the deletion of a role whether the role exists or not.
  expect((await page.send('DELETE', roleAt('b'), { revision: String(json['revision']) })).status).toBe(204);
});

test('notices within 15 seconds that an engine was replaced by one of another type', async () => {
  const read = async () => (await page.send('GET', roleAt('b'))).json;
  expect(await read()).toMatchObject({ name: 'b' });
  wire.set('sys/internal/ui/mounts/cloud', { ...mount, type: 'kv', path: 'cloud/' });
  expect(await read()).toMatchObject({ name: 'b' });
  console.clock.advance(15_000);
  expect(await read()).toMatchObject({ code: 'invalid-request' });
});

test('reads only the beginning of a long refusal', async () => {
  const refuse = async (text: string) => {
    vault.engine = (request) =>
      request.path.includes('/cloud/creds/') ? [400, { errors: [text] }] : answer(request);
    return (await page.send('POST', roleAt('b', '/credentials'), { body: { from: 'creds' } })).json;
  };
  const start = performance.now();
  expect(await refuse(`Throttling ${'role '.repeat(60_000)}`)).toMatchObject({ code: 'rate-limited' });
  expect(performance.now() - start).toBeLessThan(2000);
  expect(await refuse(`${'-'.repeat(2000)} Throttling`)).toMatchObject({ code: 'invalid-request' });
});
