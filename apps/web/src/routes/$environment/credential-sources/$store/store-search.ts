import { listSearch, oneOf, searchOf } from '#lib/search.ts';

export const storeSearch = searchOf({
  ...listSearch.params,
  /** If absent, the store's items. */
  tab: oneOf('details'),
});
