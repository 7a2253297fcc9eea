/** What the address says about the list of targets: a detail keeps it too, so that previous and next walk the same list. */
import {
  either,
  matching,
  off,
  on,
  order,
  recordId,
  searchOf,
  unless,
  words,
  type SearchOf,
} from '#lib/search.ts';
import { globalScope } from '#queries/global-scope.ts';

/** Characters of a filter expression that the controller accepts. */
export const longestFilter = 4096;

export const targetsSearch = searchOf({
  /** The scope's id; the global scope without it. */
  scope: unless(globalScope, recordId),
  /** False: only the scope itself. */
  recursive: off,
  /** A filter expression of the controller. */
  filter: matching(new RegExp(`^[^\\0]{1,${String(longestFilter)}}$`, 's')),
  /** Words to search for in what is loaded. */
  q: words,
  sort: order,
});
export type TargetsSearch = SearchOf<typeof targetsSearch>;

/** What the list alone has in its address. */
export const targetListSearch = searchOf({
  ...targetsSearch.params,
  /** *Why not?* is open: with the id of the target that is asked about, once there is one. */
  why: either(on, recordId),
});
export type TargetListSearch = SearchOf<typeof targetListSearch>;

/** Whether a list can be asked for: targets are in projects, other scopes list those below them or nothing. */
export function isListable({
  scope = globalScope,
  recursive,
}: Pick<TargetsSearch, 'scope' | 'recursive'>): boolean {
  return recursive !== false || scope.startsWith('p_');
}

/** A new target belongs where one was looking. */
export function placeOf({ scope }: TargetsSearch): { scope?: string } {
  return scope?.startsWith('p_') === true ? { scope } : {};
}
