import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDuration, parseDuration, wholeSeconds } from './duration.ts';

const longest = 9_223_372_036;

describe('durations', () => {
  test.each([
    ['', 0],
    ['0', 0],
    ['3600', 3600],
    [90, 90],
    ['30m', 1800],
    ['3h25m19s', 12_319],
    ['1.5h', 5400],
    ['2d', 172_800],
    ['500ms', 0.5],
    ['-1s', -1],
    [' 5s ', 5],
    ['1s'.repeat(50), 50],
    [longest, longest],
  ])('reads %j', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  test.each([
    'x',
    '5 m',
    '1h30',
    'h',
    '--1s',
    '1e3',
    '1h,',
    null,
    true,
    [1],
    NaN,
    Infinity,
    longest + 1,
    `-${longest + 1}s`,
    '9999999h',
    `${'1s'.repeat(50)}1`,
    ' '.repeat(100) + '1',
  ])('refuses %j', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  test('are cut to whole seconds, but not to 0', () => {
    expect([0, 1e-9, 0.5, 1, 1.9, -0.5, -1.9].map(wholeSeconds)).toEqual([0, 1, 1, 1, 1, -1, -1]);
  });

  test('reads formatted durations unchanged', () => {
    fc.assert(
      fc.property(fc.integer({ min: -longest, max: longest }), (seconds) => {
        expect(parseDuration(formatDuration(seconds))).toBe(seconds);
      }),
    );
  });

  test('formats durations with units', () => {
    expect([0, 59, 60, 1800, 3600, 12_319].map((seconds) => formatDuration(seconds))).toEqual([
      '0s',
      '59s',
      '1m0s',
      '30m0s',
      '1h0m0s',
      '3h25m19s',
    ]);
  });
});
