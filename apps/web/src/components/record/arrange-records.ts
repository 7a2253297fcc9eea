import type { GridColumn, GridSorting } from '@gatehouse/ui/data-grid';

const words = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Rows that hold the words in any column, in the order of one; what is not set stands at the end. */
export function arrangeRecords<Item extends { readonly id: string }>(
  items: readonly Item[],
  columns: readonly GridColumn<Item>[],
  search: string,
  sorting: GridSorting | null,
): readonly Item[] {
  const needle = search.trim().toLowerCase();
  const rows = items.filter(
    (item) =>
      needle === '' ||
      columns.some(({ value }) =>
        String(value(item) ?? '')
          .toLowerCase()
          .includes(needle),
      ),
  );
  const column = columns.find(({ id, sortable }) => id === sorting?.columnId && sortable === true);
  if (!column) return rows;
  const sign = sorting?.direction === 'descending' ? -1 : 1;
  const isUnset = (value: unknown): boolean => value === '' || value === null || value === undefined;
  return rows.sort((a, b) => {
    const [left, right] = [column.value(a), column.value(b)];
    if (isUnset(left) || isUnset(right)) return Number(isUnset(left)) - Number(isUnset(right));
    const order =
      typeof left === 'number' && typeof right === 'number'
        ? left - right
        : words.compare(String(left), String(right));
    return sign * order || (a.id < b.id ? -1 : 1);
  });
}
