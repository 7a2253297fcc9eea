import { expect, test } from 'vitest';
import { versionsInWords } from './version-words.ts';

test.each([
  [[3], 'version 3'],
  [[7, 3], 'versions 3 and 7'],
  [[1, 2], 'versions 1 and 2'],
  [[4, 2, 3], 'versions 2 to 4'],
  [[9, 1, 2, 3, 4, 6, 6], 'versions 1 to 4, 6 and 9'],
])('%j is %s', (versions, words) => {
  expect(versionsInWords(versions)).toBe(words);
});
