import { expect, test } from 'vitest';
import {
  activationOf,
  addSecondary,
  caughtUp,
  enablePrimary,
  refusalOf,
  replication,
  startCluster,
} from '../../testing/replicating-servers.ts';
import type { TestCluster } from '../../testing/replicating-servers.ts';

/** The lost writes that a cluster lists. */
async function lostOf({ admin }: TestCluster, query = '') {
  const { data } = await admin.read(`${replication}/lost${query}`);
  const lost = data['lost'] as readonly { readonly id: number; readonly records: readonly string[] }[];
  return { total: data['total'], lost, records: lost.map(({ records }) => records.join(', ')).toSorted() };
}

/** Demotes a primary and makes it follow another. */
async function rejoin(cluster: TestCluster, primary: TestCluster): Promise<void> {
  expect(await refusalOf(cluster.admin.write(`${replication}/primary/demote`))).toBe('');
  const token = await activationOf(primary, 'rejoined');
  expect(await refusalOf(cluster.admin.write(`${replication}/secondary/update-primary`, { token }))).toBe('');
  await caughtUp(primary, cluster);
}

test('a primary that follows its formerly filtered secondary lists the lost writes, and deletes them on request', async () => {
  await using first = await startCluster();
  await using second = await startCluster();
  await enablePrimary(first);
  await first.admin.write('sys/mounts/only', { type: 'kv', options: { version: '2' } });
  for (const path of ['only/data/a', 'only/data/b', 'secret/data/both'])
    await first.admin.write(path, { data: { v: 'one copy' } });
  const filter = { mode: 'deny', paths: ['only/'] };
  await first.admin.write(`${replication}/primary/paths-filter/second`, filter);
  await addSecondary(first, second, 'second');
  const promoted = second.admin.write(`${replication}/secondary/promote`, { force: true });
  expect(await refusalOf(promoted)).toBe('');
  await rejoin(first, second);

  const { total, lost, records } = await lostOf(first);
  expect(total).toBe(3);
  expect(records).toEqual(['mount only/', 'only/a version 1', 'only/b version 1']);
  const [newest] = lost;
  expect((await lostOf(first, '?limit=2')).lost).toEqual(lost.slice(0, 2));
  expect((await lostOf(first, `?before=${newest?.id}`)).lost).toEqual(lost.slice(1));
  for (const query of ['?limit=0', '?before=x'])
    expect((await first.admin.read(`${replication}/lost${query}`)).status).toBe(400);

  expect(await refusalOf(first.admin.delete(`${replication}/lost`))).toMatch(/^missing up_to/);
  const { data } = await first.admin.delete(`${replication}/lost?up_to=${newest?.id}`);
  expect(data).toEqual({ deleted: 3 });
  expect(await lostOf(first)).toEqual({ total: 0, lost: [], records: [] });
});

test('a cluster with an unrelated new primary lists its own writes as lost', async () => {
  await using own = await startCluster();
  await using other = await startCluster();
  for (const each of [own, other]) await enablePrimary(each);
  await own.admin.write('secret/data/mine', { data: { v: 1 } });
  await rejoin(own, other);
  expect((await own.admin.read('secret/data/mine')).status).toBe(404);
  expect((await lostOf(own)).records).toContain('secret/mine version 1');
});
