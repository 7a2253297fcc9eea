/** The search parameters of the list of targets, which a target's page keeps for its previous and next links. */
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

/** The controller's maximum length of a filter expression, in characters. */
export const longestFilter = 4096;

export const targetsSearch = searchOf({
  /** The scope's ID; if absent, the global scope. */
  scope: unless(globalScope, recordId),
  /** False for only the scope itself. */
  recursive: off,
  /** A filter expression for the controller. */
  filter: matching(new RegExp(`^[^\\0]{1,${String(longestFilter)}}$`, 's')),
  /** Words to search for in the loaded targets. */
  q: words,
  sort: order,
});
export type TargetsSearch = SearchOf<typeof targetsSearch>;

/** The search parameters of only the list. */
export const targetListSearch = searchOf({
  ...targetsSearch.params,
  /** *Why not?* is open: true, or the ID of the chosen target. */
  why: either(on, recordId),
});
export type TargetListSearch = SearchOf<typeof targetListSearch>;

/** Whether a list can be requested: only projects contain targets, so other scopes must include those below. */
export function isListable({
  scope = globalScope,
  recursive,
}: Pick<TargetsSearch, 'scope' | 'recursive'>): boolean {
  return recursive !== false || scope.startsWith('p_');
}

/** The project of the list, for a new target. */
export function placeOf({ scope }: TargetsSearch): { scope?: string } {
  return scope?.startsWith('p_') === true ? { scope } : {};
}
