import { describe, expect, test } from 'vitest';
import { filterHash } from './filter-hash.ts';
import { historyUntil, sameHistory } from './histories.ts';

describe('filters and histories', () => {
  test('a hash distinguishes filters and ignores the order of their paths', () => {
    const hash = filterHash({ mode: 'deny', paths: ['b/', 'a/'] });
    expect(filterHash({ mode: 'deny', paths: ['a/', 'b/'] })).toBe(hash);
    expect(filterHash({ mode: 'allow', paths: ['a/', 'b/'] })).not.toBe(hash);
    expect(filterHash({ mode: 'deny', paths: ['a/'] })).not.toBe(hash);
    expect(filterHash({ mode: 'deny', paths: [] })).not.toBe('');
    expect(filterHash(undefined)).toBe('');
  });

  test('an epoch that begins after an entry is not part of the history up to it', () => {
    const history = [
      { id: 'a', after: 0 },
      { id: 'b', after: 5 },
    ];
    expect(historyUntil(history, 4)).toEqual([{ id: 'a', after: 0 }]);
    expect(historyUntil(history, 5)).toEqual(history);
    expect(historyUntil([], 5)).toEqual([]);
    expect(sameHistory(history, [...history])).toBe(true);
    expect(sameHistory(history, history.slice(1))).toBe(false);
    expect(
      sameHistory(history, [
        { id: 'a', after: 0 },
        { id: 'b', after: 6 },
      ]),
    ).toBe(false);
  });
});
