import type { Plugin, PluginSummary } from '@gatehouse/api-types/console/plugins';
import { useQueries, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { plugins } from '#queries/plugins.ts';
import { recordQuery } from '#queries/record-life.ts';
import { inTurns, type TurnsState } from './in-turns.ts';
import { isStateRead, unreadOf, type ReadState, type ReadStates } from './states.ts';

/** The number of registrations read concurrently. */
const atOnce = 4;

export type PluginStates = ReturnType<typeof usePluginStates>;

/**
 * The states of listed plugins: read for visible rows, and for all on request.
 * @param items undefined while loading
 * @param since when they were loaded
 */
export function usePluginStates(
  environment: string,
  items: readonly PluginSummary[] | undefined,
  since: number,
) {
  const queryClient = useQueryClient();
  const [progress, setProgress] = useState<TurnsState>('idle');
  const ids = useMemo(() => items?.filter(isStateRead).map(({ id }) => id) ?? [], [items]);
  const combine = useCallback(
    (found: readonly UseQueryResult<Plugin>[]): ReadStates =>
      new Map(ids.map((id, index) => [id, readStateOf(found[index])])),
    [ids],
  );
  const states = useQueries({
    // Only shows cached states; `turns` reads them.
    queries: ids.map((id) => ({ ...recordQuery(plugins, environment, id), enabled: false })),
    combine,
  });
  const turns = useMemo(
    () =>
      inTurns(
        atOnce,
        (id) =>
          queryClient.fetchQuery({ ...recordQuery(plugins, environment, id), staleTime: 0 }).then(
            () => undefined,
            // Its row shows the error.
            () => undefined,
          ),
        setProgress,
      ),
    [queryClient, environment],
  );
  useEffect(() => turns.end, [turns]);
  const see = useCallback(
    (id: string) => {
      const query = queryClient.getQueryState(recordQuery(plugins, environment, id).queryKey);
      if (Math.max(query?.dataUpdatedAt ?? 0, query?.errorUpdatedAt ?? 0) < since) turns.soon(id);
    },
    [queryClient, environment, since, turns],
  );
  const unread = unreadOf(states, since);
  return {
    states,
    /** Reads the state of a visible plugin, unless it is known. */
    see,
    /** The number of registrations whose state is older than the list. */
    unread: unread.length,
    progress,
    readAll: (): void => {
      turns.rest(unread);
    },
    stop: turns.stop,
  };
}

function readStateOf(query: UseQueryResult<Plugin> | undefined): ReadState {
  if (query === undefined) return { state: undefined, at: 0 };
  const { data, error, dataUpdatedAt, errorUpdatedAt } = query;
  if (errorUpdatedAt > dataUpdatedAt) {
    return { state: isApiError(error, 'forbidden') ? 'denied' : 'failed', at: errorUpdatedAt };
  }
  return { state: data?.state, at: dataUpdatedAt };
}
