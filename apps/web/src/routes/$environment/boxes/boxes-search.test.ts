import { expect, test } from 'vitest';
import { orderOf, sortOf } from './box-order.ts';
import { boxesSearch } from './boxes-search.ts';

test('reads the valid parameters of an address, and leaves out defaults', () => {
  expect(boxesSearch.parse({ q: 12, provider: 'libvirt', sort: 'created', order: 'asc', page: '3' })).toEqual(
    {
      q: '12',
      provider: 'libvirt',
      sort: 'created',
      order: 'asc',
      page: 3,
    },
  );
  expect(boxesSearch.parse({ sort: 'downloads', order: 'desc', page: 1 })).toEqual({});
  expect(
    boxesSearch.parse({ q: '  ', provider: {}, sort: 'name', order: 'up', page: '-2', other: 'x' }),
  ).toEqual({});
  expect(boxesSearch.parse({ q: 'x'.repeat(201), page: 1.5 })).toEqual({});
});

test("an address without an order uses the registry's default", () => {
  expect(sortOf({})).toBe('-downloads');
  expect(sortOf({ sort: 'created', order: 'asc' })).toBe('created');
  for (const search of [
    {},
    { sort: 'created' },
    { order: 'asc' },
    { sort: 'updated', order: 'asc' },
  ] as const) {
    expect(orderOf(sortOf(search))).toEqual({ sort: undefined, order: undefined, ...search });
  }
  expect(orderOf(undefined)).toEqual({ sort: undefined, order: undefined });
});
