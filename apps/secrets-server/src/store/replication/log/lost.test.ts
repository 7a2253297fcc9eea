import { describe, expect, test } from 'vitest';
import {
  expectEqual,
  mountAt,
  openPrimaryStore,
  openSecondaryStore,
  put,
  sendEntries,
  sendSnapshot,
} from '#testing/replicated-pair.ts';
import type { ReplicatedStore } from '#testing/replicated-store.ts';
import { openReplicationStore } from '../open-replication-store.ts';
import { commonPosition } from '../replication-store.ts';

const policy = (path: string) => `path "${path}" { capabilities = ["read"] }`;

/** The descriptions of a cluster's lost writes, as a set. */
const lostRecords = ({ replication }: ReplicatedStore) =>
  new Set(replication.lost().map(({ records }) => records.join(', ')));

/** All text in a table. */
function textOf({ store }: ReplicatedStore, table: 'replication_lost'): string {
  return store
    .all(store.build.selectFrom(table).selectAll().compile())
    .map(({ records, changes, sealed }) => records + changes + Buffer.from(sealed).toString('latin1'))
    .join('');
}

describe('a cluster whose new primary has a different history', () => {
  test('keeps all records that only it had, sealed, and then equals its primary', async () => {
    await using own = await openPrimaryStore();
    const mount = await mountAt(own, 'secret/');
    await put(own, mount, 'a', '{"password":"canary"}');
    await put(own, mount, 'a', '{"n":2}');
    await put(own, mount, 'b', '{}');
    await own.policies.set('', 'own', policy('canary'));
    await own.policies.set('', 'both', policy('mine'));
    await own.policies.set('', 'same', policy('same'));
    await own.namespaces.add('team/', {});
    const cloud = await mountAt(own, 'cloud/', '', 'cloud');
    await own.cloud.saveLegacyRole(cloud.id, 'deploy', 'arn:canary');
    const { seq } = own.replication.position();

    await using other = await openPrimaryStore();
    await put(other, await mountAt(other, 'secret/'), 'a', '{"n":3}');
    await other.policies.set('', 'both', policy('theirs'));
    await other.policies.set('', 'same', policy('same'));
    const count = await sendSnapshot(other, own);
    await expectEqual(other, own);
    const expected = [
      'policy own',
      'policy both',
      'namespace team/',
      'mount secret/',
      'mount cloud/, cloud/roles/deploy',
      'secret/a version 1, secret/a version 2',
      'secret/b version 1',
    ];
    expect(lostRecords(own)).toEqual(new Set(expected));
    expect(count).toBe(expected.length);
    expect(own.replication.lost().map((each) => each.seq)).toEqual(expected.map(() => seq));
    expect(textOf(own, 'replication_lost')).not.toContain('canary');
  });

  test('keeps no records that the filter excludes', async () => {
    await using own = await openPrimaryStore();
    await put(own, await mountAt(own, 'only/'), 'a', '{}');
    await own.policies.set('', 'own', policy('x'));
    await using other = await openPrimaryStore();
    expect(await sendSnapshot(other, own, { mode: 'deny', paths: ['only/'] })).toBe(1);
    expect(lostRecords(own)).toEqual(new Set(['policy own']));
    expect(own.mounts.at('', 'only/')).toBeUndefined();
  });

  test('keeps its versions of a key that both clusters wrote', async () => {
    await using old = await openPrimaryStore();
    const mount = await mountAt(old, 'secret/');
    await put(old, mount, 'a', '{"of":"both"}');
    await put(old, mount, 'deleted', '{"of":"both"}');
    await using promoted = await openSecondaryStore();
    await sendSnapshot(old, promoted);
    // Forced promotion of a cluster that may not have all writes.
    await promoted.replication.beginEpoch(true);
    promoted.replication.capture = 'keep';
    const there = promoted.mounts.at('', 'secret/') ?? mount;
    for (const n of [2, 3]) await put(old, mount, 'a', `{"of":"old","n":${n}}`);
    await put(promoted, there, 'a', '{"of":"new"}');
    await old.kv.change(mount.id, 'gone', 0, (change) => change.addVersion('{}').version);
    await old.kv.change(mount.id, 'gone', 0, (change) => change.destroy(1));
    await old.kv.change(mount.id, 'deleted', 0, (change) => change.setDeletionTime(1, 0));
    await put(promoted, there, 'gone', '{"of":"new"}');
    await sendSnapshot(promoted, old);
    await expectEqual(promoted, old);
    // Equal records are not lost. Versions that were deleted or destroyed here become readable again, so they are
    // listed.
    expect(lostRecords(old)).toEqual(
      new Set([
        'secret/a version 2',
        'secret/a version 3',
        'secret/deleted version 1',
        'secret/gone version 1',
      ]),
    );
  });

  test('keeps versions that its primary has pruned', async () => {
    await using old = await openPrimaryStore();
    const mount = await mountAt(old, 'secret/');
    await old.kv.changeConfig(mount.id, (settings) => ({ ...settings, maxVersions: 1 }));
    await put(old, mount, 'a', '{"of":"both"}');
    await using promoted = await openSecondaryStore();
    await sendSnapshot(old, promoted);
    await promoted.replication.beginEpoch(true);
    promoted.replication.capture = 'keep';
    await put(old, mount, 'a', '{"of":"old"}');
    const there = promoted.mounts.at('', 'secret/') ?? mount;
    for (const n of [2, 3]) await put(promoted, there, 'a', `{"of":"new","n":${n}}`);
    await sendSnapshot(promoted, old);
    await expectEqual(promoted, old);
    expect(lostRecords(old)).toEqual(new Set(['secret/a version 2']));
  });

  test('keeps records that are missing after an incomplete snapshot and a forced promotion', async () => {
    await using old = await openPrimaryStore();
    const mount = await mountAt(old, 'secret/');
    await put(old, mount, 'a', '{}');
    await using half = await openSecondaryStore();
    await half.replication.beginSnapshot(old.replication.position(), undefined);
    await half.replication.beginEpoch(true);
    half.replication.capture = 'keep';
    await half.policies.ensureInitial('');
    expect(commonPosition(half.replication.position(), old.replication.position())).toBeUndefined();
    await sendSnapshot(half, old);
    expect(lostRecords(old)).toEqual(new Set(['mount secret/', 'secret/a version 1']));
  });

  test('keeps thousands of keys of a mount that its primary does not have', async () => {
    await using own = await openPrimaryStore();
    const mount = await mountAt(own, 'secret/');
    const paths = Array.from({ length: 1201 }, (_each, index) => `k${index}`);
    await Promise.all(paths.map((path) => put(own, mount, path, '{}')));
    await using other = await openPrimaryStore();
    expect(await sendSnapshot(other, own)).toBe(paths.length + 1);
    await expectEqual(other, own);
    expect(own.replication.lostCount()).toBe(paths.length + 1);
  });
});

describe("a cluster whose history is part of its primary's", () => {
  test('keeps no records that its primary removed in its absence', async () => {
    await using from = await openPrimaryStore();
    await using to = await openSecondaryStore();
    const mount = await mountAt(from, 'secret/');
    await put(from, mount, 'a', '{}');
    await from.policies.set('', 'p', policy('x'));
    await sendSnapshot(from, to);
    await from.kv.remove(mount.id, 'a');
    await from.policies.remove('', 'p');
    expect(await sendSnapshot(from, to)).toBe(0);
    expect(await sendSnapshot(from, to, { mode: 'deny', paths: ['secret/'] })).toBe(0);
    expect(to.replication.lost()).toEqual([]);
  });

  test('counts lost writes that its log no longer has, and keeps their records from the next snapshot', async () => {
    await using cluster = await openPrimaryStore();
    const { store, barrier, clock } = cluster;
    const limited = openReplicationStore(store, barrier, clock, { always: 2, most: 2, bytes: 1e9 });
    const mount = await mountAt(cluster, 'secret/');
    await using other = await openSecondaryStore();
    await sendSnapshot(cluster, other);
    const { seq } = cluster.replication.position();
    for (const path of ['a', 'b', 'c', 'd', 'e']) await put(cluster, mount, path, '{}');
    await limited.trim([]);
    expect(await cluster.replication.loseAfter(seq, 7)).toBe(5);
    expect(cluster.replication.position().seq).toBe(seq);
    expect(lostRecords(cluster)).toEqual(new Set(['secret/d version 1', 'secret/e version 1']));
    // The store is opened again, as after a restart.
    const again = { ...cluster, replication: openReplicationStore(store, barrier, clock) };
    await sendSnapshot(other, again);
    expect([...lostRecords(again)].toSorted()).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((path) => `secret/${path} version 1`),
    );
    expect(await sendSnapshot(other, again)).toBe(0);
  });
});

test('lost writes are listed in pages, keep their descriptions, and can be deleted', async () => {
  await using cluster = await openPrimaryStore();
  const { replication } = cluster;
  const mount = await mountAt(cluster, 'secret/');
  const { seq } = replication.position();
  for (const path of ['a', 'b', 'c']) await put(cluster, mount, path, '{}');
  expect(await replication.loseAfter(seq, 7)).toBe(3);
  await cluster.mounts.remove(mount);
  const page = replication.lost({ limit: 2 });
  expect(page.map(({ records }) => records)).toEqual([['secret/c version 1'], ['secret/b version 1']]);
  const [newest, oldest] = page;
  expect(replication.lost({ before: oldest?.id })).toMatchObject([{ records: ['secret/a version 1'] }]);
  expect(replication.lostCount()).toBe(3);
  expect(await replication.purgeLost((newest?.id ?? 0) - 1)).toBe(2);
  expect(replication.lost()).toEqual([newest]);
});

test('a primary restored from a backup detects the writes that only its secondaries have', async () => {
  await using primary = await openPrimaryStore();
  const mount = await mountAt(primary, 'secret/');
  // The backup: a cluster that has just received a snapshot.
  await using backup = await openSecondaryStore();
  await using secondary = await openSecondaryStore();
  for (const each of [backup, secondary]) await sendSnapshot(primary, each);
  await put(primary, mount, 'a', '{"of":"primary"}');
  await sendEntries(primary, secondary);
  const reached = secondary.replication.position().seq;

  const after = backup.replication.position().seq;
  for (let start = 0; start < 3; start += 1) await backup.replication.beginEpoch(false);
  backup.replication.capture = 'keep';
  const there = backup.mounts.at('', 'secret/') ?? mount;
  for (const path of ['b', 'c', 'd']) await put(backup, there, path, '{"of":"backup"}');
  expect(commonPosition(backup.replication.position(), secondary.replication.position())).toEqual({
    seq: after,
    diverged: true,
  });
  expect(await secondary.replication.loseAfter(after, 7)).toBe(reached - after);
  expect(lostRecords(secondary)).toEqual(new Set(['secret/a version 1']));
  // Several starts without writes leave only one epoch.
  const began = backup.replication.position().history.length - primary.replication.position().history.length;
  expect(began).toBe(1);
});
