import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTargetListSearch, parseTargetsSearch, sortingOf, sortText } from './targets-search.ts';

describe('parseTargetsSearch', () => {
  test('keeps what it knows and drops the rest', () => {
    expect(
      parseTargetsSearch({
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
    expect(parseTargetsSearch({ scope: 'global', recursive: true, q: '', sort: 'a b', filter: {} })).toEqual(
      {},
    );
    expect(parseTargetsSearch({ scope: '../x' })).toEqual({});
  });

  test('reading what it gave changes nothing, whatever it was given', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('scope', 'recursive', 'filter', 'q', 'sort'), fc.anything()),
        (search) => {
          const once = parseTargetsSearch(search);
          expect(parseTargetsSearch({ ...once })).toEqual(once);
        },
      ),
    );
  });
});

test('an order survives the address', () => {
  for (const sorting of [
    null,
    { columnId: 'name', direction: 'ascending' },
    { columnId: 'name', direction: 'descending' },
  ] as const) {
    const sort = sortText(sorting);
    expect(sortingOf(sort === undefined ? {} : { sort })).toEqual(sorting);
  }
});

test('*why not?* is kept in the address of the list alone', () => {
  expect(parseTargetListSearch({ why: true, q: 'x' })).toEqual({ why: true, q: 'x' });
  expect(parseTargetListSearch({ why: 'ttcp_1' })).toEqual({ why: 'ttcp_1' });
  expect(parseTargetListSearch({ why: '<b>' })).toEqual({});
  expect(parseTargetsSearch({ why: 'ttcp_1' })).toEqual({});
});
