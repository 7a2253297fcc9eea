import { expect, test } from 'vitest';
import { pauseAfter } from './retry.ts';

const pauses = { first: 500, most: 30_000 };

test('pauses grow up to the maximum', () => {
  const longest = Array.from({ length: 9 }, (_, failures) => pauseAfter(failures, false, pauses, 0));
  expect(longest).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  expect(pauseAfter(5000, false, pauses, 0)).toBe(30_000);
});

test('a refused cluster waits for the maximum from the first time', () => {
  expect(pauseAfter(0, true, pauses, 0)).toBe(30_000);
});

test('up to half of a pause is random', () => {
  expect(pauseAfter(1, false, pauses, 1)).toBe(500);
  expect(pauseAfter(1, false, pauses, 0.5)).toBe(750);
});
