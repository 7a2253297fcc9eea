import type { GridSorting } from '@gatehouse/ui/data-grid';

/** The order that an address asks for: the id of a column, with `-` before it for descending. */
export function sortingOf(sort: string | undefined): GridSorting | null {
  if (sort === undefined) return null;
  return sort.startsWith('-')
    ? { columnId: sort.slice(1), direction: 'descending' }
    : { columnId: sort, direction: 'ascending' };
}

/** An order as the address writes it. */
export function sortText(sorting: GridSorting | null): string | undefined {
  if (sorting === null) return undefined;
  return sorting.direction === 'descending' ? `-${sorting.columnId}` : sorting.columnId;
}
