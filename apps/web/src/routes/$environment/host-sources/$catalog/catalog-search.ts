import { listSearch, oneOf, searchOf } from '#lib/search.ts';

export const catalogSearch = searchOf({
  ...listSearch.params,
  /** Without it the host sets. */
  tab: oneOf('hosts', 'details'),
});
