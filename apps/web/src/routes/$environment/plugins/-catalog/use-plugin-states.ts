import type { Plugin, PluginSummary } from '@gatehouse/api-types/console/plugins';
import { useQueries, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { plugins } from '#queries/plugins.ts';
import { recordQuery } from '#queries/record-life.ts';
import { inTurns, type TurnsState } from './in-turns.ts';
import { isStateRead, unreadOf, type ReadState, type ReadStates } from './states.ts';

/** Registrations that are read at once. */
const atOnce = 4;

export type PluginStates = ReturnType<typeof usePluginStates>;

/**
 * The states of the plugins of a list: of those that are in sight, and of all when that is asked for.
 * @param items undefined until they are loaded
 * @param since when they were
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
    // They are read in turns: what was read is shown.
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
            // Its row says so.
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
    /** Reads the state of a plugin that is in sight, where it is not known. */
    see,
    /** How many registrations were not read since the list was. */
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
