/** What the address of a folder carries beside its path. */
import { matching, searchOf } from '#lib/search.ts';

export const folderSearch = searchOf({
  /** Words that are looked for in the names below: a whole path too. */
  q: matching(/^.{1,2048}$/su),
});
