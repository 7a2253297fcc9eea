import { expect, test } from 'vitest';
import { roughTime } from './transfer-words.ts';

test.each([
  [0, 'under 5 s'],
  [4900, '5 s'],
  [31_000, '35 s'],
  [59_900, '1 min'],
  [61_000, '2 min'],
  [3_599_000, '1 h 0 min'],
  [5_400_000, '1 h 30 min'],
])('%d ms', (ms, words) => {
  expect(roughTime(ms)).toBe(words);
});
