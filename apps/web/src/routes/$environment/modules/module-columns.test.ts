import type { ModuleSummary } from '@gatehouse/api-types/console/modules';
import { expect, test } from 'vitest';
import { sortedModules } from './module-columns.tsx';

const module = (name: string, downloads: number, published_time: string): ModuleSummary => ({
  namespace: 'acme',
  name,
  provider: 'aws',
  version: '1.0.0',
  owner: '',
  description: '',
  source: '',
  published_time,
  downloads,
  verified: false,
  deprecation: null,
});
const modules = [
  module('b', 9, '2026-01-02T00:00:00Z'),
  module('c', 10, ''),
  module('a', 1, '2026-01-03T00:00:00Z'),
];
const names = (isWhole: boolean, sort?: string) =>
  sortedModules(modules, isWhole, sort)
    .rows.map(({ name }) => name)
    .join('');

test('sorts a complete list by name, downloads and publication, with unknown times last', () => {
  expect(names(true)).toBe('abc');
  expect(names(true, '-module')).toBe('cba');
  expect(names(true, '-downloads')).toBe('cba');
  expect(names(true, 'published')).toBe('bac');
  expect(names(true, '-published')).toBe('abc');
});

test("doesn't sort one page of several", () => {
  expect(names(false, 'module')).toBe('bca');
  expect(sortedModules(modules, false, 'module').columns.some(({ sortable }) => sortable)).toBe(false);
});
