import { order, searchOf, words, type SearchOf } from '#lib/search.ts';

/** What the address of every list may say. */
export const listSearch = searchOf({
  /** Words to search for. */
  q: words,
  sort: order,
});
export type ListSearch = SearchOf<typeof listSearch>;
