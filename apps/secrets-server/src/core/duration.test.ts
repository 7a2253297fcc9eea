import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDuration, parseDuration } from './duration.ts';

test.each([
  [90, 90],
  ['90', 90],
  ['90s', 90],
  ['3h25m19s', 12_319],
  ['1.5h', 5400],
  ['2d', 172_800],
  ['1500ms', 1.5],
  ['', 0],
  ['0', 0],
  [' 5m ', 300],
  ['-1s', -1],
  [-1, -1],
])('%j is %d seconds', (text, seconds) => {
  expect(parseDuration(text)).toBeCloseTo(seconds, 9);
});

test.each([
  's',
  '1y',
  '1h-1m',
  'h1',
  '1 h',
  'soon',
  '1e3',
  'Infinity',
  Number.NaN,
  true,
  null,
  undefined,
  {},
  [],
])('%j is none', (value) => {
  expect(parseDuration(value)).toBeUndefined();
});

test.each([
  [0, '0s'],
  [59, '59s'],
  [60, '1m0s'],
  [3600, '1h0m0s'],
  [12_319, '3h25m19s'],
  [-1, '-1s'],
])('%d seconds are %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

test('what is written is read as the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e9, max: 9e9 }), (seconds) => {
      expect(parseDuration(formatDuration(seconds))).toBe(seconds);
    }),
  );
});
