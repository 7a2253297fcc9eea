/** The plugin catalog with the embedded server, which runs none of the tests' plugins. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { testPassword } from '@gatehouse/secrets-server/testing/server';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import { confirmAs } from '#test/console.ts';
import { secretsApi, startSecrets, type SecretsConsole } from '#test/secrets.ts';

const folder = temporaryFolder();
writeFileSync(folder.file('mine'), 'a program');
writeFileSync(folder.file('other'), 'another program');
const hash = createHash('sha256').update('a program');
const hex = hash.copy().digest('hex');
const base64 = hash.digest('base64');
const canary = 'canary-of-the-environment';

let live: SecretsConsole;
let admin: Browser;
beforeAll(async () => {
  live = await startSecrets({}, { pluginDirectory: folder.path });
  admin = await live.signedIn();
  await confirmAs(admin, testPassword);
});
afterAll(async () => {
  await live[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const fields = { sha256: hex, command: 'mine', args: [], oci_image: '', runtime: '' };
const create = (body: object, page = admin): Promise<BrowserAnswer> =>
  page.send('POST', `${secretsApi}/plugins`, { body: { type: 'secret', version: '', ...fields, ...body } });
const at = (id: string, more = ''): string => `${secretsApi}/plugins/${encodeURIComponent(id)}${more}`;
const get = async (id: string, page = admin): Promise<Record<string, unknown>> =>
  (await page.send('GET', at(id))).json;
const list = async (page = admin) =>
  (await page.send('GET', `${secretsApi}/plugins`)).json as {
    items: { id: string }[];
    mounts: object[];
    pins: object[];
  };
const invalid = (field: string) => ({ code: 'invalid-request', fields: [{ path: field }] });
const seen = async (id: string): Promise<string> => String((await get(id))['revision']);

describe('the catalog', () => {
  test("reports the form of a plugin's ID if an address has another one", async () => {
    const named = { path: 'plugin', message: expect.stringContaining('secret/mine@v1.2.3') as string };
    expect(await get('register')).toMatchObject({ ...invalid('plugin'), fields: [named] });
  });

  test('contains the built-in plugins, and what each mount runs', async () => {
    const { items, ...rest } = await list();
    const kv = items.find(({ id }) => id.startsWith('secret/kv@'));
    expect(kv).toMatchObject({ builtin: true, shadowed: false, deprecation_status: 'supported', sha256: '' });
    expect(rest).toMatchObject({
      mounts: [
        { path: 'auth/userpass', type: 'auth', plugin: 'userpass', configured_version: '' },
        { path: 'secret', type: 'secret', plugin: 'kv', running_version: expect.stringContaining('builtin') },
      ],
      pins: [],
      may: { read: true, register: true, delete: true, reload: true, pin: true, tune: true },
    });
    expect(await get(kv?.id ?? '')).toMatchObject({ state: 'runs', mounts: [{ path: 'secret' }] });
    await create({ name: 'kv' });
    const shadowed = (await list()).items.filter(({ id }) => id.startsWith('secret/kv'));
    expect(shadowed).toMatchObject([{ builtin: false, shadowed: false }, { shadowed: true }]);
    // The mount would run the registration after a restart. Until then it runs the built-in plugin.
    expect(await get('secret/kv')).toMatchObject({ mounts: [{ path: 'secret' }] });
    expect(await get(kv?.id ?? '')).toMatchObject({ mounts: [{ path: 'secret' }] });
    await admin.send('DELETE', at('secret/kv'), { revision: await seen('secret/kv') });
  });

  test('shows users without sudo what they may not do', async () => {
    const reader = await live.withPolicy(
      'catalog-reader',
      `path "sys/plugins/catalog" { capabilities = ["read"] }
       path "sys/plugins/catalog/*" { capabilities = ["read", "update", "delete"] }
       path "secret/*" { capabilities = ["read"] }`,
      true,
    );
    expect(await list(reader)).toMatchObject({
      mounts: [{ path: 'secret' }],
      pins: null,
      may: { read: true, register: false, delete: false, reload: false, pin: false, tune: false },
    });
    expect((await create({ name: 'x' }, reader)).json).toMatchObject({ code: 'forbidden' });
    const nobody = await live.withPolicy('without', 'path "x" { capabilities = ["read"] }');
    expect(await list(nobody)).toMatchObject({ code: 'forbidden' });
  });
});

describe('a registration', () => {
  test('decides which code the server runs, so nothing is registered without the password', async () => {
    const asked = { code: 'confirmation-required', status: 403 };
    const fresh = await live.signedIn();
    expect((await create({ name: 'unasked' }, fresh)).json).toMatchObject(asked);
    expect(await get('secret/unasked')).toMatchObject({ code: 'not-found' });
    await create({ name: 'asked' });
    const revision = await seen('secret/asked');
    const changed = await fresh.send('PATCH', at('secret/asked'), { revision, body: { args: ['-a'] } });
    expect(changed.json).toMatchObject(asked);
    expect(await get('secret/asked')).toMatchObject({ args: [] });
  });

  test("is read back with its hash in hex, and can't be registered twice", async () => {
    const made = await create({ name: 'mine', version: '1.2.3', sha256: base64, env: [`A=${canary}`] });
    expect(made.json).toMatchObject({
      id: 'secret/mine@v1.2.3',
      version: 'v1.2.3',
      sha256: hex,
      state: 'unsupported',
      mounts: [],
      pinned_version: '',
    });
    expect(made.text).not.toContain(canary);
    expect((await create({ name: 'mine', version: 'v1.2.3', command: 'other' })).json).toMatchObject({
      code: 'conflict',
      conflict: {
        reason: 'created',
        current: { id: 'secret/mine@v1.2.3', command: 'mine' },
        changedBy: 'admin',
      },
    });
    expect((await create({ name: 'mine', version: 'v1.3.0', command: 'other' })).json).toMatchObject({
      state: 'mismatch',
      state_reason: 'the SHA-256 of other differs from the registered one',
      file: { path: folder.file('other'), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect((await create({ name: 'split', command: 'mine -a b' })).json).toMatchObject({
      command: 'mine',
      args: ['-a', 'b'],
    });
    expect(await get('secret/mine@v9.9.9')).toMatchObject({ code: 'not-found' });
    expect(await get('none')).toMatchObject({ code: 'invalid-request' });
  });

  test.each([
    ['sha256', { sha256: '' }],
    ['sha256', { sha256: 'zz' }],
    ['command', { command: '' }],
    ['command', { command: '../mine' }],
    ['command', { command: 'nowhere' }],
    ['args', { command: 'mine a', args: ['b'] }],
    ['version', { version: 'x' }],
    ['version', { version: 'v1.0.0+builtin' }],
  ])('reports %s beside its field: %j', async (field, body) => {
    expect((await create({ name: 'refused', ...body })).json).toMatchObject(invalid(field));
    expect(await get('secret/refused')).toMatchObject({ code: 'not-found' });
  });

  test('is changed and deleted only over the state that the user saw', async () => {
    await create({ name: 'edited', version: 'v1.0.0' });
    const id = 'secret/edited@v1.0.0';
    const update = (body: object, revision: string) => admin.send('PATCH', at(id), { revision, body });
    const first = await seen(id);
    expect((await update({ args: ['-a'] }, first)).json).toMatchObject({ args: ['-a'], command: 'mine' });
    expect((await update({ args: ['-a'] }, first)).status).toBe(200);
    expect((await update({ args: ['-b'] }, first)).json).toMatchObject({
      code: 'conflict',
      conflict: { reason: 'modified', current: { args: ['-a'] } },
    });
    // An environment can't be compared, so it never counts as the sent one.
    expect((await update({ args: ['-a'], env: ['A=b'] }, first)).json).toMatchObject({ code: 'conflict' });
    expect((await update({}, first)).json).toMatchObject({ code: 'invalid-request' });
    expect((await admin.send('DELETE', at(id), { revision: first })).json).toMatchObject({
      code: 'conflict',
    });
    expect((await admin.send('DELETE', at(id))).status).toBe(428);
    const now = await seen(id);
    expect((await admin.send('DELETE', at(id), { revision: now })).status).toBe(204);
    expect((await admin.send('DELETE', at(id), { revision: now })).json).toMatchObject({ code: 'not-found' });
    expect((await update({ args: [] }, now)).json).toMatchObject({ conflict: { reason: 'deleted' } });
    const builtin = (await list()).items.find(({ id: one }) => one.startsWith('secret/kv@'))?.id ?? '';
    const revision = await seen(builtin);
    expect((await admin.send('DELETE', at(builtin), { revision })).json).toMatchObject({ code: 'forbidden' });
    expect(
      (await admin.send('PATCH', at(builtin), { revision, body: { command: 'mine' } })).json,
    ).toMatchObject({ code: 'forbidden' });
  });
});

describe('versions of mounts', () => {
  const tune = (mount: string, plugin_version: string, revision: string) =>
    admin.send('PUT', `${secretsApi}/plugin-mounts/${encodeURIComponent(mount)}`, {
      revision,
      body: { plugin_version },
    });

  test('can be pinned, set and reloaded', async () => {
    await create({ name: 'kv', version: 'v3.0.0' });
    const id = 'secret/kv@v3.0.0';
    expect((await tune('secret', '3.0.0', 'none')).json).toMatchObject({
      path: 'secret',
      configured_version: 'v3.0.0',
    });
    expect(await get(id)).toMatchObject({ mounts: [{ path: 'secret' }], pinned_version: '' });
    expect((await tune('secret', 'v9.0.0', 'v3.0.0')).json).toMatchObject(invalid('plugin_version'));
    expect((await tune('none', 'v3.0.0', 'none')).status).toBeGreaterThanOrEqual(400);
    const pinner = await live.withPolicy(
      'pinner',
      'path "sys/plugins/pins/*" { capabilities = ["create", "update", "sudo"] }',
    );
    expect((await pinner.send('PUT', at(id, '/pin'), { revision: 'none' })).status).toBe(204);
    expect(await get(id)).toMatchObject({ pinned_version: 'v3.0.0' });
    expect(await list()).toMatchObject({ pins: [{ type: 'secret', name: 'kv', version: 'v3.0.0' }] });
    expect((await admin.send('DELETE', at(id), { revision: await seen(id) })).json).toMatchObject({
      code: 'invalid-request',
      detail: expect.stringContaining('pinned'),
    });
    expect((await admin.send('PUT', at('secret/split', '/pin'), { revision: 'none' })).json).toMatchObject({
      code: 'invalid-request',
    });
    const reload = (plugin: string, body: object) => admin.send('POST', at(plugin, '/reload'), { body });
    // The file is the registered one, but this server doesn't run it.
    expect((await reload(id, {})).json).toMatchObject({
      detail: expect.stringContaining('only built-in plugins'),
    });
    expect((await admin.send('DELETE', at(id, '/pin'), { revision: 'v3.0.0' })).status).toBe(204);
    expect((await tune('secret', '', 'v3.0.0')).json).toMatchObject({ configured_version: 'v3.0.0' });
    expect((await admin.send('DELETE', at(id), { revision: await seen(id) })).status).toBe(204);
    expect((await tune('secret', '', 'v3.0.0')).json).toMatchObject({ configured_version: '' });
    expect((await reload('secret/kv', {})).json).toEqual({ reload_id: expect.any(String) });
    expect((await reload('secret/kv', { mounts: ['secret'] })).status).toBe(200);
    expect((await reload('secret/kv', { mounts: ['none'] })).json).toMatchObject({ code: 'not-found' });
    expect((await reload('secret/none', {})).json).toMatchObject({ code: 'not-found' });
  });

  test('are not replaced if another one was chosen since', async () => {
    for (const version of ['v4.0.0', 'v5.0.0']) await create({ name: 'kv', version });
    const [four, five] = ['secret/kv@v4.0.0', 'secret/kv@v5.0.0'];
    const pin = (id: string, revision: string) => admin.send('PUT', at(id, '/pin'), { revision });
    const unpin = (id: string, revision: string) => admin.send('DELETE', at(id, '/pin'), { revision });
    expect((await pin(four, 'none')).status).toBe(204);
    const another = { code: 'conflict', conflict: { reason: 'modified', current: { version: 'v4.0.0' } } };
    expect((await pin(five, 'none')).json).toMatchObject(another);
    expect((await unpin(five, 'v5.0.0')).json).toMatchObject(another);
    // The version is already as requested, no matter who set it.
    expect((await pin(four, 'none')).status).toBe(204);
    expect((await unpin(four, 'v4.0.0')).status).toBe(204);
    expect((await unpin(four, 'v4.0.0')).status).toBe(204);
    expect((await tune('secret', 'v4.0.0', 'none')).status).toBe(200);
    expect((await tune('secret', 'v5.0.0', 'none')).json).toMatchObject({
      code: 'conflict',
      conflict: { current: { configured_version: 'v4.0.0' } },
    });
  });
});

test('finds out later whether a registration with a lost answer was made', async () => {
  live.proxy.onRequest = (bytes) => {
    const text = bytes.toString('latin1');
    if (text.startsWith('POST /v1/sys/plugins/catalog/secret/lost')) {
      live.proxy.cutNext = 10;
      live.proxy.fault = { kind: 'hang up' };
    } else if (live.proxy.fault.kind === 'hang up') live.proxy.drop();
  };
  expect((await create({ name: 'lost' })).json).toMatchObject({ code: 'outcome-unknown' });
  delete live.proxy.onRequest;
  live.proxy.fault = { kind: 'none' };
  const activity = '/api/environments/test/activity';
  const entries = await admin.send('GET', `${activity}?action=plugin.create&outcome=unknown`);
  const [entry] = entries.json['items'] as { sequence: number }[];
  expect(entry).toMatchObject({ resource: { id: 'secret/lost' }, can_settle: true });
  const settled = await admin.send('POST', `${activity}/${entry?.sequence}/settle`);
  expect(settled.json, settled.text).toMatchObject({ outcome: 'succeeded' });
  const all = await admin.send('GET', `${activity}?page_size=500`);
  expect(all.text).toContain('plugin.create');
  expect(all.text).not.toContain(canary);
});
