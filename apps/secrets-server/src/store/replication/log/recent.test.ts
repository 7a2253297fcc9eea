import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openReplicatedStore } from '#testing/replicated-store.ts';
import { places } from '../../places.ts';
import { recentEntries } from './recent.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The binding name of a key's first version. */
const place = places.kvVersion(1, 1);
const packed = { changes: '[]', secrets: [{ keyId: 1, version: 1, size: 5 }] };

test('sealed values are forgotten after a moment without a commit', async () => {
  await using opened = await openReplicatedStore();
  const { barrier, clock } = opened;
  const recent = recentEntries(barrier, clock);
  recent.start();
  vi.advanceTimersByTime(1000);
  recent.get(1);
  barrier.seal('value', place);
  vi.advanceTimersByTime(1000);
  recent.add({ seq: 1, time: 0 }, packed);
  recent.commit();
  expect(recent.get(1)).toBeUndefined();
});

test('entries are forgotten after a moment even if other writes follow', async () => {
  await using opened = await openReplicatedStore();
  const { barrier, clock } = opened;
  const recent = recentEntries(barrier, clock);
  recent.start();
  recent.get(1);
  barrier.seal('value', place);
  recent.add({ seq: 1, time: 0 }, packed);
  recent.commit();
  expect(recent.get(1)?.secrets.map(String)).toEqual(['value']);
  for (let count = 0; count < 3; count += 1) {
    vi.advanceTimersByTime(500);
    recent.commit();
  }
  expect(recent.get(1)).toBeUndefined();
});
