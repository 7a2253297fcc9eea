import { expect, test } from 'vitest';
import { sizedCache } from './sized-cache.ts';

test('a cache keeps records up to its size, to which each adds 1 KiB', () => {
  const cache = sizedCache<string>(10 * 1024);
  const kept = () => ['a', 'b', 'c', 'd'].filter((key) => cache.get(key) === key);
  expect(cache.set('a', 'a', 3 * 1024)).toBe(false);
  expect(cache.set('b', 'b', 3 * 1024)).toBe(false);
  // Replacing or deleting a record frees its size.
  expect(cache.set('b', 'b', 3 * 1024)).toBe(false);
  cache.delete('a');
  expect(cache.set('c', 'c', 5 * 1024)).toBe(false);
  expect(kept()).toEqual(['b', 'c']);
  expect(cache.set('d', 'd', 0)).toBe(true);
  expect(kept()).toEqual(['d']);
  expect(cache.set('a', 'a', 20 * 1024)).toBe(true);
  expect(kept()).toEqual(['a']);
  cache.clear();
  expect(cache.set('b', 'b', 9 * 1024)).toBe(false);
  expect(kept()).toEqual(['b']);
});
