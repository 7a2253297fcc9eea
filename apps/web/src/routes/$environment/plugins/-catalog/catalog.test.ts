import { pluginIdOf, pluginTypes, type PluginType } from '@gatehouse/api-types/console/plugin-values';
import type { PluginMount, PluginSummary } from '@gatehouse/api-types/console/plugins';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAlwaysMounted, mountNews, rowsOf, runOf, sourceOf, wantedBy, type Catalog } from './catalog.ts';

function summary(
  key: { type?: PluginType; name?: string; version?: string },
  more: Partial<PluginSummary> = {},
): PluginSummary {
  const named = { type: 'secret' as const, name: 'mine', version: '', ...key };
  return {
    ...named,
    id: pluginIdOf(named),
    builtin: false,
    declarative: false,
    sha256: '',
    oci_image: '',
    runtime: '',
    deprecation_status: '',
    shadowed: false,
    ...more,
  };
}

const mount = (more: Partial<PluginMount> = {}): PluginMount => ({
  path: 'cloud',
  type: 'secret',
  plugin: 'mine',
  description: '',
  configured_version: '',
  running_version: '',
  running_sha256: '',
  ...more,
});

const builtin = summary({ version: 'v2.6.2+builtin.bao' }, { builtin: true, shadowed: true });
const unversioned = summary({}, { sha256: 'a'.repeat(64) });
const first = summary({ version: 'v1.9.0' }, { sha256: 'b'.repeat(64) });
const second = summary({ version: 'v1.10.0' }, { sha256: 'c'.repeat(64) });
const items = [builtin, first, unversioned, second];
const none = { mounts: null, pins: null };

test("a plugin's versions are adjacent: without a version first, then newest first, built-in last", () => {
  const auth = summary({ type: 'auth', name: 'userpass' }, { builtin: true });
  expect(rowsOf({ items: [...items, auth], ...none }).map(({ id }) => id)).toEqual([
    'auth/userpass',
    'secret/mine',
    'secret/mine@v1.10.0',
    'secret/mine@v1.9.0',
    'secret/mine@v2.6.2+builtin.bao',
  ]);
});

test('marks the registration that shadows the built-in plugin, and the pinned one', () => {
  const rows = rowsOf({
    items,
    mounts: [],
    pins: [{ type: 'secret', name: 'mine', version: 'v1.9.0' }],
  });
  expect(rows.filter(({ shadows }) => shadows).map(({ id }) => id)).toEqual(['secret/mine']);
  expect(rows.filter(({ isPinned }) => isPinned).map(({ id }) => id)).toEqual(['secret/mine@v1.9.0']);
  expect(rowsOf({ items: [builtin, first], ...none }).some(({ shadows }) => shadows)).toBe(false);
});

test('the source is the most specific one', () => {
  expect(sourceOf(builtin)).toBe('builtin');
  expect(sourceOf(summary({}, { declarative: true, oci_image: 'x' }))).toBe('configuration');
  expect(sourceOf(summary({}, { oci_image: 'x' }))).toBe('image');
  expect(sourceOf(first)).toBe('registered');
});

test('a mount gets the pinned version, else its configured version, else the registration without a version', () => {
  const pins = [{ type: 'secret' as const, name: 'mine', version: 'v1.9.0' }];
  expect(wantedBy(mount({ configured_version: 'v1.10.0' }), { items, pins })).toBe(first);
  expect(wantedBy(mount({ configured_version: 'v1.10.0' }), { items, pins: null })).toBe(second);
  expect(wantedBy(mount(), { items, pins: [] })).toBe(unversioned);
  expect(wantedBy(mount(), { items: [first, builtin], pins: [] })).toBe(builtin);
  expect(wantedBy(mount(), { items: [first, second], pins: [] })).toBe(second);
  expect(wantedBy(mount({ configured_version: 'v9.0.0' }), { items, pins: [] })).toBeUndefined();
});

test('finds the running registration by hash, then by version', () => {
  const pins = null;
  expect(runOf(mount({ running_sha256: first.sha256 }), { items, pins })).toBe(first);
  expect(runOf(mount({ running_version: builtin.version }), { items, pins })).toBe(builtin);
  const twin = summary({ version: 'v1.11.0' }, { sha256: first.sha256 });
  const both = { items: [...items, twin], pins };
  expect(runOf(mount({ running_sha256: first.sha256, running_version: 'v1.11.0' }), both)).toBe(twin);
  expect(runOf(mount({ running_sha256: first.sha256, configured_version: 'v1.9.0' }), both)).toBe(first);
});

test('the database connections that use a plugin are unknown', () => {
  const database = summary({ type: 'database', name: 'opensearch' });
  const usesOf = (item: PluginSummary) => rowsOf({ items: [item], mounts: [], pins: null })[0]?.uses;
  expect(usesOf(database)).toBeNull();
  expect(usesOf(unversioned)).toEqual([]);
});

test('recognizes the plugin that every server mounts', () => {
  expect(isAlwaysMounted({ type: 'auth', name: 'token' })).toBe(true);
  expect(isAlwaysMounted({ type: 'secret', name: 'token' })).toBe(false);
});

test('compares the running version with the registration', () => {
  const news = (more: Partial<PluginMount>) => mountNews(mount(more), { items, pins: null });
  expect(news({})).toBe('not-told');
  expect(news({ configured_version: 'v1.9.0', running_version: 'v1.9.0' })).toBe('as-registered');
  expect(
    news({ configured_version: 'v1.9.0', running_version: 'v1.9.0', running_sha256: second.sha256 }),
  ).toBe('other-hash');
  expect(news({ configured_version: 'v1.10.0', running_version: 'v1.9.0' })).toBe('other-version');
  expect(news({ running_version: 'v0.0.7', running_sha256: unversioned.sha256 })).toBe('as-registered');
  expect(news({ running_version: builtin.version })).toBe('other-version');
});

test('lists every registration, and every mount under its own plugin', () => {
  const key = fc.record({
    type: fc.constantFrom(...pluginTypes),
    name: fc.constantFrom('a', 'b'),
    version: fc.constantFrom('', 'v1.0.0', 'v1.0.0-rc.1', 'v2.0.0', 'v3.0.0+builtin'),
  });
  const hash = fc.constantFrom('', 'a'.repeat(64), 'b'.repeat(64));
  const catalog: fc.Arbitrary<Catalog> = fc.record({
    items: fc.uniqueArray(
      fc
        .tuple(key, hash)
        .map(([named, sha256]) => summary(named, { sha256, builtin: named.version.includes('builtin') })),
      { selector: ({ id }) => id },
    ),
    mounts: fc.uniqueArray(
      fc.tuple(key, key, hash, fc.string()).map(([named, other, running_sha256, path]) =>
        mount({
          path,
          type: named.type,
          plugin: named.name,
          configured_version: named.version,
          running_version: other.version,
          running_sha256,
        }),
      ),
      { selector: ({ path }) => path },
    ),
    pins: fc.uniqueArray(key, { selector: ({ type, name }) => `${type}/${name}` }),
  });
  fc.assert(
    fc.property(catalog, (given) => {
      const rows = rowsOf(given);
      expect(rows.map(({ id }) => id).toSorted()).toEqual(given.items.map(({ id }) => id).toSorted());
      const used = rows.flatMap(({ type, name, uses }) =>
        (uses ?? []).map((one) => {
          expect([one.type, one.plugin]).toEqual([type, name]);
          return one.path;
        }),
      );
      expect(used.length).toBe(new Set(used).size);
      for (const one of given.mounts ?? []) {
        expect(used.includes(one.path)).toBe(one.type !== 'database' && runOf(one, given) !== undefined);
      }
    }),
  );
});
