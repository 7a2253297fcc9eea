/** What the address says about a move: which of its items are listed, and the one that is opened. */
import { matching, searchOf, words } from '#lib/search.ts';

export const moveSearch = searchOf({
  q: words,
  // The page knows the states; the entry, which everybody loads with this, should not.
  show: matching(/^[a-z-]{1,20}$/),
  item: matching(/^[0-9A-Za-z]{1,40}$/),
});
