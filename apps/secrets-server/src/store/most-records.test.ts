import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { roleOfLegacy } from '../domain/cloud/role.ts';
import { mountAt } from '../testing/replicated-pair.ts';
import { openReplicatedStore } from '../testing/replicated-store.ts';
import type { ReplicatedStore } from '../testing/replicated-store.ts';

/** Stores records at once, `n` being 1 to `count`. @param select the table, and the values of each record */
const fill = ({ store }: ReplicatedStore, count: number, select: RawBuilder<unknown>): Promise<unknown> =>
  store.write((tx) =>
    tx.run(
      sql`WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})
      INSERT INTO ${select} FROM counted`.compile(store.build),
    ),
  );
const mountsIn = (namespace: string): RawBuilder<unknown> =>
  sql`mount (namespace, path, type, description, accessor, uuid, config)
    SELECT ${namespace}, 'm' || n || '/', 'kv', '', ${namespace} || n, ${namespace} || n, '{}'`;
const namespacesIn = (parent: string): RawBuilder<unknown> =>
  sql`namespace (path, id, uuid, custom_metadata)
    SELECT ${parent} || 'n' || n || '/', ${parent} || n, ${parent} || n, '{}'`;
const most = (count: number, what: string) => ({
  status: 400,
  message: `there can be at most ${count} ${what}: delete one that is no longer needed first`,
});

describe('the number of', () => {
  test("an engine's roles is limited to 10,000, which can still be changed", async () => {
    await using own = await openReplicatedStore();
    const [engine, other] = [await mountAt(own, 'a/', '', 'cloud'), await mountAt(own, 'b/', '', 'cloud')];
    const role = roleOfLegacy('arn:aws:iam::aws:policy/x');
    const set = (id: number, name: string) => own.cloud.changeRole(id, name, () => role);
    await set(engine.id, 'first');
    const { id } = engine;
    await fill(own, 9998, sql`cloud_role (mount_id, name, sealed) SELECT ${id}, 'r' || n, x''`);
    await set(engine.id, 'last');
    await expect(set(engine.id, 'more')).rejects.toMatchObject(most(10_000, 'roles of one engine'));
    await set(engine.id, 'first');
    await set(other.id, 'more');
    await own.cloud.removeRole(engine.id, 'last');
    await set(engine.id, 'more');
    // Stored before there was a limit, or received from a primary.
    const long = 'r'.repeat(129);
    await own.cloud.saveLegacyRole(engine.id, long, 'arn:x');
    await set(engine.id, long);
    await expect(set(other.id, long)).rejects.toThrow('role name longer than 128 characters');
  });

  test('policies in a namespace is limited to 10,000, which can still be changed', async () => {
    await using own = await openReplicatedStore();
    const set = (namespace: string, name: string) => own.policies.set(namespace, name, 'path "a" {}');
    await set('', 'first');
    await fill(own, 9998, sql`policy (namespace, name, sealed) SELECT '', 'p' || n, x''`);
    await set('', 'last');
    await expect(set('', 'more')).rejects.toMatchObject(most(10_000, 'policies in one namespace'));
    await set('', 'first');
    await set('other/', 'more');
    await own.policies.remove('', 'last');
    await set('', 'more');
  });

  test('mounts is limited to 1,000 in a namespace, and 5,000 below one of the root', async () => {
    await using own = await openReplicatedStore();
    await fill(own, 999, mountsIn(''));
    const last = await mountAt(own, 'last/');
    await expect(mountAt(own, 'more/')).rejects.toMatchObject(most(1000, 'mounts in one namespace'));
    await own.mounts.change(last, () => ({ description: 'changed' }));
    await own.mounts.remove(last);
    await mountAt(own, 'more/');
    for (const namespace of ['a/', 'a/b/', 'a/c/', 'a/b/d/']) await fill(own, 1000, mountsIn(namespace));
    await fill(own, 999, mountsIn('a/e/'));
    await mountAt(own, 'last/', 'a/f/');
    await expect(mountAt(own, 'more/', 'a/f/')).rejects.toMatchObject(
      most(5000, 'mounts in a/ and the namespaces in it'),
    );
    await mountAt(own, 'more/', 'a0/');
    await mountAt(own, 'more/', 'b/');
  });

  test('namespaces is limited to 1,000 in one, and 5,000 below one of the root', async () => {
    await using own = await openReplicatedStore();
    const add = (path: string) => own.namespaces.add(path, {});
    await add('a/');
    await fill(own, 999, namespacesIn(''));
    await expect(add('more/')).rejects.toMatchObject(most(1000, 'namespaces in the root namespace'));
    await fill(own, 999, namespacesIn('a/'));
    await add('a/last/');
    await expect(add('a/more/')).rejects.toMatchObject(most(1000, 'namespaces in a/'));
    for (const parent of ['a/n1/', 'a/n2/', 'a/n3/']) await fill(own, 1000, namespacesIn(parent));
    await fill(own, 999, namespacesIn('a/n4/'));
    await add('a/n1/n1/last/');
    await expect(add('a/n2/n1/more/')).rejects.toMatchObject(
      most(5000, 'namespaces in a/ and the namespaces in it'),
    );
    // Another request has added it in the meantime.
    await add('a/last/');
    await add('n1/more/');
  });
});

test('a change of one mount reads that mount alone, and what was undone is not kept', async () => {
  await using own = await openReplicatedStore();
  const [one, other] = [await mountAt(own, 'one/'), await mountAt(own, 'other/')];
  const paths = () => own.mounts.list('').map(({ path, description }) => path + description);
  expect(paths()).toEqual(['one/', 'other/']);
  const readAll = vi.spyOn(own.store, 'all');
  await own.mounts.change(one, () => ({ description: 'changed' }));
  const added = await mountAt(own, 'longer/path/');
  expect(paths()).toEqual(['longer/path/', 'one/changed', 'other/']);
  expect(own.mounts.find('', 'longer/path/x')).toEqual(added);
  await own.mounts.remove(other);
  expect(paths()).toEqual(['longer/path/', 'one/changed']);
  expect(readAll.mock.calls.filter(([{ sql: text }]) => text.includes('from "mount"'))).toEqual([]);
  own.store.watch({
    tables: { mount: { columns: ['id'], names: ['id'] } },
    onWrite() {
      throw new Error('undone');
    },
    beforeCommit: () => undefined,
    onCommit: () => undefined,
    onUndone: () => undefined,
  });
  await expect(mountAt(own, 'undone/')).rejects.toThrow('undone');
  await expect(own.mounts.change(one, () => ({ description: 'undone' }))).rejects.toThrow('undone');
  await expect(own.mounts.remove(one)).rejects.toThrow('undone');
  expect(paths()).toEqual(['longer/path/', 'one/changed']);
});
