import {
  useQueryClient,
  type FetchQueryOptions,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { asPoll } from './api.ts';

type Pollable<Data, Key extends QueryKey> = Pick<
  FetchQueryOptions<Data, Error, Data, Key>,
  'queryKey' | 'queryFn'
>;

const mark = { poll: true } as const;

/** Whether a query is the poll of another one. */
export const isPoll = (key: QueryKey): boolean => key.at(-1) === mark;

/**
 * Reads a query again without keeping the session alive. After a failure, the data and its age stay. An
 * outdated answer is dropped: the page has written, read or invalidated the same data since.
 *
 * The poll is a separate query below the other's key. So canceling or removing that one also affects the
 * poll, a slow server receives one request at a time, and no screen shows a poll as loading.
 */
export async function poll<Data, Key extends QueryKey>(
  client: QueryClient,
  { queryKey, queryFn }: Pollable<Data, Key>,
): Promise<void> {
  if (typeof queryFn !== 'function') return;
  const key: QueryKey = queryKey;
  const before = client.getQueryState(key);
  const isOvertaken = (): boolean => {
    const now = client.getQueryState(key);
    return (
      now?.dataUpdateCount !== before?.dataUpdateCount ||
      now?.isInvalidated !== before?.isInvalidated ||
      now?.fetchStatus === 'fetching'
    );
  };
  await client
    .fetchQuery({
      queryKey: [...key, mark],
      queryFn: async ({ signal }) => {
        const data = await queryFn({ client, queryKey, signal: asPoll(signal), meta: undefined });
        if (!signal.aborted && !isOvertaken()) client.setQueryData(key, data);
        return null;
      },
      gcTime: 0,
      staleTime: 0,
      retry: false,
    })
    .catch(() => undefined);
}

/** Polls every `seconds` while the page is visible. */
export function usePolling<Data, Key extends QueryKey>(
  pollable: Pollable<Data, Key>,
  seconds: number,
  isEnabled = true,
): void {
  const queryClient = useQueryClient();
  const key = JSON.stringify(pollable.queryKey);
  useEffect(() => {
    if (!isEnabled) return;
    const timer = window.setInterval(() => {
      if (document.visibilityState === 'visible') void poll(queryClient, pollable);
    }, seconds * 1000);
    return () => {
      window.clearInterval(timer);
      void queryClient.cancelQueries({ queryKey: [...pollable.queryKey, mark], exact: true });
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the key identifies the pollable, which is a new object in each render
  }, [key, seconds, isEnabled, queryClient]);
}
