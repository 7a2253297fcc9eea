import { expect, test } from 'vitest';
import { bySource } from './by-source.ts';

/** Items are `a1`, `b2` and so on; the letter is the source. */
const byLetter = {
  width: 2,
  idOf: (item: string) => item,
  sourceOf: (item: string) => item.charAt(0),
};

test('a source that does not answer is skipped, and no other source waits for it', async () => {
  const release = Promise.withResolvers<void>();
  const seen: string[] = [];
  const work = bySource<string>({
    ...byLetter,
    async work(item) {
      if (item.startsWith('a')) await release.promise;
      seen.push(`asked ${item}`);
      return item !== 'a1';
    },
    leaveOut: async (item) => seen.push(`left ${item}`),
  });
  const working = work.take(['a1', 'a2', 'a3', 'a4', 'b1', 'b2']);
  await expect.poll(() => seen).toEqual(['asked b1', 'asked b2']);
  release.resolve();
  await working;
  expect(seen.slice(2)).toEqual(['asked a1', 'left a2', 'left a3', 'left a4']);
});

test('a later item waits only for its own source and is processed once', async () => {
  const release = Promise.withResolvers<void>();
  const seen: string[] = [];
  const work = bySource<string>({
    ...byLetter,
    async work(item) {
      seen.push(item);
      if (item === 'a1') await release.promise;
      return true;
    },
    leaveOut: () => Promise.reject(new Error('every source answers')),
  });
  const first = work.take(['a1', 'b1']);
  await expect.poll(() => seen).toEqual(['a1', 'b1']);
  const second = work.take(['a1', 'a2', 'b2']);
  await expect.poll(() => seen).toEqual(['a1', 'b1', 'b2']);
  release.resolve();
  await Promise.all([first, second]);
  expect(seen).toEqual(['a1', 'b1', 'b2', 'a2']);
  expect(work.held).toBe(0);
});

test('an item whose work throws can be taken again', async () => {
  let count = 0;
  const work = bySource<string>({
    ...byLetter,
    width: 1,
    work: () => ((count += 1) === 1 ? Promise.reject(new Error('the store is full')) : Promise.resolve(true)),
    leaveOut: () => Promise.resolve(),
  });
  await expect(work.take(['a'])).rejects.toThrow('the store is full');
  expect(work.held).toBe(0);
  await work.take(['a']);
  expect(count).toBe(2);
});
