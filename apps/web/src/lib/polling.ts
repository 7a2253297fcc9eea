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

/** Whether a query is a poll of another. */
export const isPoll = (key: QueryKey): boolean => key.at(-1) === mark;

/**
 * Asks a query again without keeping the session alive. When that fails, what is on the screen stays, with its age. An
 * answer that was overtaken is dropped: the page wrote or read the same meanwhile, or marked it stale.
 *
 * The poll is a query of its own, below the other's key: cancelling or removing that one does the same to the poll, a
 * slow server is asked once at a time, and no screen shows a poll as loading.
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
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the pollable, which is another one at each render
  }, [key, seconds, isEnabled, queryClient]);
}
