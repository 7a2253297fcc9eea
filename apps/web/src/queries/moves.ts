/** The moves of an environment, for the list and every page's tray. For one move, see `move.ts`. */
import { moves } from '@gatehouse/api-types/console/addresses/moves';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#lib/api.ts';

export const movesKey = (environment: string) => [environment, 'moves', 'list'] as const;

/** All moves of an environment, boxes and modules, newest first. Polled for the tray. */
export const movesQuery = (environment: string) =>
  queryOptions({
    queryKey: movesKey(environment),
    queryFn: async ({ signal }) =>
      (await call(moves.list, { params: { environment }, query: { ended: true }, signal, poll: true })).moves,
    staleTime: 5000,
    retry: false,
  });
