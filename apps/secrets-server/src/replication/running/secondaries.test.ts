import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { replicationRecords } from '../../store/replication/records/record-store.ts';
import { openReplicatedStore } from '../../testing/replicated-store.ts';
import { openSecondaries } from './secondaries.ts';

/** A primary with one activation. */
async function open() {
  const cluster = await openReplicatedStore();
  const { store, barrier, clock } = cluster;
  const records = replicationRecords(store, barrier);
  const opened = () => openSecondaries(records, () => true, clock);
  const secondaries = opened();
  const activate = async (name: string) => {
    const activation = { expireTime: clock.now() + 60_000, by: null };
    return secondaries.add(name, activation, (id) => Promise.resolve(id));
  };
  const run = (text: string) => store.write((tx) => tx.run(sql.raw(text).compile(store.build)));
  return {
    clock,
    activate,
    secondaries,
    /** What the next process reads. */
    next: opened,
    /** Makes a kind of write fail until the returned function is called. */
    async refuse(writes: string) {
      await run(`CREATE TRIGGER full BEFORE ${writes} BEGIN SELECT RAISE(ABORT, 'full'); END`);
      return () => run('DROP TRIGGER full');
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

test('revoking a secondary can be repeated after the disk was full, and is final', async () => {
  await using primary = await open();
  const { secondaries, next } = primary;
  const id = await primary.activate('dr');
  const record = { ...secondaries.find('dr')!, clusterId: 'c', lastHeartbeat: 1 };
  await secondaries.claim(record);
  const free = await primary.refuse('DELETE ON replication_secondary');
  await expect(secondaries.remove(record)).rejects.toThrow('full');
  expect(secondaries.find('dr')).toMatchObject({ id, clusterId: 'c' });
  await free();
  // A heartbeat that arrives then doesn't restore the record.
  primary.clock.advance(60_000);
  await Promise.all([secondaries.remove(record), secondaries.save(record)]);
  expect([secondaries.find('dr'), next().find('dr')]).toEqual([undefined, undefined]);
});

test('a claim that could not be saved can be repeated, and ends no other activation before', async () => {
  await using primary = await open();
  const { secondaries, next } = primary;
  const [former, id] = [await primary.activate('former'), await primary.activate('dr')];
  await secondaries.claim({ ...secondaries.find('former')!, clusterId: 'c', proof: 'p' });
  const record = { ...secondaries.find('dr')!, clusterId: 'c', proof: 'p' };
  const free = await primary.refuse('UPDATE ON replication_secondary');
  await expect(secondaries.claim(record)).rejects.toThrow('full');
  const used = (book: typeof secondaries) =>
    Object.fromEntries(book.list().map((each) => [each.id, each.clusterId ?? 'nobody']));
  const before = { [former]: 'c', [id]: 'nobody' };
  expect([used(secondaries), used(next())]).toEqual([before, before]);
  await free();
  expect(await secondaries.claim(record)).toEqual([former]);
  expect([used(secondaries), used(next())]).toEqual([{ [id]: 'c' }, { [id]: 'c' }]);
});

test('an activation replaces one with the same cluster ID only if the cluster proves to be the same', async () => {
  await using primary = await open();
  const { secondaries, next } = primary;
  const former = await primary.activate('former');
  const claim = (name: string, proof?: string) =>
    secondaries.claim({ ...secondaries.find(name)!, clusterId: 'c', proof });
  await claim('former');
  const id = await primary.activate('dr');
  expect(await claim('dr')).toBeUndefined();
  await claim('former', 'p');
  expect([await claim('dr'), await claim('dr', 'q')]).toEqual([undefined, undefined]);
  expect([secondaries.find('c')?.id, next().find('c')?.id]).toEqual([former, former]);
  expect(await claim('dr', 'p')).toEqual([former]);
  expect(secondaries.find('c')?.id).toBe(id);
});

test('a secondary may be promoted only once that is saved', async () => {
  await using primary = await open();
  const { secondaries } = primary;
  const [one, other] = [await primary.activate('one'), await primary.activate('other')];
  const free = await primary.refuse('INSERT ON replication_state');
  const asked = await Promise.allSettled([secondaries.allowSuccessor(one), secondaries.allowSuccessor(one)]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await free();
  const allowed = [other, one].map((id) => secondaries.allowSuccessor(id));
  expect(await Promise.all(allowed)).toEqual([true, false]);
});

test('a filter replaces the one under its other name, or stays as it was', async () => {
  await using primary = await open();
  const { secondaries } = primary;
  await primary.activate('dr');
  const record = { ...secondaries.find('dr')!, clusterId: 'c' };
  await secondaries.claim(record);
  const filter = (path: string) => ({ mode: 'deny', paths: [path] }) as const;
  await secondaries.saveFilter('dr', filter('a'));
  await secondaries.saveFilter('c', filter('b'));
  expect(secondaries.filter(record)).toEqual(filter('b'));
  await secondaries.saveFilter('dr', filter('a'));
  const free = await primary.refuse('DELETE ON replication_state');
  await expect(secondaries.saveFilter('c', filter('b'))).rejects.toThrow('full');
  await free();
  await secondaries.remove(record);
  expect([secondaries.filterOf('dr'), secondaries.filterOf('c')]).toEqual([filter('a'), undefined]);
});
