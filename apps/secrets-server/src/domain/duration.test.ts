import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDuration, longestDuration, parseDuration } from './duration.ts';

describe('durations', () => {
  test.each([
    ['', 0],
    ['0', 0],
    ['3600', 3600],
    ['30m', 1800],
    ['3h25m19s', 12_319],
    ['1.5h', 5400],
    ['2d', 172_800],
    ['500ms', 0.5],
    ['-1s', -1],
    [' 5s ', 5],
  ])('reads %j', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  test.each(['x', '5 m', '1h30', 'h', '1dm', '--1s', '1e3', '99999999999', '9999999999h', '1h,'])(
    'refuses %j',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  test('what is written is read again', () => {
    fc.assert(
      fc.property(fc.integer({ min: -longestDuration, max: longestDuration }), (seconds) => {
        expect(parseDuration(formatDuration(seconds))).toBe(seconds);
      }),
    );
  });

  test('is written as the field writes it', () => {
    expect([0, 0.5, 59, 60, 1800, 3600, 12_319].map((seconds) => formatDuration(seconds))).toEqual([
      '0s',
      '500ms',
      '59s',
      '1m0s',
      '30m0s',
      '1h0m0s',
      '3h25m19s',
    ]);
  });
});
