import { StoreUnavailable } from '@gatehouse/service-kit/store';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Mount } from '../../core/mount.ts';
import {
  allEntries as all,
  expectEqual,
  mountAt,
  openPrimaryStore as primary,
  openSecondaryStore as secondary,
  put,
  sendEntries,
  sendSnapshot,
} from '../../testing/replicated-pair.ts';
import { openReplicatedStore } from '../../testing/replicated-store.ts';
import type { ReplicatedStore } from '../../testing/replicated-store.ts';
import { unpack } from './log/entry-codec.ts';
import type { LogLimits } from './log/log.ts';
import { openReplicationStore } from './open-replication-store.ts';
import type { Packed, PathsFilter } from './replication-store.ts';
import { commonPosition } from './replication-store.ts';

const nothingPacked: Packed = { changes: '[]', secrets: [] };

const valueAt = (cluster: ReplicatedStore, mountPath: string, path: string): string | null | undefined =>
  cluster.kv.read(cluster.mounts.at('', mountPath)?.id ?? 0, path, 0, cluster.clock.now())?.data;

/** Does writes that are one commit, however long it takes. */
async function inOneCommit<Result>(write: () => Promise<Result>): Promise<Result> {
  const time = vi.spyOn(performance, 'now').mockReturnValue(0);
  try {
    return await write();
  } finally {
    time.mockRestore();
  }
}

describe('the change log', () => {
  test('has one entry for writes that are committed together, without the failed ones', async () => {
    await using cluster = await primary();
    const mount = await mountAt(cluster, 'secret/');
    const before = cluster.replication.position().seq;
    let told = 0;
    cluster.replication.onAppend(() => (told += 1));
    const results = await inOneCommit(() =>
      Promise.allSettled([
        put(cluster, mount, 'a', '{"n":1}'),
        cluster.kv.change(mount.id, 'b', 0, (change) => {
          change.addVersion('{}');
          throw new Error('no');
        }),
        put(cluster, mount, 'a', '{"n":2}'),
      ]),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(told).toBe(1);
    const entries = cluster.replication.entriesAfter(before, all) ?? [];
    expect(entries.map(({ seq }) => seq - before)).toEqual([1]);
    const changes = entries.flatMap(unpack);
    expect(changes.map(({ table, key }) => [table, ...key.slice(1)])).toEqual([
      ['kv_key', 'a'],
      ['kv_version', 'a', 1],
      ['kv_version', 'a', 2],
      ['kv_key', 'a'],
    ]);
    expect(changes[2]?.values).toEqual([cluster.clock.now(), null, 0, Buffer.from('{"n":2}')]);
  });

  test('has the writes of a mount whose removal was undone by a full disk', async () => {
    await using cluster = await primary();
    const mount = await mountAt(cluster, 'secret/');
    await put(cluster, mount, 'a', '{"n":1}');
    const before = cluster.replication.position().seq;
    const undone = await inOneCommit(() =>
      Promise.allSettled([
        cluster.mounts.remove(mount),
        mountAt(cluster, 'other/'),
        put(cluster, mount, 'a', '{"n":2}'),
        cluster.store.write(() => {
          throw new StoreUnavailable('full', undefined);
        }),
      ]),
    );
    expect(undone.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    expect(cluster.mounts.list('').map(({ path }) => path)).toEqual(['secret/']);
    await put(cluster, mount, 'a', '{"n":3}');
    const changes = (cluster.replication.entriesAfter(before, all) ?? []).flatMap(unpack);
    expect(changes.map(({ table, key }) => [table, ...key.slice(1)])).toEqual([
      ['kv_version', 'a', 2],
      ['kv_key', 'a'],
    ]);
  });

  test('has no writes to a mount that was retired while there was no log', async () => {
    await using cluster = await primary();
    const { build } = cluster.store;
    const mount = await mountAt(cluster, 'secret/');
    await put(cluster, mount, 'a', '{}');
    cluster.replication.capture = 'off';
    const retire = build.updateTable('mount').set({ retired: 1 }).where('id', '=', mount.id).compile();
    await cluster.store.write((tx) => tx.run(retire));
    cluster.replication.capture = 'keep';
    const before = cluster.replication.position();
    await put(cluster, mount, 'a', '{}');
    expect(cluster.replication.position()).toEqual(before);
  });

  test('reports its own last entry as no longer available after a snapshot from further ahead', async () => {
    await using cluster = await primary();
    const own = await cluster.replication.touch(cluster.clock.now());
    expect(cluster.replication.entriesAfter(own, all)).toEqual([]);
    await using other = await primary();
    while (other.replication.position().seq < own + 5) await other.replication.touch(other.clock.now());
    cluster.replication.capture = 'refuse';
    await sendSnapshot(other, cluster);
    expect(cluster.replication.entriesAfter(own, all)).toBeUndefined();
    expect(cluster.replication.entriesAfter(own + 5, all)).toEqual([]);
  });

  test('has the removal of a mount, without those of its keys and their versions', async () => {
    await using cluster = await primary();
    const mount = await mountAt(cluster, 'secret/');
    await put(cluster, mount, 'a', '{}');
    const before = cluster.replication.position().seq;
    await cluster.mounts.remove(mount);
    expect(cluster.replication.entriesAfter(before, all)?.map(unpack)).toEqual([
      [{ table: 'mount', key: [mount.uuid], values: null }],
    ]);
  });

  test('keeps values sealed on disk', async () => {
    await using cluster = await primary();
    const mount = await mountAt(cluster, 'secret/');
    await put(cluster, mount, 'a', '{"password":"canary-in-the-log"}');
    const rows = cluster.store.all(cluster.store.build.selectFrom('replication_log').selectAll().compile());
    const text = rows.map(({ changes, sealed }) => changes + Buffer.from(sealed).toString('latin1')).join('');
    expect(text).toContain('"a"');
    expect(text).not.toContain('canary');
  });

  test("stores a version's value only once, and marks a version that was destroyed later", async () => {
    await using cluster = await primary();
    const mount = await mountAt(cluster, 'secret/');
    const before = cluster.replication.position().seq;
    for (const value of ['{"n":1}', '{"n":2}']) await put(cluster, mount, 'a', value);
    const { store, barrier, clock } = cluster;
    const cold = openReplicationStore(store, barrier, clock);
    const entries = cluster.replication.entriesAfter(before, all) ?? [];
    expect(cold.entriesAfter(before, all)).toEqual(entries);
    const query = store.build.selectFrom('replication_log').select('sealed').where('seq', '>', before);
    expect(store.all(query.compile()).map(({ sealed }) => sealed.length)).toEqual([0, 0]);

    await cluster.kv.change(mount.id, 'a', 0, (change) => change.destroy(1));
    const [first, second] = (cold.entriesAfter(before, all) ?? []).map(unpack);
    expect(first?.[1]).toMatchObject({ key: [mount.uuid, 'a', 1], values: [clock.now(), null, 1, null] });
    expect(second).toEqual(entries.slice(1).map(unpack)[0]);
  });

  test('splits a large commit into several entries, each with whole writes', async () => {
    await using cluster = await primary();
    await using to = await secondary();
    const mount = await mountAt(cluster, 'secret/');
    await sendSnapshot(cluster, to);
    const before = cluster.replication.position().seq;
    const large = JSON.stringify('x'.repeat(3 * 2 ** 20));
    await inOneCommit(() =>
      Promise.all(['a', 'b', 'c', 'd', 'e'].map((path) => put(cluster, mount, path, large))),
    );
    const entries = cluster.replication.entriesAfter(before, all) ?? [];
    const keysOf = (entry: Packed) =>
      unpack(entry).map(({ table, key }) => [table, ...key.slice(1)].join(' '));
    expect(entries.map(keysOf)).toEqual([
      ['kv_key a', 'kv_version a 1', 'kv_key b', 'kv_version b 1'],
      ['kv_key c', 'kv_version c 1', 'kv_key d', 'kv_version d 1'],
      ['kv_key e', 'kv_version e 1'],
    ]);
    await sendEntries(cluster, to);
    await expectEqual(cluster, to);
  });

  test('returns recent entries exactly as stored, without rolled-back writes', async () => {
    await using cluster = await primary();
    const { store, barrier, clock, replication, kv } = cluster;
    const mount = await mountAt(cluster, 'secret/');
    const before = replication.position().seq;
    // A first call makes the store keep recent entries in memory.
    expect(replication.entriesAfter(before, all)).toEqual([]);
    await inOneCommit(() => {
      const failing = kv.change(mount.id, 'a', 0, (change) => {
        change.addVersion('{"n":"undone"}');
        throw new Error('no');
      });
      const done = [put(cluster, mount, 'a', '{"n":1}'), put(cluster, mount, 'a', '{"n":2}')];
      return Promise.allSettled([failing, ...done]);
    });
    const policy = 'path "x" { capabilities = ["read"] }';
    await inOneCommit(() =>
      Promise.all([cluster.policies.set('', 'p', policy), put(cluster, mount, 'b', '{}')]),
    );
    await replication.touch(clock.now());
    await put(cluster, mount, 'b', '{"n":3}');
    const cold = openReplicationStore(store, barrier, clock).entriesAfter(before, all);
    expect(cold).toHaveLength(4);
    expect(replication.entriesAfter(before, all)).toEqual(cold);
    expect(replication.entriesAfter(before, { ...all, entries: 1 })).toEqual(cold?.slice(0, 1));
    expect(replication.entriesAfter(before, { ...all, bytes: 1 })).toEqual(cold?.slice(0, 1));

    // Neither forgotten entries nor, once the server is sealed, any entries are returned from memory.
    await kv.change(mount.id, 'a', 0, (change) => change.destroy(1));
    expect(unpack(replication.entriesAfter(before, all)?.[0] ?? nothingPacked)[1]?.values?.[2]).toBe(0);
    barrier.lock();
    expect(() => replication.entriesAfter(before, all)).toThrow(/sealed/);
  });

  test('trims entries beyond the size limit, and entries that no secondary needs', async () => {
    await using cluster = await primary();
    const { store, barrier, clock } = cluster;
    const kept = async (limits: LogLimits, needed: readonly number[] = []) => {
      await openReplicationStore(store, barrier, clock, limits).trim(needed);
      return store
        .all(store.build.selectFrom('replication_log').select('seq').orderBy('seq').compile())
        .map(({ seq }) => seq - first);
    };
    const first = cluster.replication.position().seq + 1;
    for (let n = 0; n < 10; n += 1) await cluster.policies.set('', `p${n}`, `# ${'x'.repeat(10_000)}`);
    expect(await kept({ always: 100, most: 100, bytes: 1e9 })).toHaveLength(10);
    expect(await kept({ always: 2, most: 100, bytes: 1e9 }, [first + 3])).toEqual([4, 5, 6, 7, 8, 9]);
    expect(await kept({ always: 100, most: 100, bytes: 35_000 })).toEqual([6, 7, 8, 9]);
    expect(await kept({ always: 100, most: 2, bytes: 1e9 }, [0])).toEqual([8, 9]);
    expect(await kept({ always: 100, most: 100, bytes: 1 })).toEqual([9]);
    expect(cluster.replication.entriesAfter(first + 7, all)).toBeUndefined();
  });

  test('returns undefined for entries that are no longer available', async () => {
    await using cluster = await primary();
    const mount = await mountAt(cluster, 'secret/');
    await put(cluster, mount, 'a', '{}');
    await cluster.replication.beginEpoch(true);
    expect(cluster.replication.entriesAfter(0, all)).toBeUndefined();
    expect(cluster.replication.entriesAfter(cluster.replication.position().seq, all)).toEqual([]);
  });
});

describe('a secondary', () => {
  test('refuses its own writes of replicated records', async () => {
    await using cluster = await secondary();
    await expect(mountAt(cluster, 'secret/')).rejects.toMatchObject({ status: 503 });
    expect(cluster.mounts.at('', 'secret/')).toBeUndefined();
  });

  test('continues after its position, and ignores entries that it already has', async () => {
    await using from = await primary();
    await using to = await secondary();
    const mount = await mountAt(from, 'secret/');
    await sendSnapshot(from, to);
    await expectEqual(from, to);
    await put(from, mount, 'a', '{"n":1}');
    await put(from, mount, 'a', '{"n":2}');
    await sendEntries(from, to, undefined, 1);
    expect(valueAt(to, 'secret/', 'a')).toBe('{"n":1}');
    await sendEntries(from, to);
    expect(valueAt(to, 'secret/', 'a')).toBe('{"n":2}');
    expect(to.replication.position()).toEqual(from.replication.position());
    await expectEqual(from, to);
    // The secondary can serve others from its own log.
    expect(to.replication.entriesAfter(to.replication.position().seq - 1, all)).toEqual(
      from.replication.entriesAfter(from.replication.position().seq - 1, all),
    );
  });

  test('removes the records that a snapshot lacks', async () => {
    await using from = await primary();
    await using to = await openReplicatedStore();
    const mount = await mountAt(from, 'secret/');
    for (const path of ['a', 'c/d', 'x']) await put(from, mount, path, '{"of":"primary"}');
    await sendSnapshot(from, to);
    const here = to.mounts.at('', 'secret/');
    if (here === undefined) throw new Error('the mount did not arrive');
    for (const path of ['0', 'a', 'b', 'c/d', 'c/d', 'y']) await put(to, here, path, '{"of":"itself"}');
    await put(to, await mountAt(to, 'other/'), 'z', '{}');
    await to.policies.set('', 'own', 'path "x" { capabilities = ["read"] }');
    await sendSnapshot(from, to);
    await expectEqual(from, to);
    expect(to.replication.whole()).toBe(true);
  });

  test('is not whole after an incomplete snapshot or after losing writes', async () => {
    await using from = await primary();
    await using to = await secondary();
    await sendSnapshot(from, to);
    await to.replication.beginSnapshot(from.replication.position(), undefined);
    expect(to.replication.whole()).toBe(false);
    await sendSnapshot(from, to);
    expect(to.replication.whole()).toBe(true);
    await to.replication.loseAfter(to.replication.position().seq, 0);
    expect(to.replication.whole()).toBe(false);
  });

  test('deletes the secrets of a mount that it wrote to as the primary and that its new primary removes', async () => {
    await using former = await primary();
    await using current = await secondary();
    const mount = await mountAt(former, 'secret/');
    await put(former, mount, 'a', '{}');
    await sendSnapshot(former, current);
    former.replication.capture = 'refuse';
    current.replication.capture = 'keep';
    // A late write is refused, which reads the mount.
    await expect(put(former, mount, 'a', '{}')).rejects.toMatchObject({ status: 503 });
    const moved = current.mounts.at('', 'secret/');
    if (moved === undefined) throw new Error('the mount did not arrive');
    await current.mounts.remove(moved);
    await sendEntries(current, former);
    for (const retired of former.mounts.retired()) await former.mounts.remove(retired);
    expect(former.kv.key(mount.id, 'a')).toBeUndefined();
    expect(former.mounts.retired()).toEqual([]);
  });

  test('refuses its own writes to a mount that a filter excluded for a while', async () => {
    await using from = await primary();
    await using to = await secondary();
    await mountAt(from, 'secret/');
    await sendSnapshot(from, to);
    const here = to.mounts.at('', 'secret/');
    if (here === undefined) throw new Error('the mount did not arrive');
    await sendSnapshot(from, to, { mode: 'deny', paths: ['secret/'] });
    // As housekeeping does, which deletes what is excluded.
    await put(to, here, 'a', '{}');
    await sendSnapshot(from, to);
    expect(to.mounts.at('', 'secret/')?.id).toBe(here.id);
    await expect(put(to, here, 'a', '{}')).rejects.toMatchObject({ status: 503 });
  });

  test('refuses its own writes to a mount whose removal was undone by a full disk', async () => {
    await using from = await primary();
    await using to = await secondary();
    const mount = await mountAt(from, 'secret/');
    await sendSnapshot(from, to);
    const here = to.mounts.at('', 'secret/');
    if (here === undefined) throw new Error('the mount did not arrive');
    await from.mounts.remove(mount);
    const undone = await inOneCommit(() =>
      Promise.allSettled([
        sendEntries(from, to),
        put(to, here, 'a', '{}'),
        to.store.write(() => {
          throw new StoreUnavailable('full', undefined);
        }),
      ]),
    );
    expect(undone.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    await expect(put(to, here, 'a', '{}')).rejects.toMatchObject({ status: 503 });
  });

  test('keeps and lists the writes that its new primary never had', async () => {
    await using cluster = await primary();
    const mount = await mountAt(cluster, 'secret/');
    const { seq } = cluster.replication.position();
    await put(cluster, mount, 'db', '{"n":1}');
    await cluster.policies.set('', 'own', 'path "x" { capabilities = ["read"] }');
    expect(await cluster.replication.loseAfter(seq, 7)).toBe(2);
    expect(cluster.replication.position().seq).toBe(seq);
    expect(cluster.replication.lost()).toMatchObject([
      { foundTime: 7, records: ['policy own'] },
      { foundTime: 7, records: ['secret/db version 1'] },
    ]);
  });
});

describe('the filter', () => {
  test('lets others continue before each record that it excludes too', async () => {
    await using from = await primary();
    const mount = await mountAt(from, 'secret/');
    for (let n = 0; n < 20; n += 1) await put(from, mount, `k${String(n)}`, '{}');
    let waits = 0;
    const giveWay = async () => void (waits += 1);
    const filter = { mode: 'deny', paths: ['secret/'] } as const;
    await from.replication.digest(Buffer.alloc(32), filter, giveWay);
    expect(waits).toBeGreaterThan(40);
    waits = 0;
    await Array.fromAsync(from.replication.snapshot(filter, giveWay).chunks);
    expect(waits).toBeGreaterThan(40);
  });

  const cases: { filter: PathsFilter; mounts: string[]; namespaces: string[] }[] = [
    {
      filter: { mode: 'deny', paths: ['team/'] },
      mounts: ['team/own/', 'team/sub/deep/'],
      namespaces: ['team/', 'team/sub/'],
    },
    {
      filter: { mode: 'deny', paths: ['secret/', 'team/own/'] },
      mounts: ['secret/', 'team/own/'],
      namespaces: [],
    },
    {
      filter: { mode: 'allow', paths: ['secret/'] },
      mounts: ['team/own/', 'team/sub/deep/'],
      namespaces: ['team/', 'team/sub/'],
    },
    {
      filter: { mode: 'allow', paths: ['team/sub/deep/'] },
      mounts: ['secret/', 'team/own/'],
      namespaces: [],
    },
    {
      filter: { mode: 'allow', paths: [] },
      mounts: ['secret/', 'team/own/', 'team/sub/deep/'],
      namespaces: ['team/', 'team/sub/'],
    },
  ];
  test.each(cases)('$filter.mode $filter.paths', async ({ filter, mounts, namespaces }) => {
    await using from = await primary();
    await using to = await secondary();
    await from.namespaces.add('team/', {});
    await from.namespaces.add('team/sub/', {});
    const placed = [
      await mountAt(from, 'secret/'),
      await mountAt(from, 'own/', 'team/'),
      await mountAt(from, 'deep/', 'team/sub/'),
    ];
    for (const mount of placed) await put(from, mount, 'a', '{}');
    expect(from.replication.excluded(filter)).toEqual({ mounts, namespaces });
    await sendSnapshot(from, to, filter);
    await expectEqual(from, to, filter);
    // Later entries are filtered too, and the position advances past excluded ones.
    for (const mount of placed) await put(from, mount, 'b', '{}');
    await from.policies.set('team/sub/', 'p', 'path "x" { capabilities = ["read"] }');
    await sendEntries(from, to, filter);
    await expectEqual(from, to, filter);
    expect(to.replication.position()).toEqual(from.replication.position());
  });
});

describe('histories', () => {
  const history = (...epochs: (readonly [string, number])[]) => epochs.map(([id, after]) => ({ id, after }));
  test.each([
    [
      'the same',
      { seq: 9, history: history(['a', 0]) },
      { seq: 7, history: history(['a', 0]) },
      { seq: 7, diverged: false },
    ],
    [
      'a new primary',
      { seq: 12, history: history(['a', 0], ['b', 9]) },
      { seq: 7, history: history(['a', 0]) },
      { seq: 7, diverged: false },
    ],
    [
      'writes that the new primary never had',
      { seq: 12, history: history(['a', 0], ['b', 9]) },
      { seq: 11, history: history(['a', 0]) },
      { seq: 9, diverged: true },
    ],
    [
      'two primaries',
      { seq: 12, history: history(['a', 0], ['b', 9]) },
      { seq: 14, history: history(['a', 0], ['c', 8]) },
      { seq: 8, diverged: true },
    ],
    ['strangers', { seq: 12, history: history(['a', 0]) }, { seq: 3, history: history(['z', 0]) }, undefined],
    ['an empty follower', { seq: 12, history: history(['a', 0]) }, { seq: 0, history: [] }, undefined],
  ])('%s', (_name, leader, follower, expected) => {
    expect(commonPosition(leader, follower)).toEqual(expected);
  });
});

test('after any writes received in any pieces, a secondary equals its primary', async () => {
  const path = fc.constantFrom('a', 'b', 'b/c', 'é', '\u{1F511}', 'z');
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), path, mount: fc.nat(2) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('metadata' as const), path, mount: fc.nat(2) }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constantFrom('destroy', 'remove', 'delete'), path, mount: fc.nat(2) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constantFrom('remount', 'policy', 'role', 'plugin', 'config'),
        path,
        mount: fc.nat(2),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constantFrom('send', 'sendOne', 'snapshot'), path, mount: fc.nat(2) }),
    },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      await using from = await primary();
      await using to = await secondary();
      const mounts = [
        await mountAt(from, 'm0/'),
        await mountAt(from, 'm1/'),
        await mountAt(from, 'm2/', '', 'cloud'),
      ];
      await sendSnapshot(from, to);
      for (const { kind, path: at, mount: index } of steps) {
        from.clock.advance(10);
        const mount = mounts[index];
        if (mount === undefined) continue;
        await act(from, to, mounts, index, mount, kind, at);
      }
      await sendEntries(from, to);
      await expectEqual(from, to);
      await to.replication.beginSnapshot(from.replication.position(), undefined);
      await sendSnapshot(from, to);
      await expectEqual(from, to);
    }),
    { numRuns: process.env['GATEHOUSE_DEEP'] === '1' ? 500 : 15 },
  );
});

async function act(
  from: ReplicatedStore,
  to: ReplicatedStore,
  mounts: Mount[],
  index: number,
  mount: Mount,
  kind: string,
  at: string,
): Promise<void> {
  const now = from.clock.now();
  const settings = { maxVersions: 3, casRequired: false, deleteVersionAfter: 0 };
  const version = from.kv.key(mount.id, at)?.currentVersion ?? 0;
  switch (kind) {
    case 'put':
      await put(from, mount, at, JSON.stringify({ now }));
      break;
    case 'metadata':
      await from.kv.change(mount.id, at, now, (change) =>
        change.saveMetadata(settings, new Map([['n', String(now)]])),
      );
      break;
    case 'destroy':
      if (version > 0) await from.kv.change(mount.id, at, now, (change) => change.destroy(version));
      break;
    case 'delete':
      if (version > 0)
        await from.kv.change(mount.id, at, now, (change) => change.setDeletionTime(version, now));
      break;
    case 'remove':
      await from.kv.remove(mount.id, at);
      break;
    case 'remount':
      await from.mounts.remove(mount);
      mounts[index] = await mountAt(from, mount.path, '', mount.type);
      break;
    case 'policy':
      await from.policies.set('', `p${index}`, `path "${at}" { capabilities = ["read"] }`);
      break;
    case 'role':
      await from.cloud.saveLegacyRole(mount.id, at, `arn:${now}`);
      break;
    case 'plugin':
      await from.plugins.pin({ type: 'secret', name: 'kv', version: `1.0.${now % 7}` });
      break;
    case 'config':
      await from.kv.changeConfig(mount.id, () => settings);
      break;
    case 'sendOne':
      await sendEntries(from, to, undefined, 1, true);
      break;
    case 'snapshot':
      await sendSnapshot(from, to);
      break;
    default:
      await sendEntries(from, to, undefined, 1000, index === 0);
  }
}
