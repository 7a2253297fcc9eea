import { listSearch } from '#components/list/list-search.ts';
import { oneOf, searchOf } from '#lib/search.ts';

export const catalogSearch = searchOf({
  ...listSearch.params,
  /** Without it the host sets. */
  tab: oneOf('hosts', 'details'),
});
