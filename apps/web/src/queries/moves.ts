/** The moves of an environment, for their list and for the tray of every page; `move.ts` has what one of them is. */
import { moves } from '@gatehouse/api-types/console/addresses/moves';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#lib/api.ts';

export interface PollContext {
  readonly signal: AbortSignal;
  readonly poll?: boolean;
}

export const movesKey = (environment: string) => [environment, 'moves', 'list'] as const;

async function list(environment: string, context: PollContext) {
  const query = { ended: true };
  return (await call(moves.list, { params: { environment }, query, ...context })).moves;
}

/** All moves of an environment, of boxes and of modules, newest first. The page asks by itself, for its tray. */
export const movesQuery = (environment: string) =>
  queryOptions({
    queryKey: movesKey(environment),
    queryFn: ({ signal }) => list(environment, { signal, poll: true }),
    staleTime: 5000,
    retry: false,
  });

export const movesPoll = (environment: string) => ({
  queryKey: movesKey(environment),
  fetch: (context: PollContext) => list(environment, context),
});
