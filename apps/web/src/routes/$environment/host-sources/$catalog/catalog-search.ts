import { listSearch, oneOf, searchOf } from '#lib/search.ts';

export const catalogSearch = searchOf({
  ...listSearch.params,
  /** If absent, the host sets. */
  tab: oneOf('hosts', 'details'),
});
