/** The user's arrangements: read once, written at once. The last write wins. */
import * as at from '@gatehouse/api-types/console/addresses/preferences';
import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call } from '#lib/api.ts';
import { isLocalPath } from '#lib/local-path.ts';

export const preferencesQuery = queryOptions({
  queryKey: ['preferences'],
  queryFn: async ({ signal }) => (await call(at.preferences.get, { signal })).preferences,
  staleTime: Infinity,
});

/** Whether a stored value is a list of places in the console, each with these texts. */
export function arePlaces<Text extends string>(
  stored: unknown,
  ...texts: readonly Text[]
): stored is readonly Readonly<Record<Text | 'href', string>>[] {
  return (
    Array.isArray(stored) &&
    stored.every(
      (one: Readonly<Record<string, unknown>> | null) =>
        texts.every((text) => typeof one?.[text] === 'string') &&
        typeof one?.['href'] === 'string' &&
        isLocalPath(one['href']),
    )
  );
}

/**
 * A preference and its setter. A stored value of the wrong shape, from an older page, counts as not set. A
 * new value is shown at once; if the server refuses it, it applies to this page only.
 */
export function usePreference<Value>(
  key: string,
  fits: (stored: unknown) => stored is Value,
  fallback: Value,
): [Value, (value: Value) => void] {
  const queryClient = useQueryClient();
  const { data } = useSuspenseQuery(preferencesQuery);
  const { mutate } = useMutation({
    mutationFn: (value: unknown) => call(at.preferences.put, { params: { key }, body: { value } }),
    scope: { id: `preference ${key}` },
  });
  const stored = data[key];
  const setValue = useCallback(
    (value: Value): void => {
      queryClient.setQueryData(preferencesQuery.queryKey, (all) => ({ ...all, [key]: value }));
      mutate(value);
    },
    [queryClient, mutate, key],
  );
  return [fits(stored) ? stored : fallback, setValue];
}
