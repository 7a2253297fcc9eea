import type { GridColumn } from '@gatehouse/ui/data-grid';
import { expect, test } from 'vitest';
import { arrangeRecords } from './arrange-records.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly size: number | null;
}

const columns: readonly GridColumn<Row>[] = [
  { id: 'name', header: 'Name', value: ({ name }) => name, width: 1, sortable: true },
  { id: 'size', header: 'Size', value: ({ size }) => size, width: 1, sortable: true },
  { id: 'id', header: 'ID', value: ({ id }) => id, width: 1 },
];
const rows: readonly Row[] = [
  { id: 'c', name: 'db-10', size: 2 },
  { id: 'b', name: 'db-9', size: null },
  { id: 'a', name: 'Web', size: 10 },
];
const rowId = ({ id }: Row): string => id;
const found = (search: string, sort?: string, textsOf?: (row: Row) => readonly string[]) =>
  arrangeRecords(rows, { columns, rowId, textsOf }, search, sort).map(rowId).join('');

test("searches all columns, or only the list's own texts", () => {
  expect(found('DB')).toBe('cb');
  expect(found(' 10 ')).toBe('ca');
  expect(found('10', undefined, ({ name }) => [name])).toBe('c');
});

test('sorts rows in the requested order, with missing values always last', () => {
  expect(found('', 'name')).toBe('bca');
  expect(found('', '-name')).toBe('acb');
  expect(found('', 'size')).toBe('cab');
  expect(found('', '-size')).toBe('acb');
  expect(found('', 'id')).toBe('cba');
  expect(found('')).toBe('cba');
});
