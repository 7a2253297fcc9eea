import { expect, test } from 'vitest';
import { parseBoxSearch, withSearch } from './box-search.ts';

test('the search that led to a box is kept beside its tab', () => {
  const search = parseBoxSearch({ q: 'a&b', page: 2, sort: 'updated', tab: 'versions', other: 1 });
  expect(search).toEqual({ q: 'a&b', page: 2, sort: 'updated', tab: 'versions' });
  const href = withSearch('/local/boxes/owners/acme/base', search);
  expect(parseBoxSearch(Object.fromEntries(new URL(href, 'http://x').searchParams))).toEqual(search);
  expect(withSearch('/x', parseBoxSearch({ tab: 'overview' }))).toBe('/x');
});
