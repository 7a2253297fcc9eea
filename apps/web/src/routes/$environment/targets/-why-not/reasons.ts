/** Checks each condition of the list for one target. */
import type { Scope } from '@gatehouse/api-types/console/scopes';
import type { Target } from '@gatehouse/api-types/console/targets';
import { matchesFilter } from '@gatehouse/filter-expression/evaluate';
import { explainFilter, type Explanation } from '@gatehouse/filter-expression/explain';
import { readFilter, tryFilter } from '#components/filter/read-filter.ts';
import { scopeName } from '#components/targets/scope-name.ts';
import { globalScope } from '#queries/global-scope.ts';
import { matching } from '../target-columns.tsx';
import type { TargetsSearch } from '../targets-search.ts';

export interface Reason {
  readonly id: 'scope' | 'filter' | 'words';
  readonly title: string;
  readonly holds: boolean;
  /** The comparison, in a sentence. */
  readonly detail: string;
  /** For the filter expression. */
  readonly explanation?: Explanation;
}

/**
 * The list's conditions and whether the target meets them, in the order they apply.
 * @param scopes the scopes you can see, for their names
 */
export function reasonsFor(
  target: Target,
  search: TargetsSearch,
  scopes: readonly Scope[],
): readonly Reason[] {
  const { filter, q } = search;
  const reasons: Reason[] = [scopeReason(target, search, scopes)];
  if (filter !== undefined) {
    const read = readFilter(filter);
    const expression = read?.expression;
    const datum = targetDatum(target);
    const explanation = expression && tryFilter(() => explainFilter(expression, datum));
    const holds =
      expression &&
      (explanation ? explanation.outcome === 'holds' : tryFilter(() => matchesFilter(expression, datum)));
    reasons.push({
      id: 'filter',
      title: 'Filter expression',
      holds: holds === true,
      detail:
        read?.problem === undefined
          ? explanation?.outcome === 'meaningless'
            ? "A clause doesn't apply to this target, so the expression doesn't match."
            : expression && !explanation
              ? 'The explanation is too long to show.'
              : ''
          : `Invalid: ${read.problem}.`,
      ...(explanation && { explanation }),
    });
  }
  if (q !== undefined) {
    reasons.push({
      id: 'words',
      title: 'Search words',
      holds: matching(q)(target),
      detail: `The list searches for "${q.trim()}" in name, ID, address and description.`,
    });
  }
  return reasons;
}

function scopeReason(target: Target, search: TargetsSearch, scopes: readonly Scope[]): Reason {
  const { scope = globalScope } = search;
  const isBelow = search.recursive !== false;
  const here = scopes.find(({ id }) => id === scope);
  const name = here === undefined ? scope : scopeName(here);
  const isIn =
    target.scope_id === scope ||
    (isBelow && (scope === globalScope || scope === target.scope.parent_scope_id));
  return {
    id: 'scope',
    title: 'Scope',
    holds: isIn,
    detail: `The list shows ${isBelow ? `${name} and everything below it` : `only ${name}`}. The target is in ${scopeName(target.scope)}.`,
  };
}

/** A target as the controller's filters see it: below `/item`, with a numeric version. */
function targetDatum({ revision, ...target }: Target): {
  readonly item: Readonly<Record<string, unknown>>;
} {
  return { item: { ...target, version: Number(revision) } };
}
