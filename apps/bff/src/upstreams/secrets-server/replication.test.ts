/** Replication and nodes of other servers: Vault Enterprise as documented, and servers without replication. */
import { Slices } from '@gatehouse/service-kit/slices';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Browser } from '#test/browser.ts';
import { confirmAs, startConsole, type TestConsole } from '#test/console.ts';
import { secretsApi } from '#test/secrets.ts';
import { vaultServer, vaultToken, type VaultServer } from '#test/vault-server.ts';

const at = (more = ''): string => `${secretsApi}/replication${more}`;
const statusPath = '/v1/sys/replication/performance/status';
const unsupported = [404, { errors: ['1 error occurred:\n\t* unsupported path\n\n'] }] as const;
const denied = [403, { errors: ['permission denied'] }] as const;

let vault: VaultServer;
let console: TestConsole;
let page: Browser;
/** Answers by path, with the namespace as its prefix. Every other path is 404. */
let wire: Map<string, readonly [number, unknown]>;
const tell = (path: string, data: unknown) => wire.set(path, [200, { data }]);

beforeAll(async () => {
  vault = await vaultServer();
  vault.engine = ({ path }) => {
    const { pathname } = new URL(path, 'http://server');
    return pathname.startsWith('/v1/secret/')
      ? undefined
      : (wire.get(decodeURIComponent(pathname.slice('/v1/'.length))) ?? unsupported);
  };
  console = await startConsole({ secrets: { kind: 'url', url: new URL(vault.url) } });
  page = console.browser();
  await page.send('POST', '/api/session', {
    body: { environment: 'test', service: 'secrets', credentials: { method: 'token', token: vaultToken } },
  });
  await confirmAs(page, vaultToken);
});
afterAll(async () => {
  await console.close();
  await vault.close();
});
beforeEach(() => {
  wire = new Map();
  vault.openPaths.clear();
  vault.openPaths.add(statusPath);
  vault.edition = {};
  vault.seen.length = 0;
  vault.before = undefined;
});

const status = (data: object) => tell('sys/replication/performance/status', data);
const read = async (path = '') => (await page.send('GET', at(path))).json;

describe('the status', () => {
  test('of a primary: converts numbers from text, and leaves values unknown that were never received', async () => {
    status({
      cluster_id: 'd4095d41-3aee-8791-c421-9bc7f88f7c3e',
      corrupted_merkle_tree: false,
      known_secondaries: ['eu', 'us', 'waits'],
      last_corruption_check_epoch: '-62135596800',
      last_performance_wal: 87,
      last_reindex_epoch: '0',
      merkle_root: 'c7a7ac1ae0b1a2f23d4c8b3b0b0fa4b6b5b5e6a7',
      mode: 'primary',
      primary_cluster_addr: '',
      secondaries: [
        {
          api_address: 'https://eu.example:8200',
          clock_skew_ms: '-12',
          cluster_address: 'https://eu.example:8201',
          connection_status: 'connected',
          last_heartbeat: '2025-12-31T23:59:54Z',
          last_heartbeat_duration_ms: '3',
          node_id: 'eu',
          replication_primary_canary_age_ms: '124',
        },
        {
          api_address: '',
          clock_skew_ms: '0',
          cluster_address: '',
          connection_status: 'disconnected',
          last_heartbeat: '0001-01-01T00:00:00Z',
          last_heartbeat_duration_ms: '0',
          node_id: 'us',
          replication_primary_canary_age_ms: '0',
        },
      ],
      state: 'running',
    });
    const unknown = {
      cluster_id: null,
      api_address: null,
      cluster_address: null,
      applied_seq: null,
      heartbeat_age_ms: null,
      last_heartbeat_duration_ms: null,
      clock_skew_ms: null,
      canary_age_ms: null,
      lag_entries: null,
    };
    expect(await read()).toMatchObject({
      mode: 'primary',
      cluster_id: 'd4095d41-3aee-8791-c421-9bc7f88f7c3e',
      primary_cluster_addr: null,
      last_seq: 87,
      secondaries: [
        {
          id: 'eu',
          cluster_id: null,
          connection: 'connected',
          heartbeat_age_ms: 6_000,
          last_heartbeat_duration_ms: 3,
          clock_skew_ms: -12,
          canary_age_ms: 124,
          lag_entries: null,
        },
        { ...unknown, id: 'us', connection: 'disconnected' },
        { ...unknown, id: 'waits', connection: 'unknown' },
      ],
      signed_in: true,
      may: { demote: true, create_token: true, read_digest: true },
    });
  });

  test('of a secondary: includes the state of its primary', async () => {
    status({
      cluster_id: 'd4095d41-3aee-8791-c421-9bc7f88f7c3e',
      connection_state: 'ready',
      known_primary_cluster_addrs: ['https://a.example:8201', 'https://b.example:8201'],
      last_remote_wal: 84,
      last_start: '2026-11-23T06:00:00Z',
      merkle_root: 'c7a7ac1ae0b1a2f23d4c8b3b0b0fa4b6b5b5e6a7',
      mode: 'secondary',
      primaries: [
        {
          api_address: 'https://a.example:8200',
          clock_skew_ms: '1',
          cluster_address: 'https://a.example:8201',
          connection_status: 'connected',
          last_heartbeat: '2026-11-23T07:40:46Z',
          last_heartbeat_duration_ms: '2',
          replication_primary_canary_age_ms: '1740',
        },
      ],
      primary_cluster_addr: 'https://a.example:8201',
      secondary_id: 'eu',
      state: 'stream-wals',
    });
    expect(await read()).toMatchObject({
      mode: 'secondary',
      secondary_id: 'eu',
      primary: {
        cluster_id: null,
        api_address: 'https://a.example:8200',
        cluster_address: 'https://a.example:8201',
        known_addresses: ['https://a.example:8201', 'https://b.example:8201'],
      },
      connection: 'ready',
      sync: 'streaming',
      last_seq: 84,
      last_heartbeat_duration_ms: 2,
      clock_skew_ms: 1,
      canary_age_ms: 1740,
      lag_entries: null,
    });
  });

  test.each([
    ['transient-failure', 'merkle-sync', 'disconnected', 'receiving'],
    ['denied', 'idle', 'denied', 'idle'],
    ['something new', 'something else', 'unknown', 'unknown'],
  ])('of a secondary that is %s and in %s', async (connection_state, state, connection, sync) => {
    status({ mode: 'secondary', connection_state, state, primary_cluster_addr: 'https://a.example:8201' });
    expect(await read()).toMatchObject({ connection, sync, last_seq: null, cluster_id: null });
  });

  test('of a secondary without a primary', async () => {
    status({
      mode: 'secondary',
      cluster_id: 'a',
      known_primary_cluster_addrs: null,
      primary_cluster_addr: '',
    });
    expect(await read()).toMatchObject({ mode: 'secondary', primary: null, connection: 'unknown' });
  });

  test('while changing roles is an error to retry', async () => {
    status({ mode: 'bootstrapping' });
    expect(await read()).toMatchObject({ status: 503, code: 'service-unavailable' });
  });

  test('is shown without sign-in to the server, but without permissions', async () => {
    status({ mode: 'primary', cluster_id: 'a', known_secondaries: [], last_wal: 3 });
    vault.tokenLives = false;
    expect(await read()).toMatchObject({ mode: 'primary', last_seq: 3, signed_in: false, may: null });
    vault.tokenLives = true;
    expect(vault.seen.at(-1)?.headers['x-vault-token']).toBeUndefined();
    await page.send('POST', '/api/environments/test/connections/secrets', {
      body: { credentials: { method: 'token', token: vaultToken } },
    });
    expect(await read()).toMatchObject({ signed_in: true });
  });
});

test("shows the whole server's replication for an environment that is a namespace", async () => {
  const below = await startConsole({
    secrets: { kind: 'url', url: new URL(vault.url) },
    secretsSettings: { namespace: 'team' },
  });
  const visitor = below.browser();
  await visitor.send('POST', '/api/session', {
    body: { environment: 'test', service: 'secrets', credentials: { method: 'token', token: vaultToken } },
  });
  vault.before = ({ headers }) =>
    wire.set(
      'sys/replication/performance/status',
      headers['x-vault-namespace'] === undefined
        ? [200, { data: { mode: 'primary', cluster_id: 'a' } }]
        : [400, { errors: ['operation unavailable in namespaces'] }],
    );
  const { json } = await visitor.send('GET', at());
  vault.before = undefined;
  await below.close();
  expect(json).toMatchObject({ mode: 'primary', cluster_id: 'a', signed_in: true, may: null });
});

describe('a server without replication', () => {
  test('without the status path, which it shows only to tokens', async () => {
    vault.openPaths.clear();
    expect(await read()).toMatchObject({ mode: 'unsupported', signed_in: true });
    wire.set('sys/replication/performance/status', denied);
    expect(await read()).toMatchObject({ mode: 'unsupported', signed_in: true, may: null });
  });

  test.each([
    ['the community edition', {}, false],
    ['a version that says it', { version: '1.15.4+ent' }, true],
    ['an edition that says it', { version: '1.21.0', enterprise: true }, true],
  ])('%s: reports whether replication could be enabled', async (_, edition, can_replicate) => {
    vault.edition = edition;
    status({ mode: 'disabled' });
    expect(await read()).toMatchObject({ mode: 'disabled', can_replicate });
  });

  test("reports that as unknown if the server doesn't say and the token can't read", async () => {
    status({ mode: 'disabled' });
    wire.set('sys/replication/performance/transitions', denied);
    expect(await read()).toMatchObject({ mode: 'disabled', can_replicate: null });
  });

  test('refuses changes and reports everything else as unknown', async () => {
    status({ mode: 'disabled' });
    const enabled = await page.send('POST', at('/enable-primary'), { body: {} });
    expect(enabled.json).toMatchObject({
      code: 'invalid-request',
      detail: "This server doesn't support replication, or doesn't support this operation.",
    });
    expect(await read('/transitions')).toEqual({ items: null });
    expect(await read('/lost-writes')).toEqual({ items: null, total: null });
    const deleted = await page.send('POST', at('/lost-writes/delete'), { body: { up_to: 3 } });
    expect(deleted.json).toMatchObject({ detail: "This server can't delete lost writes." });
    expect(await read('/received-filter')).toEqual({ mounts: null, namespaces: null });
    expect((await page.send('POST', at('/canary'))).json).toMatchObject({
      detail: "This server can't write canaries.",
    });
  });

  test('passes the paging parameters of lost writes on', async () => {
    const written = { seq: 7, time: '2026-01-01T00:00:00Z', found_time: '2026-01-01T00:00:00Z', records: [] };
    tell('sys/replication/performance/lost', { total: 9, lost: [{ id: 3, ...written }] });
    expect(await read('/lost-writes?limit=1&before=4')).toMatchObject({ items: [{ id: 3 }], total: 9 });
    const asked = vault.seen.map(({ path }) => path).filter((path) => path.includes('/lost'));
    expect(asked).toEqual(['/v1/sys/replication/performance/lost?before=4&limit=1']);
  });

  const shared = {
    nodes: [
      { hostname: 'a', api_address: 'https://a:8200', cluster_address: 'https://a:8201', active_node: true },
      {
        hostname: 'b',
        api_address: 'https://b:8200',
        cluster_address: 'https://b:8201',
        active_node: false,
        last_echo: '2026-11-23T07:40:46Z',
        version: '1.21.0',
      },
    ],
  };
  const raft = {
    config: {
      index: 0,
      servers: [
        { node_id: 'one', address: 'one:8201', leader: true, voter: true, protocol_version: '3' },
        { node_id: 'two', address: 'two:8201', leader: false, voter: true },
        { node_id: 'three', address: 'three:8201', leader: false, voter: false },
      ],
    },
  };

  test('lists nodes from whichever operation reports them', async () => {
    vault.edition = { version: '2.6.2' };
    expect(await read('/nodes')).toEqual({ source: null, nodes: [], cluster_name: null, cluster_id: null });
    wire.set('sys/leader', [200, { ha_enabled: true, is_self: false, leader_address: 'https://a:8200' }]);
    expect(await read('/nodes')).toMatchObject({
      source: 'leader',
      nodes: [{ name: 'https://a:8200', role: 'active', cluster_address: null }],
    });
    tell('sys/storage/raft/configuration', raft);
    expect(await read('/nodes')).toMatchObject({
      source: 'raft',
      nodes: [
        { name: 'one', cluster_address: 'one:8201', api_address: null, role: 'leader' },
        { name: 'two', role: 'voter' },
        { name: 'three', role: 'non-voter' },
      ],
    });
    tell('sys/ha-status', shared);
    expect(await read('/nodes')).toMatchObject({
      source: 'ha-status',
      nodes: [
        { name: 'a', role: 'active', last_echo: null, version: null },
        { name: 'b', role: 'standby', last_echo: '2026-11-23T07:40:46Z', version: '1.21.0' },
      ],
    });
  });
});

describe('why a change is refused', () => {
  const notPromoted = (why: string) =>
    `this secondary is not promoted: ${why}. Set "force" to promote it anyway.`;
  test.each<[text: string, says: string, field?: string]>([
    ['this cluster is already a primary', 'is already a primary'],
    ['this cluster is a secondary. Promote it instead of enabling it as a primary.', 'Promote it instead'],
    ['this cluster is a secondary, and only a primary can do this', 'Only a primary'],
    ['this cluster is a primary. Demote it first.', 'Only a secondary'],
    ['replication is disabled on this cluster. Enable it as a primary first.', 'Replication is disabled'],
    [
      notPromoted('a snapshot is incomplete, so this cluster has a mixture of old and new records'),
      'a mixture',
      'force',
    ],
    [
      notPromoted('a paths filter excludes some mounts and namespaces from this cluster'),
      'a filter excludes',
      'force',
    ],
    [
      notPromoted('the primary at a:8201 is running, and two primaries may lose data. Demote it first'),
      'is running',
      'force',
    ],
    [
      notPromoted(
        'its secondary x is disconnected and may have been promoted, and two primaries may lose data',
      ),
      'may have been promoted',
      'force',
    ],
    [
      notPromoted('its former primary is the primary again, or is being promoted at the same moment'),
      'If neither cluster is the primary, try again',
      'force',
    ],
    [notPromoted('it follows no primary, so missing writes are unknown'), 'follows no primary', 'force'],
    ['update_primary_addrs has more than 16 addresses', '16 addresses', 'addresses'],
    [
      notPromoted('2 writes of the demoted primary at a:8201 are missing here. Wait until they arrive'),
      'all writes of the demoted',
      'force',
    ],
    [
      notPromoted("its primary doesn't respond and never has, so missing writes are unknown"),
      'never has',
      'force',
    ],
    [
      notPromoted("its primary doesn't respond, and 1 write that it last reported is missing here"),
      'writes that this cluster lacks',
      'force',
    ],
    [
      "the primary doesn't respond at its cluster address a:8201. Nothing was changed here. The token is used up",
      "at the primary's cluster address",
    ],
    [
      "the primary at https://vault.enterprise can't be reached: connect ECONNREFUSED",
      'API address',
      'primary_api_addr',
    ],
    [
      'the activation token has no API address of its primary. Set primary_api_addr.',
      'API address',
      'primary_api_addr',
    ],
    [
      'the primary at https://a refused the activation token (400): wrapping token is not valid',
      'already been used',
    ],
    ['the activation token has expired; create another one', 'already been used'],
    ['ca_file /etc/ca.pem: no such file or directory', 'this CA file', 'ca_file'],
    ['ca_path /etc/ca: no file in it has a PEM certificate', 'this CA directory', 'ca_path'],
    ['ca_file and ca_path cannot be used together', 'not both', 'ca_path'],
    ['a cluster cannot follow itself', 'follow itself', 'primary'],
    [
      "none of a:1, b:1 answered as this cluster's primary. Nothing was changed.",
      'respond at any of these',
      'addresses',
    ],
    [
      'this cluster has no primary whose addresses could be updated. Use an activation token.',
      'has no primary',
    ],
    ['the cluster port cannot be used: listen EADDRINUSE', 'cluster port'],
    ['operation unavailable in namespaces', 'root namespace'],
  ])('%s', async (text, says, field) => {
    wire.set('sys/replication/performance/secondary/promote', [400, { errors: [text] }]);
    const { json } = await page.send('POST', at('/promote'), { body: {} });
    expect(json).toMatchObject({
      detail: expect.stringContaining(says),
      ...(field !== undefined && { fields: [{ path: field }] }),
    });
    expect(json).toHaveProperty('status', says === 'root namespace' ? 403 : 400);
    if (field === undefined) expect(json).not.toHaveProperty('fields');
    expect(json['fields'] ?? [{}]).toHaveLength(1);
  });
});

describe('filters', () => {
  const kv = { type: 'kv', description: '' };
  beforeEach(() => {
    tell('sys/mounts', { 'secret/': kv, 'sys/': { type: 'system' }, 'own/': { ...kv, local: true } });
    tell('sys/auth', {
      'userpass/': { type: 'userpass', description: 'people' },
      'token/': { type: 'token' },
    });
    tell('sys/namespaces', { keys: ['team/'] });
    tell('team/sys/mounts', { 'kv/': kv, 'cubbyhole/': { type: 'ns_cubbyhole' } });
    tell('team/sys/auth', { 'token/': { type: 'ns_token' } });
  });
  const preview = async (body: object) =>
    (await page.send('POST', at('/filter-preview'), { body })).json as {
      items: { path: string; received: boolean; will_be_received: boolean }[];
      unmatched: string[];
      complete: boolean;
    };
  const receivedOf = ({ items }: Awaited<ReturnType<typeof preview>>) =>
    items.filter(({ will_be_received: is }) => is).map(({ path }) => path);

  test('previews every mount and namespace', async () => {
    const told = await preview({ mode: 'deny', paths: [] });
    expect(told).toMatchObject({
      items: [
        { path: 'auth/userpass', kind: 'auth', plugin: 'userpass', description: 'people', received: true },
        { path: 'own', local: true, received: false, will_be_received: false },
        { path: 'secret', kind: 'secret', plugin: 'kv', local: false },
        { path: 'team', kind: 'namespace', plugin: '' },
        { path: 'team/kv', kind: 'secret' },
      ],
      unmatched: [],
      complete: true,
    });
    expect(told.items).toHaveLength(5);
  });

  test.each([
    ['deny', ['secret', 'nowhere'], ['auth/userpass', 'team', 'team/kv'], ['nowhere']],
    ['deny', ['team'], ['auth/userpass', 'secret'], []],
    ['allow', [], [], []],
    ['allow', ['own', 'secret'], ['secret'], []],
    ['allow', ['team/kv'], ['team', 'team/kv'], []],
    ['allow', ['team'], ['team', 'team/kv'], []],
    // A mount with the same prefix in its name is another mount.
    ['deny', ['sec'], ['auth/userpass', 'secret', 'team', 'team/kv'], ['sec']],
  ])('%s %j leaves %j', async (mode, paths, received, unmatched) => {
    const told = await preview({ mode, paths });
    expect(receivedOf(told)).toEqual(received);
    expect(told.unmatched).toEqual(unmatched);
  });

  test('previews changes against the existing filter', async () => {
    tell('sys/replication/performance/primary/paths-filter/eu', { mode: 'allow', paths: ['secret/'] });
    const told = await preview({ secondary: 'eu', mode: 'deny', paths: ['secret'] });
    const changes = told.items.filter(({ received, will_be_received: will }) => received !== will);
    expect(changes).toMatchObject([
      { path: 'auth/userpass', received: false },
      { path: 'secret', received: true },
      { path: 'team', received: false },
      { path: 'team/kv', received: false },
    ]);
  });

  test('previews everything, except local mounts', async () => {
    tell('sys/replication/performance/primary/paths-filter/eu', { mode: 'allow', paths: ['secret/'] });
    const told = await preview({ secondary: 'eu', mode: 'all', paths: ['secret'] });
    const left = told.items.filter(({ will_be_received: will }) => !will).map(({ path }) => path);
    expect(left).toEqual(['own']);
  });

  test("reports a preview as incomplete if the token can't see everything", async () => {
    wire.set('team/sys/mounts', denied);
    expect(await preview({ mode: 'deny', paths: [] })).toMatchObject({ complete: false });
  });

  /** 5,000 engines: their numbers, with a name after each. */
  const engines = (name = '') =>
    Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`${at}${name}/`, kv]));

  test('lists at most 10,000 items', async () => {
    tell('sys/namespaces', { keys: ['a/', 'b/', 'c/'] });
    for (const name of ['a', 'b', 'c']) tell(`${name}/sys/mounts`, engines());
    const { items, complete } = await preview({ mode: 'deny', paths: ['a', 'b/7'] });
    expect(complete).toBe(false);
    expect(items).toHaveLength(10_000);
    const without = items.filter(({ will_be_received: will }) => !will).map(({ path }) => path);
    expect(without.filter((path) => !path.startsWith('a/'))).toEqual(['a', 'b/7', 'own']);
    expect(without).toHaveLength(5003);
  });

  test('lists items with at most a million characters, shortens descriptions, and omits long paths', async () => {
    tell('sys/mounts', { [`${'x'.repeat(1025)}/`]: kv, 'y/': { ...kv, description: 'd'.repeat(300) } });
    const few = await preview({ mode: 'all', paths: [] });
    expect(few.complete).toBe(false);
    expect(few.items.filter(({ path }) => /^[xy]/.test(path))).toMatchObject([
      { path: 'y', description: `${'d'.repeat(100)}…` },
    ]);
    tell('team/sys/mounts', engines('x'.repeat(210)));
    const many = await preview({ mode: 'all', paths: [] });
    expect(many.complete).toBe(false);
    expect(many.items.length).toBeLessThan(5000);
    expect(many.items.length).toBeGreaterThan(4500);
  });

  test('previews in slices, once at a time for each user', async () => {
    tell('team/sys/mounts', engines());
    using asked = vi.spyOn(Slices.prototype, 'giveWay');
    await preview({ mode: 'all', paths: [] });
    // Each item is checked, gathered and compared.
    expect(asked.mock.calls.length).toBeGreaterThan(3 * 5000);
    const isHeld = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    let lists = 0;
    vault.before = ({ path }) => {
      if (path !== '/v1/sys/mounts') return;
      lists += 1;
      isHeld.resolve();
      return release.promise;
    };
    const previews = [1, 2, 3].map(() => preview({ mode: 'all', paths: [] }));
    await isHeld.promise;
    // Sent later, and answered although the previews wait.
    await read('/secondaries/eu/filter');
    await read('/secondaries/eu/filter');
    expect(lists).toBe(1);
    release.resolve();
    for (const { items } of await Promise.all(previews)) expect(items).toHaveLength(5004);
    expect(lists).toBe(3);
  });

  test('reads a missing filter as one that excludes nothing', async () => {
    wire.set('sys/replication/performance/primary/paths-filter/eu', [200, { data: null }]);
    expect(await read('/secondaries/eu/filter')).toEqual({
      secondary: 'eu',
      revision: 'none',
      configured: false,
      mode: 'all',
      paths: [],
    });
  });

  test('reads the effective filter from the secondary', async () => {
    const filtered = { dynamic_filtered_mounts: ['own/'], dynamic_filtered_namespaces: null };
    status({ mode: 'secondary', secondary_id: 'us' });
    tell('sys/replication/performance/secondary/dynamic-filter/us', filtered);
    expect(await read('/received-filter')).toEqual({ mounts: ['own/'], namespaces: null });
  });
});
