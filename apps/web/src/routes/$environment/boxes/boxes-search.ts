/** What the address says about the search of boxes. */
import type { GridSorting } from '@gatehouse/ui/data-grid';
import type { BoxQuery } from '#queries/boxes.ts';

export type BoxesSearch = BoxQuery;

// The contract has them too, and more than the entry, which every screen loads with this, should hold.
const sorts = ['downloads', 'created', 'updated'] as const satisfies readonly BoxQuery['sort'][];
const orders = ['desc', 'asc'] as const satisfies readonly BoxQuery['order'][];

/** Reads the search parameters; what is not understood, or says what holds anyway, is left out. */
export function parseBoxesSearch(search: Readonly<Record<string, unknown>>): BoxesSearch {
  const text = (name: string): string | undefined => {
    const value = search[name];
    const written = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    return typeof written === 'string' && /^(?!\s*$).{1,200}$/su.test(written) ? written : undefined;
  };
  const [q, provider] = [text('q'), text('provider')];
  const sort = sorts.find((item) => item === search['sort']);
  const order = orders.find((item) => item === search['order']);
  const page = Number(search['page']);
  return {
    ...(q !== undefined && { q }),
    ...(provider !== undefined && { provider }),
    ...(sort !== undefined && sort !== 'downloads' && { sort }),
    ...(order !== undefined && order !== 'desc' && { order }),
    ...(Number.isInteger(page) && page > 1 && page <= 1_000_000 && { page }),
  };
}

/** The order that the address asks for, which the registry has without it too. */
export function sortingOf({ sort = 'downloads', order = 'desc' }: BoxesSearch): GridSorting {
  return { columnId: sort, direction: order === 'desc' ? 'descending' : 'ascending' };
}

/** The search with another order, from its first page on. */
export function withSorting(search: BoxesSearch, sorting: GridSorting | null): BoxesSearch {
  return parseBoxesSearch({
    ...search,
    sort: sorting?.columnId,
    order: sorting?.direction === 'ascending' ? 'asc' : 'desc',
    page: undefined,
  });
}

/** The search for something else, from its first page on. */
export function searchingFor(
  search: BoxesSearch,
  wanted: { readonly q?: string; readonly provider?: string },
): BoxesSearch {
  return parseBoxesSearch({ ...search, ...wanted, page: undefined });
}

/** Another page of the same search. */
export function onPage(search: BoxesSearch, page: number): BoxesSearch {
  return parseBoxesSearch({ ...search, page });
}
