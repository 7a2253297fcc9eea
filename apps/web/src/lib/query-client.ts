import {
  CancelledError,
  QueryClient,
  type FetchQueryOptions,
  type Query,
  type QueryKey,
} from '@tanstack/react-query';
import { isApiError } from './api-error.ts';

const retried = ['unreachable', 'service-timeout', 'service-unavailable', 'bad-answer'] as const;

/** Whether you may be typing in place of data what fixes a failure: credentials, or a path that can't be listed. */
const awaitsInput = ({ state }: Pick<Query, 'state'>): boolean =>
  state.data === undefined && isApiError(state.error, 'not-connected', 'forbidden');

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Without a network a query fails and says so; it does not wait endlessly behind a skeleton.
      networkMode: 'always',
      retry: (failures, error) => failures < 1 && isApiError(error, ...retried),
      retryDelay: 800,
      // Asked again, a query without data has no failure any more, and what is typed beside it would go with it.
      refetchOnWindowFocus: (query) => !awaitsInput(query),
      retryOnMount: (query) => query.getObserversCount() < 2 || !awaitsInput(query),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/** Puts what a write answered where the page keeps it. A read that is under way may be of the time before: it is cancelled. */
export function putAnswer(client: QueryClient, queryKey: QueryKey, answer: unknown): void {
  void client.cancelQueries({ queryKey, exact: true });
  client.setQueryData(queryKey, answer);
}

/**
 * What another query has, or fetches, for one that is made of it. Where a part of the page was fetching it and left, that read
 * was cancelled: it is begun again.
 */
export async function dataOf<Data, Key extends QueryKey>(
  client: QueryClient,
  options: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  try {
    return await client.ensureQueryData(options);
  } catch (error) {
    if (!(error instanceof CancelledError)) throw error;
    return client.ensureQueryData(options);
  }
}
