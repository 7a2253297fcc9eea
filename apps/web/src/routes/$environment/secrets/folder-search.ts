/** The search parameters of a folder's address. */
import { matching, searchOf } from '#lib/search.ts';

export const folderSearch = searchOf({
  /** Words to search for in the names below, or a whole path. */
  q: matching(/^.{1,2048}$/su),
});
