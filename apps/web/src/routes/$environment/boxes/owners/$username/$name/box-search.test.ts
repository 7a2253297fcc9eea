import { expect, test } from 'vitest';
import { boxSearch } from './box-search.ts';

test("a box's address keeps the search beside the tab", () => {
  const search = boxSearch.parse({ q: 'a&b', page: 2, sort: 'updated', tab: 'versions', other: 1 });
  expect(search).toEqual({ q: 'a&b', page: 2, sort: 'updated', tab: 'versions' });
  expect(boxSearch.parse({ tab: 'overview' })).toEqual({});
});
