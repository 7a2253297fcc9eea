import { defaultStringifySearch, useRouter, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';

/** Changes what the address says; what is undefined is taken out of it. */
export type ChangeSearch<Values> = (next: Partial<Values>, isPlace?: boolean) => void;

/** Search texts that wait for the end of a pause in typing: each is written to the address before any other change of it. */
export const pendingWrites = new Set<() => void>();

/**
 * What the address says, as the screen declared it, and the way to change it. What is typed or toggled replaces the
 * address, so that Back needs one press; a place is one to come back to.
 */
export function useSearchState<Values extends object>({
  parse,
}: {
  readonly parse: (given: Readonly<Record<string, unknown>>) => Values;
}): readonly [Values, ChangeSearch<Values>] {
  const router = useRouter();
  // The router leaves in what was not understood.
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
