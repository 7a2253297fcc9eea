import { defaultStringifySearch, useRouter, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';

/** Changes search parameters; undefined removes one. */
export type ChangeSearch<Values> = (next: Partial<Values>, isPlace?: boolean) => void;

/** Search texts waiting for a pause in typing: written to the address before any other change to it. */
export const pendingWrites = new Set<() => void>();

/**
 * A screen's declared search parameters, and a function that changes them. Typed and toggled values replace
 * the history entry, so that Back needs one press; a place gets its own entry.
 */
export function useSearchState<Values extends object>({
  parse,
}: {
  readonly parse: (given: Readonly<Record<string, unknown>>) => Values;
}): readonly [Values, ChangeSearch<Values>] {
  const router = useRouter();
  // The router keeps invalid values.
  const given = useSearch({ strict: false });
  const search = useMemo(() => parse(given), [parse, given]);
  const change: ChangeSearch<Values> = (next, isPlace = false) => {
    for (const write of pendingWrites) write();
    const { pathname } = router.history.location;
    const wanted = parse({ ...router.latestLocation.search, ...next });
    void router.navigate({ href: pathname + defaultStringifySearch(wanted), replace: !isPlace });
  };
  return [search, change];
}
