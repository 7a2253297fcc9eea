import { boxesSearch, type BoxesSearch } from './boxes-search.ts';

/** The order of a search as other lists write it: `-downloads` unless the address says another. */
export function sortOf({ sort = 'downloads', order = 'desc' }: BoxesSearch): string {
  return order === 'desc' ? `-${sort}` : sort;
}

/** An order as the registry takes it. */
export function orderOf(sort: string | undefined): Pick<BoxesSearch, 'sort' | 'order'> {
  const { sort: by, order } = boxesSearch.parse({
    sort: sort?.replace(/^-/, ''),
    order: sort?.startsWith('-') === false ? 'asc' : 'desc',
  });
  return { sort: by, order };
}
