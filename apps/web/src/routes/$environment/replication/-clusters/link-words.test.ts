import { expect, test } from 'vitest';
import { lastWords, modeWords, skewWords, timeWords } from './link-words.ts';
import { secondaryCluster, unreadClusterOf } from './sample-clusters.ts';

test('shows a clock as ahead, behind or in sync', () => {
  expect([4, -90_000, -0.2, null].map(skewWords)).toEqual([
    '4 ms ahead',
    '2 min behind',
    'in sync',
    'unknown',
  ]);
  expect(timeWords(-0.2)).toBe('0 ms');
});

test("says that writes fail at a secondary that can't reach its primary", () => {
  const { about } = modeWords(secondaryCluster('b', 'a', { connection: 'disconnected' }));
  expect(about).toContain('Writes fail');
  expect(modeWords(secondaryCluster('b', 'a')).about).toContain('forwards writes');
});

test.each([
  ['disabled', 'Replication was disabled when last read.'],
  ['primary', 'It was a primary when last read.'],
  [null, 'This console has never read its status.'],
  [undefined, ''],
] as const)('describes an unread cluster whose last known mode is %s', (mode, words) => {
  const { last, ...unread } = unreadClusterOf('a', true, mode ?? undefined);
  expect(lastWords({ ...unread, last: mode === null ? null : last })).toBe(words);
});
