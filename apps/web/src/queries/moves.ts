/** The moves of an environment, for their list and for the tray of every page; `move.ts` has what one of them is. */
import { moves } from '@gatehouse/api-types/console/addresses/moves';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#lib/api.ts';

export const movesKey = (environment: string) => [environment, 'moves', 'list'] as const;

/** All moves of an environment, of boxes and of modules, newest first. The page asks by itself, for its tray. */
export const movesQuery = (environment: string) =>
  queryOptions({
    queryKey: movesKey(environment),
    queryFn: async ({ signal }) =>
      (await call(moves.list, { params: { environment }, query: { ended: true }, signal, poll: true })).moves,
    staleTime: 5000,
    retry: false,
  });
