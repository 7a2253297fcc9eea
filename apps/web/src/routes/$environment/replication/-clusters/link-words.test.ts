import { expect, test } from 'vitest';
import { modeWords, skewWords, timeWords } from './link-words.ts';
import { secondaryCluster } from './sample-clusters.ts';

test('a clock is ahead or behind, or the same', () => {
  expect([4, -90_000, -0.2, null].map(skewWords)).toEqual([
    '4 ms ahead',
    '2 min behind',
    'the same',
    'unknown',
  ]);
  expect(timeWords(-0.2)).toBe('0 ms');
});

test('a secondary that does not reach its primary takes no writes', () => {
  const { about } = modeWords(secondaryCluster('b', 'a', { connection: 'disconnected' }));
  expect(about).toContain('Writes fail');
  expect(modeWords(secondaryCluster('b', 'a')).about).toContain('passes writes on');
});
