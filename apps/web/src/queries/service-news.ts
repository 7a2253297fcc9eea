import type { Connection } from '@gatehouse/api-types/console/session';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { isPoll, poll } from '#lib/polling.ts';
import { connectionsQuery } from './session.ts';

const troubles = [
  'not-connected',
  'service-unavailable',
  'service-sealed',
  'service-standby',
  'service-timeout',
  'bad-answer',
] as const;

/**
 * Keeps the services' states in step with their answers: when a service stops or resumes answering, the
 * connections are read at once, not at the next poll.
 */
export function useServiceNews(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const { queryKey } = connectionsQuery;
    const ask = (): void => void poll(queryClient, connectionsQuery);
    /** Whether a query's service, named in its key, was unavailable when last read. */
    const wasUnwell = ([environment, service]: readonly unknown[]): boolean =>
      queryClient
        .getQueryData<readonly Connection[]>(queryKey)
        ?.some(
          (item) =>
            item.environment === environment && item.service === service && item.state !== 'connected',
        ) === true;

    // Requests that failed before this module was loaded.
    if (
      queryClient
        .getQueryCache()
        .getAll()
        .some(({ state }) => isApiError(state.error, ...troubles))
    )
      ask();
    const stopQueries = queryClient.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return;
      const { action, query } = event;
      // A poll's outcome also reaches the query that it is for.
      if (isPoll(query.queryKey)) return;
      if (action.type === 'failed' || action.type === 'error') {
        if (isApiError(action.error, ...troubles)) ask();
      } else if (action.type === 'success' && wasUnwell(query.queryKey)) ask();
    });
    const stopMutations = queryClient.getMutationCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'error') return;
      if (isApiError(event.action.error, ...troubles)) ask();
    });
    return () => {
      stopQueries();
      stopMutations();
    };
  }, [queryClient]);
}
