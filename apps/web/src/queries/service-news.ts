import type { Connection } from '@gatehouse/api-types/console/session';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { connectionsPoll } from './session.ts';

const troubles = [
  'not-connected',
  'service-unavailable',
  'service-sealed',
  'service-standby',
  'service-timeout',
  'bad-answer',
] as const;

/**
 * Keeps the state of the services in step with what their answers say: when one does not answer any more, or does so
 * again, the connections are asked at once and not at the next poll.
 */
export function useServiceNews(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const { queryKey } = connectionsPoll;
    const controller = new AbortController();
    let isAsking = false;
    const ask = (): void => {
      if (isAsking) return;
      isAsking = true;
      connectionsPoll
        .fetch({ signal: controller.signal, poll: true })
        .then(
          (connections) => {
            if (!controller.signal.aborted) queryClient.setQueryData(queryKey, connections);
          },
          () => {
            // The next poll tells.
          },
        )
        .finally(() => {
          isAsking = false;
        });
    };
    /** Whether the service that a query is of (its key begins with both names) was not well when last heard of. */
    const wasUnwell = ([environment, service]: readonly unknown[]): boolean =>
      queryClient
        .getQueryData<readonly Connection[]>(queryKey)
        ?.some(
          (item) =>
            item.environment === environment && item.service === service && item.state !== 'connected',
        ) === true;

    // Requests that failed before this part of the page arrived.
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
      controller.abort();
    };
  }, [queryClient]);
}
