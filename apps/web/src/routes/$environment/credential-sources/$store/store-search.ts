import { listSearch } from '#components/list/list-search.ts';
import { oneOf, searchOf } from '#lib/search.ts';

export const storeSearch = searchOf({
  ...listSearch.params,
  /** Without it what the store holds. */
  tab: oneOf('details'),
});
