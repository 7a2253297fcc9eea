/** What the address of a box carries beside its names: the search that led there is kept, to go on to the next box of it. */
import { oneOf, searchOf, type SearchOf } from '#lib/search.ts';
import { boxesSearch } from '#routes/$environment/boxes/boxes-search.ts';

export const boxSearch = searchOf({
  ...boxesSearch.params,
  /** Without it the overview. */
  tab: oneOf('versions'),
});
export type BoxSearch = SearchOf<typeof boxSearch>;
