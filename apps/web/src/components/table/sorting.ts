import type { GridSorting } from '@gatehouse/ui/data-grid';

/** Parses an order from the address: a column's ID, preceded by `-` for descending. */
export function sortingOf(sort: string | undefined): GridSorting | null {
  if (sort === undefined) return null;
  return sort.startsWith('-')
    ? { columnId: sort.slice(1), direction: 'descending' }
    : { columnId: sort, direction: 'ascending' };
}

/** An order as in the address. */
export function sortText(sorting: GridSorting | null): string | undefined {
  if (sorting === null) return undefined;
  return sorting.direction === 'descending' ? `-${sorting.columnId}` : sorting.columnId;
}
