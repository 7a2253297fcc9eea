import { expect, test } from 'vitest';
import { bySource } from './by-source.ts';

test('a source that does not answer is left alone, and no other waits for it', async () => {
  const release = Promise.withResolvers<void>();
  const seen: string[] = [];
  const working = bySource(['a1', 'a2', 'a3', 'a4', 'b1', 'b2'], {
    width: 2,
    sourceOf: ([source = '']) => source,
    async work(item) {
      if (item.startsWith('a')) await release.promise;
      seen.push(`asked ${item}`);
      return item !== 'a1';
    },
    leaveOut: async (item) => seen.push(`left ${item}`),
  });
  await expect.poll(() => seen).toEqual(['asked b1', 'asked b2']);
  release.resolve();
  await working;
  expect(seen.slice(2)).toEqual(['asked a1', 'asked a2', 'left a3', 'left a4']);
});
