import { boxesSearch, type BoxesSearch } from './boxes-search.ts';

/** The order of a search as grids write it; by default `-downloads`. */
export function sortOf({ sort = 'downloads', order = 'desc' }: BoxesSearch): string {
  return order === 'desc' ? `-${sort}` : sort;
}

/** A grid's order as the registry's parameters. */
export function orderOf(sort: string | undefined): Pick<BoxesSearch, 'sort' | 'order'> {
  const { sort: by, order } = boxesSearch.parse({
    sort: sort?.replace(/^-/, ''),
    order: sort?.startsWith('-') === false ? 'asc' : 'desc',
  });
  return { sort: by, order };
}
