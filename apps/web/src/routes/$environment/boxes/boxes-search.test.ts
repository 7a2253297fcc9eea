import fc from 'fast-check';
import { expect, test } from 'vitest';
import { onPage, parseBoxesSearch, searchingFor, sortingOf, withSorting } from './boxes-search.ts';

test('an address is read as far as it is understood; what holds anyway is not written', () => {
  expect(parseBoxesSearch({ q: 12, provider: 'libvirt', sort: 'created', order: 'asc', page: '3' })).toEqual({
    q: '12',
    provider: 'libvirt',
    sort: 'created',
    order: 'asc',
    page: 3,
  });
  expect(parseBoxesSearch({ sort: 'downloads', order: 'desc', page: 1 })).toEqual({});
  expect(
    parseBoxesSearch({ q: '  ', provider: {}, sort: 'name', order: 'up', page: '-2', other: 'x' }),
  ).toEqual({});
  expect(parseBoxesSearch({ q: 'x'.repeat(201), page: 1.5 })).toEqual({});
});

test('another search, provider or order begins at its first page; another page is of the same search', () => {
  const search = parseBoxesSearch({ q: 'base', provider: 'libvirt', sort: 'updated', page: 4 });
  expect(searchingFor(search, { q: 'node' })).toEqual({ q: 'node', provider: 'libvirt', sort: 'updated' });
  expect(searchingFor(search, { q: 'base', provider: '' })).toEqual({ q: 'base', sort: 'updated' });
  expect(withSorting(search, { columnId: 'created', direction: 'ascending' })).toEqual({
    q: 'base',
    provider: 'libvirt',
    sort: 'created',
    order: 'asc',
  });
  expect(withSorting(search, null)).toEqual({ q: 'base', provider: 'libvirt' });
  expect(onPage(search, 5)).toEqual({ ...search, page: 5 });
  expect(sortingOf({})).toEqual({ columnId: 'downloads', direction: 'descending' });
});

test('what an address says is read from it again', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.constantFrom('created', 'asc', 'updated'));
  const address = fc.record(
    { q: value, provider: value, sort: value, order: value, page: value },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(address, (search) => {
      const read = parseBoxesSearch(search);
      expect(parseBoxesSearch({ ...read })).toEqual(read);
    }),
  );
});
