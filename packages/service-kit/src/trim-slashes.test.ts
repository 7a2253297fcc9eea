import { expect, test } from 'vitest';
import { trimEndSlashes, trimSlashes } from './trim-slashes.ts';

test.each([
  ['', '', ''],
  ['/', '', ''],
  ['////', '', ''],
  ['a', 'a', 'a'],
  ['//a//b//', '//a//b', 'a//b'],
  ['/a', '/a', 'a'],
  ['a/', 'a', 'a'],
  ['a\n/', 'a\n', 'a\n'],
])('slashes are removed at the ends of %j only', (text, withoutEnd, without) => {
  expect(trimEndSlashes(text)).toBe(withoutEnd);
  expect(trimSlashes(text)).toBe(without);
});
