import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAbsolute, formatRelative } from './formatTime.ts';

const now = Date.UTC(2026, 10, 20, 12, 0, 0);

test.each([
  [-5, 'just now'],
  [-59, '59 seconds ago'],
  [-60, '1 minute ago'],
  [-3_569, '59 minutes ago'],
  [-3_599, '1 hour ago'],
  [-59.7, '1 minute ago'],
  [-7_100, '2 hours ago'],
  [-86_400 * 3, '3 days ago'],
  [119, 'in 2 minutes'],
  [86_400 * 344, 'in 11 months'],
  [86_400 * 364, 'in 12 months'],
  [86_400 * 400, 'in 1 year'],
])('formats %i s from now as %s', (seconds, words) => {
  expect(formatRelative(now + seconds * 1_000, now, 'en')).toBe(words);
});

test('labels UTC, and sorts as text', () => {
  expect(formatAbsolute('2026-01-31T09:41:07.999Z', 'utc')).toBe('2026-01-31 09:41:07 UTC');
  const day = fc.date({ min: new Date('1970-01-01'), max: new Date('9999-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(day, day, (first, second) => {
      const [a, b] = [formatAbsolute(first, 'utc'), formatAbsolute(second, 'utc')];
      const order = Math.floor(first.getTime() / 1_000) - Math.floor(second.getTime() / 1_000);
      expect(a < b).toBe(order < 0);
    }),
  );
});

test('names an invalid time as such', () => {
  expect(formatAbsolute('soon', 'local')).toBe('Unknown time');
  expect(formatRelative('soon', now)).toBe('Unknown time');
});
