/** The search parameters of a move: the listed items, and the open one. */
import { matching, searchOf, words } from '#lib/search.ts';

export const moveSearch = searchOf({
  q: words,
  // The page checks the states, so that the entry chunk needn't contain them.
  show: matching(/^[a-z-]{1,20}$/),
  item: matching(/^[0-9A-Za-z]{1,40}$/),
});
