import type { Target } from '@gatehouse/api-types/console/targets';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { sortingOf } from '#components/table/sorting.ts';
import { useArranged } from '#components/table/use-arranged.ts';
import { targetListQuery } from '#queries/access.ts';
import { globalScope } from '#queries/global-scope.ts';
import { noTargets } from '#queries/target-pages.ts';
import { arrangingOf, matching } from './target-columns.tsx';
import { isListable, type TargetsSearch } from './targets-search.ts';

/**
 * The list for an address: loaded, searched and sorted. With `isCachedOnly`, it contains only what is already loaded,
 * and requests nothing.
 */
export function useTargetList(environment: string, search: TargetsSearch, { isCachedOnly = false } = {}) {
  const { scope = globalScope, recursive, filter, q = '' } = search;
  const query = useQuery({
    ...targetListQuery({ environment, scope, recursive: recursive !== false, filter }),
    enabled: !isCachedOnly && isListable(search),
  });
  // Deferred, so that typing stays fast with 100,000 rows.
  const needle = useDeferredValue(q);
  const { sort = 'name' } = search;
  const arranging = useMemo(() => arrangingOf(sortingOf(sort)), [sort]);
  const list = query.data ?? noTargets;
  const sorted = useArranged<Target>(list.items, arranging);
  const rows = useMemo(() => (needle === '' ? sorted : sorted.filter(matching(needle))), [sorted, needle]);
  return { query, list, rows, sort, isSearching: needle !== q };
}
