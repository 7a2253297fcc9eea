import { describe, expect, test } from 'vitest';
import { isListable, targetListSearch, targetsSearch } from './targets-search.ts';

describe('targetsSearch', () => {
  test('keeps valid parameters and drops the rest', () => {
    expect(
      targetsSearch.parse({
        scope: 'p_1234567890',
        recursive: false,
        filter: '"/item/name" == "a"',
        q: 42,
        sort: '-name',
        x: 1,
      }),
    ).toEqual({
      scope: 'p_1234567890',
      recursive: false,
      filter: '"/item/name" == "a"',
      q: '42',
      sort: '-name',
    });
    expect(targetsSearch.parse({ scope: 'global', recursive: true, q: '', sort: 'a b', filter: {} })).toEqual(
      {},
    );
    expect(targetsSearch.parse({ scope: '../x' })).toEqual({});
  });
});

test('only the list keeps *why not?* in its address', () => {
  expect(targetListSearch.parse({ why: true, q: 'x' })).toEqual({ why: true, q: 'x' });
  expect(targetListSearch.parse({ why: 'ttcp_1' })).toEqual({ why: 'ttcp_1' });
  expect(targetListSearch.parse({ why: '<b>' })).toEqual({});
  expect(targetsSearch.parse({ why: 'ttcp_1' })).toEqual({});
});

test('lists the targets of a project, or those below another scope', () => {
  expect(isListable({})).toBe(true);
  expect(isListable({ recursive: false })).toBe(false);
  expect(isListable({ recursive: false, scope: 'p_1' })).toBe(true);
});
