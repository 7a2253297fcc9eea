import { expect, test } from 'vitest';
import { openReplicatedStore } from '#testing/replicated-store.ts';
import { replicationRecords } from './record-store.ts';

test('events of one kind do not displace those of the other', async () => {
  await using cluster = await openReplicatedStore();
  const records = replicationRecords(cluster.store, cluster.barrier);
  await records.addEvent('transition', 1, 'promoted');
  await Promise.all(Array.from({ length: 1002 }, (_each, index) => records.addEvent('activation', 2, index)));
  await records.addEvent('transition', 3, 'demoted');
  const events = records.events().map(({ event }) => event);
  expect([events.length, events[0], events[1], events.at(-2), events.at(-1)]).toEqual([
    1002,
    'demoted',
    1001,
    2,
    'promoted',
  ]);
});
