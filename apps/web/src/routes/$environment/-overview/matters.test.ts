import type { BoxSummary } from '@gatehouse/api-types/console/boxes';
import type {
  ReplicationSecondary,
  ReplicationStatus,
} from '@gatehouse/api-types/console/replication-status';
import { expect, test } from 'vitest';
import {
  boxMatters,
  moduleMatters,
  pluginMatters,
  replicationMatters,
  secretMatters,
  unknownMatters,
  type Matter,
} from './matters.ts';

const titles = (matters: readonly Matter[]) => matters.map(({ title }) => title);

const plugin = (name: string, state: 'runs' | 'mismatch' | 'missing' | 'denied' | undefined) => ({
  id: `secret/${name}`,
  type: 'secret' as const,
  name,
  version: '',
  builtin: false,
  declarative: false,
  sha256: '',
  oci_image: '',
  runtime: '',
  deprecation_status: '',
  shadowed: false,
  state,
});

test('lists secrets whose date has passed', () => {
  const date = (path: string, kind: 'expires' | 'rotate_by', hours: number) => ({
    mount: 'secret',
    path,
    kind,
    at: new Date(hours * 3_600_000).toISOString(),
  });
  const dates = [date('a', 'expires', 1), date('b', 'rotate_by', 2), date('c', 'expires', 4)];
  const matters = secretMatters('test', dates, 3 * 3_600_000);
  expect(titles(matters)).toEqual(['Secret secret/a has expired', 'Secret secret/b is due for rotation']);
  expect(matters[0]).toMatchObject({
    detail: 'The date in its metadata passed 2 h ago.',
    href: '/test/secrets/secret/secret/a',
  });
});

test('lists plugins that the server will not run, and more than three as one', () => {
  const plugins = [
    plugin('a', 'mismatch'),
    plugin('b', 'runs'),
    plugin('c', 'missing'),
    plugin('d', undefined),
    plugin('e', 'denied'),
  ];
  expect(titles(pluginMatters('test', plugins))).toEqual([
    'Plugin secret/a: hash differs',
    'Plugin secret/c: no usable file',
  ]);
  const many = pluginMatters('test', [...plugins, plugin('f', 'missing'), plugin('g', 'missing')]);
  expect(titles(many)).toEqual(["4 plugins can't run"]);
  expect(many[0]?.detail).toBe(
    'Plugin secret/a: hash differs; Plugin secret/c: no usable file; Plugin secret/f: no usable file; …',
  );
});

const everywhere = { signed_in: true, may: null, renamed_mounts: null, cluster_id: 'c' };
const heartbeat = {
  heartbeat_age_ms: 1000,
  last_heartbeat_duration_ms: 1,
  clock_skew_ms: 0,
  canary_age_ms: 0,
  lag_entries: 0,
};
const secondary = (id: string, changes: Partial<ReplicationSecondary> = {}): ReplicationSecondary => ({
  ...heartbeat,
  id,
  cluster_id: id,
  api_address: null,
  cluster_address: null,
  connection: 'connected',
  connected_since: null,
  applied_seq: null,
  whole: null,
  ...changes,
});
const primary = (...secondaries: readonly ReplicationSecondary[]): ReplicationStatus => ({
  ...everywhere,
  mode: 'primary',
  primary_cluster_addr: null,
  last_seq: 1,
  secondaries: [...secondaries],
});

test('lists secondaries that never connected, are disconnected, lag or are silent', () => {
  const status = primary(
    secondary('fine'),
    secondary('unknown', { connection: 'unknown', canary_age_ms: null, heartbeat_age_ms: null }),
    secondary('new', { connection: 'disconnected', cluster_id: null }),
    secondary('gone', { connection: 'disconnected' }),
    secondary('late', { canary_age_ms: 180_000 }),
  );
  expect(titles(replicationMatters('test', status))).toEqual([
    'Secondary new has never connected',
    'Secondary gone is disconnected',
    'Secondary late lags by 3 min',
  ]);
  const silent = primary(secondary('silent', { heartbeat_age_ms: 120_000 }));
  expect(titles(replicationMatters('test', silent))).toEqual(['Secondary silent: no heartbeat for 2 min']);
});

test("lists a secondary's broken link to its primary", () => {
  const status = {
    ...everywhere,
    ...heartbeat,
    mode: 'secondary' as const,
    secondary_id: 's',
    primary: {
      cluster_id: 'p',
      api_address: null,
      cluster_address: null,
      known_addresses: [],
      standing: null,
      last_seq: null,
    },
    connection: 'ready' as const,
    connection_problem: null,
    sync: 'streaming' as const,
    last_seq: 1,
    last_start: null,
    whole: true,
    demoted: false,
    secondaries: null,
  };
  expect(replicationMatters('test', status)).toEqual([]);
  expect(titles(replicationMatters('test', { ...status, connection: 'denied' }))).toEqual([
    'The primary refuses this cluster',
  ]);
  expect(
    replicationMatters('test', { ...status, connection: 'disconnected', connection_problem: 'no route' }),
  ).toMatchObject([{ title: "This cluster can't reach its primary", detail: 'no route' }]);
  expect(titles(replicationMatters('test', { ...status, primary: null, connection: 'unknown' }))).toEqual([
    'This cluster follows no primary',
  ]);
});

test('lists released versions that lack images, but none whose images are not reported', () => {
  const box = (name: string, ...available: readonly (boolean | null)[]): BoxSummary => ({
    tag: `ada/${name}`,
    username: 'ada',
    name,
    short_description: '',
    is_private: false,
    downloads: 0,
    created_time: '',
    updated_time: '',
    current_version: {
      version: '1.0.0',
      created_time: '',
      providers: available.map((one, index) => ({ name: `p${index}`, architecture: null, available: one })),
      has_all_providers: true,
    },
  });
  const unreleased = { ...box('none'), current_version: null };
  expect(
    titles(
      boxMatters('test', [
        box('whole', true, null),
        unreleased,
        box('part', true, false),
        box('two', false, false),
      ]),
    ),
  ).toEqual([
    'ada/part 1.0.0 is released without its image for p1',
    'ada/two 1.0.0 is released without its images for p0 and p1',
  ]);
});

test('counts changes with an unknown outcome', () => {
  expect(unknownMatters('test', 0, false)).toEqual([]);
  expect(titles(unknownMatters('test', 1, false))).toEqual(['1 change with an unknown outcome']);
  expect(titles(unknownMatters('test', 100, true))).toEqual(['At least 100 changes with an unknown outcome']);
});

test('lists who has lately downloaded a module only from before a breaking version', () => {
  const now = Date.parse('2026-06-30T00:00:00Z');
  const fetched = (token: string, version: string, day: string) => ({
    token_id: token,
    token,
    owner: '',
    version,
    downloads: 1,
    last_fetched_time: `2026-${day}T00:00:00Z`,
    behind: 1,
  });
  const module = (version: string, ...consumers: readonly ReturnType<typeof fetched>[]) => ({
    namespace: 'acme',
    name: 'net',
    provider: 'aws',
    version,
    consumers,
  });
  const consumers = [
    fetched('ci', '1.4.0', '06-20'),
    fetched('gone', '1.0.0', '05-01'),
    fetched('moved', '1.0.0', '06-20'),
    fetched('moved', '2.0.0', '06-21'),
  ];
  const found = moduleMatters('test', [module('2.1.0', ...consumers), module('3.0.0')], now);
  expect(found).toMatchObject([
    {
      title: '1 consumer of acme/net/aws is behind a breaking version',
      detail: 'Latest: 2.1.0. Last downloaded: 1.4.0 by ci.',
      href: '/test/modules/acme/net/aws?tab=downloads',
    },
  ]);
  expect(
    moduleMatters('test', [module('1.9.0', ...consumers), module('2.0.0-rc.1', ...consumers)], now),
  ).toEqual([]);
  const many = ['a', 'b', 'c', 'd', 'e'].map((token) => fetched(token, '1.0.0', '06-20'));
  expect(moduleMatters('test', [module('2.0.0', ...many)], now)[0]?.detail).toBe(
    'Latest: 2.0.0. Last downloaded: 1.0.0 by a, 1.0.0 by b, 1.0.0 by c, and 2 others.',
  );
});
