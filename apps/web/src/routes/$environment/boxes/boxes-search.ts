/** What the address says about the search of boxes. */
import { matching, oneOf, searchOf, unless, whole, type SearchOf } from '#lib/search.ts';

const notBlank = matching(/^(?!\s*$).{1,200}$/su);

// The contract has the orders too, and more than the entry, which every screen loads with this, should hold.
export const boxesSearch = searchOf({
  q: notBlank,
  provider: notBlank,
  architecture: notBlank,
  sort: unless('downloads', oneOf('downloads', 'created', 'updated')),
  order: unless('desc', oneOf('desc', 'asc')),
  page: whole(2, 1_000_000),
});
export type BoxesSearch = SearchOf<typeof boxesSearch>;
