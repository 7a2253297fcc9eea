/** The search parameters of the box search. */
import { matching, oneOf, searchOf, unless, whole, type SearchOf } from '#lib/search.ts';

const notBlank = matching(/^(?!\s*$).{1,200}$/su);

// The orders are repeated here, because importing the contract would enlarge the entry, which every page loads.
export const boxesSearch = searchOf({
  q: notBlank,
  provider: notBlank,
  architecture: notBlank,
  sort: unless('downloads', oneOf('downloads', 'created', 'updated')),
  order: unless('desc', oneOf('desc', 'asc')),
  page: whole(2, 1_000_000),
});
export type BoxesSearch = SearchOf<typeof boxesSearch>;
