import type { ImportPreviewItem } from '@gatehouse/api-types/console/secret-transfers';
import { expect, test } from 'vitest';
import {
  chosenEntries,
  folderOfAll,
  isTakenAtFirst,
  listed,
  reasonAgainstImporting,
} from './import-choice.ts';

const noFields = { names: [], count: 0 };
const item = (
  path: string,
  change: ImportPreviewItem['change'],
  revision: string | null,
): ImportPreviewItem => ({
  path,
  change,
  revision,
  added: noFields,
  changed: noFields,
  removed: noFields,
  detail: null,
});

const items = [
  item('new', 'create', '0'),
  item('other', 'change', '4'),
  item('same', 'same', '2'),
  item('hidden', 'unreadable', '7'),
  item('unknown', 'unreadable', null),
  item('forbidden', 'denied', '1'),
];

test('selects readable secrets that would change', () => {
  expect(items.filter(isTakenAtFirst).map(({ path }) => path)).toEqual(['new', 'other']);
});

test("sends the selection with the versions that were shown, and no secrets that can't be written", () => {
  const entries = items.map(({ path }) => ({ path, data: `{"of":"${path}"}` }));
  expect(chosenEntries(entries, items, new Set(items.map(({ path }) => path)))).toEqual([
    { path: 'new', data: '{"of":"new"}', revision: '0' },
    { path: 'other', data: '{"of":"other"}', revision: '4' },
    { path: 'same', data: '{"of":"same"}', revision: '2' },
    { path: 'hidden', data: '{"of":"hidden"}', revision: '7' },
  ]);
  expect(chosenEntries(entries, items, new Set(['other']))).toHaveLength(1);
  expect(items.filter((one) => reasonAgainstImporting(one) !== undefined).map(({ path }) => path)).toEqual([
    'unknown',
    'forbidden',
  ]);
});

test.each([
  ['', [], 0],
  ['a, b', ['a', 'b'], 2],
  ['a, b and 19,400 more', ['a', 'b'], 19_402],
  ['1 field', [], 1],
])('lists names as %j when there are more fields', (words, names, count) => {
  expect(listed({ names, count })).toBe(words);
});

test('opens the deepest folder that contains everything imported', () => {
  expect(folderOfAll(['app/db/main', 'app/db/replica', 'app/db/a/b'])).toBe('app/db');
  expect(folderOfAll(['app/db', 'app/db2/x'])).toBe('app');
  expect(folderOfAll(['app/db', 'apps/db'])).toBe('');
  expect(folderOfAll(['top'])).toBe('');
});
