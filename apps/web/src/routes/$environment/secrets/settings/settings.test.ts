import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { durationInWords, readDuration } from './duration.ts';
import { deleteAfterInWords, effectiveRules, maxVersionsInWords } from './effective-rules.ts';

const fields = (max_versions: number, delete_version_after: string, cas_required = false) => ({
  max_versions,
  delete_version_after,
  cas_required,
});

describe('a length of time', () => {
  test.each([
    ['0s', 0],
    ['90', 90],
    ['36h0m0s', 129_600],
    ['3h25m19s', 12_319],
    ['1.5h', 5_400],
    ['30d', 2_592_000],
    [' 500ms ', 0.5],
  ])('%s is read', (text, seconds) => {
    expect(readDuration(text)).toBe(seconds);
  });

  test.each(['', 'soon', '5 minutes', '-1h', '1h-'])('"%s" is none', (text) => {
    expect(readDuration(text)).toBeUndefined();
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

describe('the rules that hold', () => {
  test('are the own number of versions, else the one of the engine, else ten', () => {
    expect(effectiveRules(fields(5, '0s'), fields(20, '0s')).maxVersions).toEqual({ value: 5, by: 'secret' });
    expect(effectiveRules(fields(0, '0s'), fields(20, '0s')).maxVersions).toEqual({
      value: 20,
      by: 'engine',
    });
    expect(effectiveRules(fields(0, '0s'), fields(0, '0s')).maxVersions).toEqual({
      value: 10,
      by: 'default',
    });
  });

  test('say where other servers keep more', () => {
    expect(maxVersionsInWords(effectiveRules(fields(5, '0s'), fields(20, '0s')))).toBe(
      '5, as this secret says; some servers keep the larger number, 20',
    );
    expect(maxVersionsInWords(effectiveRules(fields(30, '0s'), fields(20, '0s')))).toBe(
      '30, as this secret says',
    );
  });

  test('delete after the shorter of both times', () => {
    const rule = (own: string, engine: string) =>
      effectiveRules(fields(0, own), fields(0, engine)).deleteAfter;
    expect(rule('1h', '2h')).toEqual({ value: 3_600, by: 'secret' });
    expect(rule('3h', '2h')).toEqual({ value: 7_200, by: 'engine' });
    expect(rule('0s', '2h')).toEqual({ value: 7_200, by: 'engine' });
    expect(rule('1h', '0s')).toEqual({ value: 3_600, by: 'secret' });
    expect(rule('0s', '0s')).toEqual({ value: 0, by: 'default' });
    expect(deleteAfterInWords(effectiveRules(undefined, fields(0, '36h')))).toBe(
      '1 day 12 hours after they are written, as the engine says',
    );
  });

  test('need the version where either says so', () => {
    expect(effectiveRules(fields(0, '0s'), fields(0, '0s', true)).casRequired.by).toBe('engine');
    expect(effectiveRules(fields(0, '0s', true), fields(0, '0s', true)).casRequired.by).toBe('secret');
  });
});
