import { describe, expect, test } from 'vitest';
import { deleteAfterInWords, effectiveRules, maxVersionsInWords } from './effective-rules.ts';

const fields = (max_versions: number, delete_version_after: string, cas_required = false) => ({
  max_versions,
  delete_version_after,
  cas_required,
});

describe('the effective rules', () => {
  test("keep the secret's number of versions, else the engine's, else ten", () => {
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

  test('note that other servers keep more', () => {
    expect(maxVersionsInWords(effectiveRules(fields(5, '0s'), fields(20, '0s')))).toBe(
      '5, set on this secret; some servers keep the larger number: 20',
    );
    expect(maxVersionsInWords(effectiveRules(fields(30, '0s'), fields(20, '0s')))).toBe(
      '30, set on this secret',
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
      '1 day 12 hours after creation, set on the engine',
    );
  });

  test('require check-and-set if either does', () => {
    expect(effectiveRules(fields(0, '0s'), fields(0, '0s', true)).casRequired.by).toBe('engine');
    expect(effectiveRules(fields(0, '0s', true), fields(0, '0s', true)).casRequired.by).toBe('secret');
  });
});
