/** The search parameters of a box's address, including the search you came from, to link the next and previous box. */
import { oneOf, searchOf, type SearchOf } from '#lib/search.ts';
import { boxesSearch } from '#routes/$environment/boxes/boxes-search.ts';

export const boxSearch = searchOf({
  ...boxesSearch.params,
  /** If absent, the overview. */
  tab: oneOf('versions'),
});
export type BoxSearch = SearchOf<typeof boxSearch>;
