import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { isApiError } from './api-error.ts';

const retried = ['unreachable', 'service-timeout', 'service-unavailable', 'bad-answer'] as const;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Without a network a query fails and says so; it does not wait endlessly behind a skeleton.
      networkMode: 'always',
      retry: (failures, error) => failures < 1 && isApiError(error, ...retried),
      retryDelay: 800,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/** Puts what a write answered where the page keeps it. A read that is under way may be of the time before: it is cancelled. */
export function putAnswer(client: QueryClient, queryKey: QueryKey, answer: unknown): void {
  void client.cancelQueries({ queryKey, exact: true });
  client.setQueryData(queryKey, answer);
}
