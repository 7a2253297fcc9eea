import {
  CancelledError,
  QueryClient,
  type FetchQueryOptions,
  type Query,
  type QueryKey,
} from '@tanstack/react-query';
import { isApiError } from './api-error.ts';

const retried = ['unreachable', 'service-timeout', 'service-unavailable', 'bad-answer'] as const;

/** Whether the user may be typing a remedy for the failure: credentials, or an unlistable folder's path. */
const awaitsInput = ({ state }: Pick<Query, 'state'>): boolean =>
  state.data === undefined && isApiError(state.error, 'not-connected', 'no-access', 'forbidden');

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Without a network, queries fail and say so instead of waiting behind a skeleton.
      networkMode: 'always',
      retry: (failures, error) => failures < 1 && isApiError(error, ...retried),
      retryDelay: 800,
      // Repeating a query without data would clear its failure, and with it the input beside it.
      refetchOnWindowFocus: (query) => !awaitsInput(query),
      retryOnMount: (query) => query.getObserversCount() < 2 || !awaitsInput(query),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/** Caches the answer to a write. Cancels a read in progress, which may have begun before the write. */
export function putAnswer(client: QueryClient, queryKey: QueryKey, answer: unknown): void {
  void client.cancelQueries({ queryKey, exact: true });
  client.setQueryData(queryKey, answer);
}

/**
 * The data of a query that another one is derived from; fetches it if needed. If the fetch was canceled
 * because its observer left, it is repeated.
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
