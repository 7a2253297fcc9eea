import { readDuration } from '@gatehouse/api-types/console/read-duration';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { durationInWords, tidyDuration } from './duration.ts';

describe('a duration', () => {
  test.each([
    ['0s', 0],
    ['90', 90],
    ['36h0m0s', 129_600],
    ['3h25m19s', 12_319],
    ['1.5h', 5_400],
    ['30d', 2_592_000],
    [' 500ms ', 0.5],
  ])('%s is parsed', (text, seconds) => {
    expect(readDuration(text)).toBe(seconds);
  });

  test.each(['', 'soon', '5 minutes', '-1h', '1h-'])('"%s" is invalid', (text) => {
    expect(readDuration(text)).toBeUndefined();
  });

  test.each([
    ['45 minutes', '45m'],
    ['45m ', '45m'],
    ['1 hour 30 min', '1h30m'],
    ['1 Hour, 30 Minutes and 5 secs', '1h30m5s'],
    ['2 days', '48h'],
    ['1.5 hrs', '1.5h'],
    ['90d', '90d'],
    ['3600', '3600'],
    ['soon', 'soon'],
    ['5 weeks', '5 weeks'],
    ['', ''],
  ])('"%s" is normalized to "%s"', (text, tidy) => {
    expect(tidyDuration(text)).toBe(tidy);
  });

  test('in words is exact to the second', () => {
    expect(durationInWords(0)).toBe('never');
    expect(durationInWords(129_600)).toBe('1 day 12 hours');
    expect(durationInWords(12_319)).toBe('3 hours 25 minutes 19 seconds');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (seconds) => {
        const sizes: Readonly<Record<string, string>> = { day: 'd', hour: 'h', minute: 'm', second: 's' };
        const back = durationInWords(seconds)
          .replaceAll(',', '')
          .replaceAll(
            /(\d+) (day|hour|minute|second)s? ?/g,
            (_, count: string, unit: string) => count + sizes[unit],
          );
        expect(readDuration(back)).toBe(seconds);
      }),
    );
  });
});
