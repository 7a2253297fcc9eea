import type { Connection } from '@gatehouse/api-types/console/session';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { usePolling } from '#lib/polling.ts';
import { useServiceNews } from '#queries/service-news.ts';
import { connectionsQuery } from '#queries/session.ts';

/** Polls the services, more often while one is unreachable. A separate component, so that answers don't render the shell. */
export function ServiceWatch() {
  const { data } = useQuery(connectionsQuery);
  usePolling(connectionsQuery, data?.some(({ state }) => state === 'unreachable') === true ? 5 : 30);
  useRecovery(data);
  useServiceNews();
  return null;
}

/** Repeats failed queries once their service is available again. */
function useRecovery(data: readonly Connection[] | undefined): void {
  const queryClient = useQueryClient();
  const before = useRef<readonly Connection[]>([]);
  useEffect(() => {
    for (const { environment, service, state } of data ?? []) {
      const last = before.current.find(
        (item) => item.environment === environment && item.service === service,
      );
      if (state !== 'connected' || last === undefined || last.state === 'connected') continue;
      void queryClient.invalidateQueries({
        queryKey: [environment, service],
        predicate: (query) => query.state.status === 'error',
      });
    }
    before.current = data ?? [];
  }, [data, queryClient]);
}
