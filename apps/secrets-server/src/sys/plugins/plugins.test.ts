import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createLog } from '@gatehouse/service-kit/log';
import { listen } from '@gatehouse/service-kit/service';
import { Slices } from '@gatehouse/service-kit/slices';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createService } from '../../app.ts';
import { builtinVersion } from '../../plugins/builtins.ts';
import { clientOf } from '../../testing/client.ts';
import type { Client, Wire, WireAnswer } from '../../testing/client.ts';
import { as, tokenWith } from '../../testing/people.ts';
import { startServer } from '../../testing/server.ts';
import type { TestServer } from '../../testing/server.ts';

const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
const program = 'a program';
const sha256 = hashOf(program);

const folder = temporaryFolder();
const directory = folder.file('plugins');
const lines: string[] = [];
let server: TestServer;
let client: Client;
beforeAll(async () => {
  mkdirSync(directory);
  writeFileSync(join(directory, 'program'), program);
  const log = createLog({
    service: 'secrets',
    level: 'debug',
    destination: { write: (line) => void lines.push(line) },
  });
  server = await startServer({ pluginDirectory: directory, log });
  client = await as(server, 'administrator');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const refusal = (answer: WireAnswer): unknown[] => [answer.status, answer.body['errors']];
const register = (path: string, body: Wire = {}): Promise<WireAnswer> =>
  client.send('PUT', `sys/plugins/catalog/${path}`, { sha256, command: 'program', ...body });
const read = (path: string): Promise<WireAnswer> => client.read(`sys/plugins/catalog/${path}`);
const stateOf = async (path: string): Promise<unknown> => (await read(path)).data['state'];
const versionsOf = async (name: string): Promise<unknown[]> => {
  const { detailed } = (await client.read('sys/plugins/catalog')).data as { detailed: readonly Wire[] };
  return detailed.filter((entry) => entry['name'] === name).map(({ version }) => version);
};

describe('the catalog', () => {
  test("a plugin's versions are registered, read, listed in order and deleted", async () => {
    for (const version of ['v1.10.0', '1.2', '', 'v1.9.0-rc.1+linux', '1.2'])
      expect((await register('database/orders', { version })).status).toBe(204);
    expect(await versionsOf('orders')).toEqual(['', 'v1.2.0', 'v1.9.0-rc.1+linux', 'v1.10.0']);
    expect((await client.send('LIST', 'sys/plugins/catalog/database')).data).toEqual({ keys: ['orders'] });
    const plugin = {
      name: 'orders',
      builtin: false,
      command: 'program',
      args: [],
      sha256,
      oci: false,
      declarative: false,
      state: 'unsupported',
      state_reason: 'its file matches the registration, but this server runs no external plugins',
      file: { path: join(directory, 'program'), sha256 },
    };
    for (const [asked, version] of [
      ['', ''],
      ['?version=1.2', 'v1.2.0'],
      ['?version=v1.9.0-rc.1%2Blinux', 'v1.9.0-rc.1+linux'],
    ]) {
      const { data } = await client.read(`sys/plugins/catalog/database/orders${asked}`);
      expect(data).toEqual({ ...plugin, version });
    }
    // Command lines send an empty version for the registration without one.
    expect((await client.delete('sys/plugins/catalog/database/orders?version=')).status).toBe(204);
    expect((await client.read('sys/plugins/catalog/database/orders')).status).toBe(404);
    expect((await client.list('sys/plugins/catalog/database')).status).toBe(404);
    expect((await client.delete('sys/plugins/catalog/database/orders?version=1.2')).status).toBe(204);
    expect(await versionsOf('orders')).toEqual(['v1.9.0-rc.1+linux', 'v1.10.0']);
  });

  test('a registration replaces the previous one as a whole, and keeps its arguments unchanged', async () => {
    const args = ['--a=b,c', ' ', '', 'd e'];
    await register('auth/kept', { args, sha256: sha256.toUpperCase() });
    expect((await client.read('sys/plugins/catalog/auth/kept')).data).toMatchObject({ args, sha256 });
    await register('auth/kept', { command: 'program --x y' });
    expect((await client.read('sys/plugins/catalog/auth/kept')).data).toMatchObject({
      args: ['--x', 'y'],
      command: 'program',
    });
    const own = { sha256: undefined, sha_256: sha256, type: 'auth' };
    expect((await register('auth/kept', own)).body['warnings']).toEqual([
      "Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [type]",
    ]);
    expect((await client.read('sys/plugins/catalog/auth/kept')).data).toMatchObject({ args: [] });
  });

  test('an image needs no command, and is returned with its runtime', async () => {
    const image = { oci_image: 'registry.example/plugin', runtime: 'gvisor', command: undefined };
    expect((await register('secret/image', { ...image, version: '2.0' })).status).toBe(204);
    const told = { oci_image: 'registry.example/plugin', runtime: 'gvisor', version: 'v2.0.0' };
    expect((await client.read('sys/plugins/catalog/secret/image?version=2.0')).data).toMatchObject({
      ...told,
      oci: true,
      command: '',
      state: 'unsupported',
    });
    const { detailed } = (await client.read('sys/plugins/catalog')).data;
    expect(detailed).toContainEqual({ name: 'image', type: 'secret', builtin: false, sha256, ...told });
    expect((await client.write('sys/mounts/image', { type: 'image' })).body['errors']).toEqual([
      'unsupported: plugin "image" v2.0.0 cannot run: this server runs no external plugins',
    ]);
  });

  test.each([
    [{ version: 'x' }, 'version "x" is not a valid semantic version: malformed version: x'],
    [
      { version: '1.0.0+builtin.x' },
      `version "v1.0.0+builtin.x" is not allowed because 'builtin' is a reserved metadata identifier`,
    ],
    [{ sha256: '' }, 'missing SHA-256 value'],
    [{ command: '' }, 'missing command value'],
    [{ command: '', oci_image: '' }, 'must provide at least one of command or oci_image'],
    [{ command: 'program a', args: ['b'] }, 'must not specify args in command and args field'],
    [{ sha256: 'abc' }, 'Could not decode SHA-256 value from Hex'],
    [{ env: ['A=b', 'C'] }, 'every env entry must have the form key=value'],
    [
      { args: [{}] },
      'Field validation failed: error converting input for field "args": not a list of strings',
    ],
  ])('a registration with %j is refused', async (body, message) => {
    expect(refusal(await register('secret/refused', body))).toEqual([400, [message]]);
    expect(await versionsOf('refused')).toEqual([]);
  });

  test('a registration has at most 16 KiB, and the catalog 500 registrations', async () => {
    await using bare = await startServer();
    const admin = await as(bare, 'administrator');
    const add = (name: string, body: Wire = {}) =>
      admin.write(`sys/plugins/catalog/secret/${name}`, { sha256, command: 'program', ...body });
    for (const body of [
      { env: [`A=${'a'.repeat(16_384)}`] },
      { oci_image: 'a'.repeat(16_384) },
      { args: ['a'.repeat(10_000), 'é'.repeat(5000)] },
    ])
      expect(refusal(await add('long', body))).toEqual([400, ['a registration has at most 16384 bytes']]);
    const env = [`A=${'a'.repeat(16_000)}`];
    const added = await Promise.all(Array.from({ length: 500 }, (_, index) => add(`p${index}`, { env })));
    expect(added.filter(({ status }) => status !== 204)).toEqual([]);
    const tooMany = [400, ['the catalog has at most 500 registrations. Delete others first.']];
    expect(refusal(await add('p500'))).toEqual(tooMany);
    // Another registration can still be replaced.
    expect((await add('p0')).status).toBe(204);
    expect((await admin.delete('sys/plugins/catalog/secret/p1')).status).toBe(204);
    expect((await add('p500')).status).toBe(204);
  });

  test('a list lets others continue before it decrypts each registration', async () => {
    using giveWay = vi.spyOn(Slices.prototype, 'giveWay');
    const { detailed } = (await client.read('sys/plugins/catalog')).data as { detailed: readonly Wire[] };
    expect(detailed.length).toBeGreaterThan(5);
    expect(giveWay.mock.calls.length).toBeGreaterThanOrEqual(detailed.length);
    giveWay.mockClear();
    // Nothing to decrypt. On a busy machine, the request itself waits for a turn before and after its body is parsed.
    await client.list('sys/plugins/catalog/secret');
    expect(giveWay.mock.calls.length).toBeLessThan(3);
  });

  test('a name with an "@" is refused', async () => {
    expect(refusal(await register('secret/a@v1.0.0'))).toEqual([
      400,
      ['the name of a plugin must not have an "@"'],
    ]);
    expect(await versionsOf('a@v1.0.0')).toEqual([]);
  });

  test('a built-in plugin can be read by its version, and not deleted', async () => {
    const builtin = { name: 'userpass', builtin: true, version: builtinVersion, state: 'builtin' };
    const path = `sys/plugins/catalog/auth/userpass?version=${encodeURIComponent(builtinVersion)}`;
    expect((await client.read(path)).data).toMatchObject({ ...builtin, deprecation_status: 'supported' });
    expect(refusal(await client.delete(path))).toEqual([
      400,
      [`version "${builtinVersion}" cannot be deleted`],
    ]);
    expect((await client.delete('sys/plugins/catalog/auth/userpass')).status).toBe(204);
    expect((await client.read('sys/plugins/catalog/auth/userpass')).data).toMatchObject(builtin);
    expect((await client.read('sys/plugins/catalog/secret/userpass')).status).toBe(404);
  });

  test('reading, registering and deleting a plugin requires sudo, listing does not, and namespaces have no catalog', async () => {
    await client.write('sys/policies/acl/plain', {
      policy:
        'path "sys/plugins/*" { capabilities = ["create", "read", "update", "delete", "list"] }' +
        'path "sys/plugins/catalog/auth/own" { capabilities = ["read", "update", "delete", "sudo"] }',
    });
    await client.write('sys/namespaces/team');
    const plain = server.with(await tokenWith(client, { policies: ['plain'] }));
    const body = { sha256, command: 'program' };
    const statuses = async (path: string): Promise<number[]> => [
      (await plain.write(path, body)).status,
      (await plain.read(path)).status,
      (await plain.delete(path)).status,
    ];
    expect(await statuses('sys/plugins/catalog/auth/other')).toEqual([403, 403, 403]);
    expect(await statuses('sys/plugins/catalog/auth/own')).toEqual([204, 200, 204]);
    expect(await statuses('sys/plugins/pins/auth/own')).toEqual([403, 403, 403]);
    expect((await plain.read('sys/plugins/catalog')).status).toBe(200);
    expect((await plain.list('sys/plugins/catalog/auth')).status).toBe(200);
    for (const path of ['sys/plugins/catalog', 'sys/plugins/catalog/auth/token', 'sys/plugins/pins']) {
      expect(refusal(await client.send('GET', path, undefined, { 'x-vault-namespace': 'team' }))).toEqual([
        400,
        ['operation unavailable in namespaces'],
      ]);
    }
  });

  test('no answer contains the environment, and neither files nor the log contain it or the arguments', async () => {
    await register('secret/quiet', { env: ['TOKEN=canary-env'], args: ['--token=canary-arg'] });
    const answers = [
      await client.read('sys/plugins/catalog/secret/quiet'),
      await client.read('sys/plugins/catalog'),
      await client.write('sys/mounts/quiet', { type: 'quiet' }),
    ];
    expect(answers.map(({ text }) => text).join('')).not.toContain('canary-env');
    const stored = readdirSync(server.dataDir).filter((name) => name.startsWith('secrets-server.db'));
    expect(stored.length).toBeGreaterThan(0);
    const everything = stored.map((name) => readFileSync(join(server.dataDir, name), 'latin1')).join('');
    expect(everything).toContain('quiet');
    expect(everything + lines.join('')).not.toContain('canary');
  });
});

describe('the file of a plugin', () => {
  test('is hashed again for each use, which decides the state and the reason for refusing a mount', async () => {
    const place = join(directory, 'changing');
    writeFileSync(place, program);
    await register('secret/changing', { command: 'changing' });
    const mount = () => client.write('sys/mounts/changing', { type: 'changing' });
    expect(await stateOf('secret/changing')).toBe('unsupported');
    expect(refusal(await mount())).toEqual([
      400,
      [
        'unsupported: plugin "changing" cannot run: its file matches the registration, but this server runs no external plugins',
      ],
    ]);
    writeFileSync(place, 'another program');
    expect((await read('secret/changing')).data).toMatchObject({
      state: 'mismatch',
      state_reason: 'the SHA-256 of changing differs from the registered one',
      file: { path: place, sha256: hashOf('another program') },
    });
    expect(refusal(await mount())).toEqual([
      400,
      ['mismatch: plugin "changing" cannot run: the SHA-256 of changing differs from the registered one'],
    ]);
    rmSync(place);
    expect((await read('secret/changing')).data).toMatchObject({ state: 'missing', file: { path: place } });
    expect(refusal(await mount())).toEqual([
      400,
      [
        `missing: plugin "changing" cannot run: error while validating the command path: lstat ${place}: no such file or directory`,
      ],
    ]);
    expect(Object.keys((await client.read('sys/mounts')).data)).toEqual(['secret/', 'sys/']);
  });

  test('must be a regular file directly in the directory, at registration and later', async () => {
    const outside = folder.file('outside');
    writeFileSync(outside, program);
    mkdirSync(join(directory, 'below'));
    writeFileSync(join(directory, 'below', 'program'), program);
    symlinkSync(outside, join(directory, 'way-out'));
    symlinkSync('program', join(directory, 'alias'));
    symlinkSync('loop', join(directory, 'loop'));
    await using door = createServer();
    await once(door.listen(join(directory, 'door')), 'listening');
    const path = (name: string) => `error while validating the command path: ${name}`;
    const outsideOf = 'cannot execute files outside of configured plugin directory';
    const commands: Readonly<Record<string, string>> = {
      '../outside': 'path cannot contain parent references',
      'below/../program': 'path cannot contain parent references',
      'below\\..\\program': 'path cannot contain parent references',
      'way-out': outsideOf,
      'below/program': outsideOf,
      '.': outsideOf,
      below: path(`${join(directory, 'below')} is not a regular file`),
      door: path(`${join(directory, 'door')} is not a regular file`),
      [outside]: path(`lstat ${join(directory, outside)}: no such file or directory`),
      'program/x': path(`lstat ${join(directory, 'program/x')}: not a directory`),
      loop: path(`lstat ${join(directory, 'loop')}: too many symbolic links encountered`),
      'nul\0': path(`lstat ${join(directory, 'nul\0')}: invalid argument`),
    };
    for (const [command, message] of Object.entries(commands)) {
      expect([command, ...refusal(await register('secret/escape', { command }))]).toEqual([
        command,
        400,
        [message],
      ]);
    }
    expect((await register('secret/escape', { command: 'alias' })).status).toBe(204);
    expect(await stateOf('secret/escape')).toBe('unsupported');
    // The link was valid at registration, but then points elsewhere.
    rmSync(join(directory, 'alias'));
    symlinkSync(outside, join(directory, 'alias'));
    expect(await stateOf('secret/escape')).toBe('missing');
    expect((await client.write('sys/mounts/escape', { type: 'escape' })).body['errors']).toEqual([
      `missing: plugin "escape" cannot run: ${outsideOf}`,
    ]);
  });

  test('is hashed in pieces, so that other requests are answered', async () => {
    const large = join(directory, 'large');
    const descriptor = openSync(large, 'w');
    ftruncateSync(descriptor, 128 * 1024 * 1024);
    closeSync(descriptor);
    await register('secret/large', { command: 'large' });
    let known: unknown;
    const reading = stateOf('secret/large').then((state) => (known = state));
    for (let asked = 0; asked < 5; asked++) await client.read('sys/health');
    expect(known).toBeUndefined();
    expect(await reading).toBe('mismatch');
  });

  test('is not needed without a plugin directory', async () => {
    await using bare = await startServer();
    const admin = await as(bare, 'administrator');
    const path = 'sys/plugins/catalog/secret/there';
    expect((await admin.write(path, { sha256, command: 'nofile' })).status).toBe(204);
    expect((await admin.write(path, { sha256, command: '../nofile' })).status).toBe(400);
    expect((await admin.read(path)).data).toMatchObject({ command: 'nofile', state: 'missing' });
    expect((await admin.write('sys/mounts/there', { type: 'there' })).body['errors']).toEqual([
      'missing: plugin "there" cannot run: no plugin directory is configured',
    ]);
  });
});

describe('a mount', () => {
  const unsupported = (name: string, version = ''): string =>
    `unsupported: plugin "${name}"${version} cannot run: its file matches the registration, but this server runs no external plugins`;
  const mount = async (body: Wire): Promise<unknown> =>
    (await client.write('sys/mounts/tried', body)).body['errors'];

  test('runs the built-in plugin, and reports the configured and the running version', async () => {
    const running = { plugin_version: '', running_plugin_version: builtinVersion, running_sha256: '' };
    for (const body of [
      { type: 'kv', config: { plugin_version: builtinVersion } },
      { type: 'kv', plugin_version: builtinVersion },
      { type: 'kv-v2' },
      { type: 'plugin', plugin_name: 'kv' },
      { type: 'plugin', config: { plugin_name: 'kv' } },
    ]) {
      expect([body, await mount(body)]).toEqual([body, undefined]);
      expect((await client.read('sys/mounts/tried')).data).toMatchObject({ type: 'kv', ...running });
      await client.delete('sys/mounts/tried');
    }
    const { data } = await client.read('sys/internal/ui/mounts');
    expect(data).toMatchObject({ secret: { 'secret/': running }, auth: { 'token/': running } });
    expect((await client.read('sys/auth')).data).toMatchObject({ 'userpass/': running });
    expect((await client.read('sys/mounts')).data).toMatchObject({ 'secret/': running, 'sys/': running });
    expect((await client.read('sys/internal/ui/mounts/secret/a')).data).toMatchObject(running);
  });

  test('is refused for a version that does not exist', async () => {
    for (const [body, message] of [
      [{ type: 'kv', plugin_version: 'v9.9.9' }, 'plugin not found in the catalog: kv v9.9.9'],
      [{ type: 'kv', config: { plugin_version: '9.9' } }, 'plugin not found in the catalog: kv v9.9.0'],
      [
        { type: 'kv', plugin_version: 'v0.0.1+builtin.x' },
        'plugin not found in the catalog: kv v0.0.1+builtin.x',
      ],
      [
        { type: 'kv', plugin_version: 'new' },
        'version "new" is not a valid semantic version: malformed version: new',
      ],
      [{ type: 'userpass' }, 'plugin not found in the catalog: userpass'],
      [{ type: 'plugin' }, 'plugin_name must be provided for plugin backend'],
    ] as const) {
      expect([body, await mount(body)]).toEqual([body, [message]]);
    }
  });

  test('runs the requested version, else the unversioned one, else the newest, else the built-in plugin', async () => {
    await register('secret/kv', { version: '1.9' });
    await register('secret/kv', { version: '1.10' });
    expect(await mount({ type: 'kv' })).toEqual([unsupported('kv', ' v1.10.0')]);
    expect(await mount({ type: 'kv', plugin_version: '1.9' })).toEqual([unsupported('kv', ' v1.9.0')]);
    expect(await mount({ type: 'kv', plugin_version: builtinVersion })).toBeUndefined();
    await client.delete('sys/mounts/tried');
    await register('secret/kv');
    expect(await versionsOf('kv')).toEqual(['', 'v1.9.0', 'v1.10.0']);
    expect(await mount({ type: 'kv' })).toEqual([unsupported('kv')]);
    expect(await mount({ type: 'kv', plugin_version: builtinVersion })).toEqual([
      `secret plugin "kv", version ${builtinVersion} not found, as it is overridden by an unversioned plugin of the same name. Omit \`plugin_version\` to use the unversioned plugin`,
    ]);
    // An existing mount keeps running.
    expect((await client.write('secret/data/k', { data: { n: 1 } })).status).toBe(200);
    for (const version of ['', '1.9', '1.10'])
      await client.delete(`sys/plugins/catalog/secret/kv?version=${version}`);
    expect(await versionsOf('kv')).toEqual([builtinVersion]);
  });

  test("is upgraded by tuning and reloading, which reports why the new version can't run", async () => {
    const told = async (): Promise<Wire> => (await client.read('sys/mounts/secret')).data;
    const reload = (body: Wire) => client.send('PUT', 'sys/plugins/reload/backend', body);
    await register('secret/kv', { version: '3.0' });
    const tune = (plugin_version: string) => client.write('sys/mounts/secret/tune', { plugin_version });
    expect(refusal(await tune('v4'))).toEqual([400, ['plugin not found in the catalog: kv v4.0.0']]);
    expect((await client.read('sys/mounts/secret/tune')).data).not.toHaveProperty('plugin_version');
    expect((await tune('3')).status).toBe(204);
    expect((await client.read('sys/mounts/secret/tune')).data).toMatchObject({ plugin_version: 'v3.0.0' });
    expect(await told()).toMatchObject({ plugin_version: 'v3.0.0', running_plugin_version: builtinVersion });
    for (const body of [{ mounts: ['secret'] }, { mounts: 'secret/,sys/' }, { plugin: 'kv' }])
      expect(refusal(await reload(body))).toEqual([400, [unsupported('kv', ' v3.0.0')]]);
    // As `vault plugin reload -plugin` without a type.
    expect(refusal(await client.send('PUT', 'sys/plugins/reload/unknown/kv', {}))).toEqual([
      400,
      [unsupported('kv', ' v3.0.0')],
    ]);
    await client.delete('sys/plugins/catalog/secret/kv?version=3.0');
    expect(refusal(await reload({ plugin: 'kv' }))).toEqual([
      400,
      ['plugin not found in the catalog: kv v3.0.0'],
    ]);
    expect((await tune(builtinVersion)).status).toBe(204);
    expect(await told()).toMatchObject({ plugin_version: '' });
    const reloaded = await reload({ plugin: 'kv', mounts: null, scope: '' });
    expect(reloaded.body).toMatchObject({
      data: { reload_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string },
      warnings: null,
    });
    for (const type of ['auth', 'unknown'])
      expect((await client.write(`sys/plugins/reload/${type}/userpass`)).body['warnings']).toBeNull();
    expect((await client.write('sys/plugins/reload/secret/userpass')).body['warnings']).toEqual([
      'no plugins were reloaded',
    ]);
    expect((await client.read('secret/data/k')).status).toBe(200);
  });

  test.each([
    [{}, 'plugin or mounts must be provided'],
    [{ plugin: 'kv', mounts: ['secret/'] }, 'plugin and mounts cannot be set at the same time'],
    [{ plugin: 'unheard-of' }, 'plugin not found in the catalog: unheard-of'],
    [{ mounts: ['secret/', 'nowhere/'] }, 'no matching mount entry at "nowhere/"'],
    [{ plugin: 'kv', scope: 'local' }, "reload scope must be omitted or 'global'"],
  ])('a reload with %j is refused', async (body, message) => {
    expect(refusal(await client.write('sys/plugins/reload/backend', body))).toEqual([400, [message]]);
  });

  test('runs only the pinned version', async () => {
    const pins = 'sys/plugins/pins';
    const pin = (version: string) => client.write(`${pins}/secret/kv`, { version });
    await register('secret/kv', { version: '5.0' });
    await register('secret/kv', { version: '6.0' });
    expect(refusal(await pin(''))).toEqual([400, ['missing version']]);
    expect(refusal(await pin('7.0'))).toEqual([400, ['plugin not found in the catalog: kv v7.0.0']]);
    expect(refusal(await pin(builtinVersion))).toEqual([
      400,
      [`plugin not found in the catalog: kv ${builtinVersion}`],
    ]);
    expect((await client.read(`${pins}/secret/kv`)).status).toBe(404);
    expect([(await pin('6.0')).status, (await pin('5.0')).status]).toEqual([204, 204]);
    const pinned = { type: 'secret', name: 'kv', version: 'v5.0.0' };
    expect((await client.read(`${pins}/secret/kv`)).data).toEqual(pinned);
    expect((await client.read(pins)).data).toEqual({ pinned_versions: [pinned] });
    expect(await mount({ type: 'kv' })).toEqual([unsupported('kv', ' v5.0.0')]);
    expect(await mount({ type: 'kv', plugin_version: 'v6.0.0' })).toEqual([
      'plugin "kv" v6.0.0 can\'t be chosen: v5.0.0 is pinned',
    ]);
    expect(refusal(await client.write('sys/plugins/reload/secret/kv'))).toEqual([
      400,
      [unsupported('kv', ' v5.0.0')],
    ]);
    expect(refusal(await client.delete('sys/plugins/catalog/secret/kv?version=5.0'))).toEqual([
      400,
      ['version "v5.0.0" cannot be deleted: it is pinned'],
    ]);
    expect((await client.delete(`${pins}/secret/kv`)).status).toBe(204);
    for (const version of ['5.0', '6.0'])
      expect((await client.delete(`sys/plugins/catalog/secret/kv?version=${version}`)).status).toBe(204);
    expect(await mount({ type: 'kv' })).toBeUndefined();
    await client.delete('sys/mounts/tried');
  });
});

test('registrations, pins and configured versions survive a restart', async () => {
  await register('secret/kv', { version: '8.0' });
  await client.write('sys/plugins/pins/secret/kv', { version: '8.0' });
  await client.write('sys/mounts/secret/tune', { plugin_version: '8.0' });
  const told = (from: Client) =>
    Promise.all(
      ['sys/plugins/catalog', 'sys/plugins/pins', 'sys/mounts'].map(
        async (path) => (await from.read(path)).data,
      ),
    );
  const before = await told(client);
  expect(before[2]).toMatchObject({ 'secret/': { plugin_version: 'v8.0.0' } });
  await server.service.close();
  const { accounts, dataDir, clock } = server;
  const again = await createService({ accounts, dataDir, clock, pluginDirectory: directory });
  const listening = await listen(again, { host: '127.0.0.1', port: 0 });
  expect(await told(clientOf(listening.address, client.token))).toEqual(before);
  await listening.drain(0);
  await again.close();
});
