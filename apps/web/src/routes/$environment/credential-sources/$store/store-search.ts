import { listSearch, oneOf, searchOf } from '#lib/search.ts';

export const storeSearch = searchOf({
  ...listSearch.params,
  /** Without it what the store holds. */
  tab: oneOf('details'),
});
