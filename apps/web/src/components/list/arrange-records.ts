import type { GridColumn } from '@gatehouse/ui/data-grid';
import { sortingOf } from '../table/sorting.ts';

const words = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The rows that match the search, in the order from the address, with missing values last. */
export function arrangeRecords<Row extends object>(
  items: readonly Row[],
  {
    columns,
    rowId,
    textsOf = (row) => columns.map(({ value }) => String(value(row) ?? '')),
  }: {
    readonly columns: readonly GridColumn<Row>[];
    readonly rowId: (row: Row) => string;
    /** The searched texts of a row; by default, all columns. */
    readonly textsOf?: ((row: Row) => readonly string[]) | undefined;
  },
  search: string,
  sort: string | undefined,
): readonly Row[] {
  const needle = search.trim().toLowerCase();
  const rows = items.filter(
    (row) => needle === '' || textsOf(row).some((text) => text.toLowerCase().includes(needle)),
  );
  const sorting = sortingOf(sort);
  const column = columns.find(({ id, sortable }) => id === sorting?.columnId && sortable === true);
  if (!column) return rows;
  const sign = sorting?.direction === 'descending' ? -1 : 1;
  const isUnset = (value: unknown): boolean => value === '' || value === null || value === undefined;
  return rows.sort((a, b) => {
    const [left, right] = [column.value(a), column.value(b)];
    const byId = (): number => (rowId(a) < rowId(b) ? -1 : 1);
    if (isUnset(left) || isUnset(right)) return Number(isUnset(left)) - Number(isUnset(right)) || byId();
    const order =
      typeof left === 'number' && typeof right === 'number'
        ? left - right
        : words.compare(String(left), String(right));
    return sign * order || byId();
  });
}
