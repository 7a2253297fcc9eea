/** A move of boxes or modules from another registry to this one: its items, its report and its actions. */
import { moves } from '@gatehouse/api-types/console/addresses/moves';
import { moveItemLimit, type PieceState } from '@gatehouse/api-types/console/move-values';
import type { Move, MoveChoice, MoveItem, NewMove } from '@gatehouse/api-types/console/moves';
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import { call, readLines, type Guard } from '#lib/api.ts';
import { putAnswer, queryClient } from '#lib/query-client.ts';
import { movesKey } from './moves.ts';

/** Identifies a move. */
interface MovePlace {
  readonly environment: string;
  readonly move: string;
}

/** Filters of a move's items: `q` by text, `show` by state. */
export interface ItemsQuery {
  readonly q?: string | undefined;
  readonly show?: PieceState | 'clashes' | 'differs' | undefined;
}

const moveKey = ({ environment, move }: MovePlace) => [environment, 'moves', 'one', move] as const;
const itemKey = (place: MovePlace) => [...moveKey(place), 'item'] as const;
const itemsKey = (place: MovePlace) => [...moveKey(place), 'items'] as const;

export const moveQuery = (place: MovePlace) =>
  queryOptions({
    queryKey: moveKey(place),
    queryFn: ({ signal }) => call(moves.get, { params: { ...place }, signal }),
    staleTime: 1000,
  });

interface ItemsPage {
  readonly items: readonly MoveItem[];
  readonly total: number;
  readonly next_offset: number | null;
}

async function itemsPage(
  place: MovePlace,
  { q, show }: ItemsQuery,
  offset: number,
  signal: AbortSignal,
): Promise<ItemsPage> {
  const query = {
    ...(q !== undefined && { q }),
    ...(show !== undefined && { show }),
    ...(offset > 0 && { offset }),
    limit: moveItemLimit,
  };
  return call(moves.items, { params: { ...place }, query, signal });
}

/** The boxes or modules of a move, in pages. */
export const moveItemsQuery = (place: MovePlace, query: ItemsQuery) =>
  infiniteQueryOptions({
    queryKey: [...itemsKey(place), query],
    queryFn: ({ signal, pageParam }) => itemsPage(place, query, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next_offset: next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 2000,
  });

/** The loaded pages, read again. */
export const moveItemsPoll = (place: MovePlace, query: ItemsQuery) => {
  const { queryKey } = moveItemsQuery(place, query);
  return {
    queryKey,
    queryFn: async ({
      signal,
    }: {
      readonly signal: AbortSignal;
    }): Promise<InfiniteData<ItemsPage, number>> => {
      const shown = queryClient.getQueryData(queryKey)?.pages.length ?? 1;
      const pages: ItemsPage[] = [];
      const pageParams: number[] = [];
      let offset: number | null = 0;
      while (offset !== null && pages.length < shown) {
        const page: ItemsPage = await itemsPage(place, query, offset, signal);
        pages.push(page);
        pageParams.push(offset);
        offset = page.next_offset;
      }
      return { pages, pageParams };
    },
  };
};

/** Invalidates a move's items. */
export function staleItems(client: QueryClient, place: MovePlace): void {
  void client.invalidateQueries({ queryKey: itemsKey(place) });
  void client.invalidateQueries({ queryKey: itemKey(place) });
}

/** The IDs of all matching items. */
export async function matchingItems(place: MovePlace, query: ItemsQuery): Promise<readonly string[]> {
  const ids: string[] = [];
  let offset: number | null = 0;
  while (offset !== null) {
    const page: ItemsPage = await itemsPage(place, query, offset, AbortSignal.timeout(60_000));
    ids.push(...page.items.map(({ id }) => id));
    offset = page.next_offset;
  }
  return ids;
}

export const moveItemQuery = (place: MovePlace, item: string) =>
  queryOptions({
    queryKey: [...itemKey(place), item],
    queryFn: ({ signal }) => call(moves.item, { params: { ...place, item }, signal }),
    staleTime: 1000,
  });

/** Reads every piece of a move with its outcome. */
export function readReport(place: MovePlace) {
  return readLines(moves.report, { params: { ...place } });
}

/** Actions on the moves of an environment. Each answer updates its move wherever the page shows it. */
export function useMoveWrites(environment: string) {
  const client = useQueryClient();
  const keep = (move: Move): Move => {
    const place = { environment, move: move.id };
    const known = client.getQueryData<Move>(moveKey(place));
    // Answers may arrive in another order than their changes.
    if (known === undefined || known.updated_time <= move.updated_time)
      putAnswer(client, moveKey(place), move);
    void client.invalidateQueries({ queryKey: movesKey(environment) });
    return move;
  };
  const paramsOf = (move: string) => ({ params: { environment, move } });
  return {
    create: async (body: NewMove) => keep(await call(moves.create, { params: { environment }, body })),
    choose: async (move: string, guard: Guard, body: MoveChoice) =>
      keep(await call(moves.choose, { ...paramsOf(move), ...guard, body })),
    start: async (move: string, token: string) =>
      keep(await call(moves.start, { ...paramsOf(move), body: { token } })),
    pause: async (move: string) => keep(await call(moves.pause, paramsOf(move))),
    resume: async (move: string, token: string) =>
      keep(await call(moves.resume, { ...paramsOf(move), body: { token } })),
    /** @param item null for all failed ones */
    retry: async (move: string, token: string, item: string | null) =>
      keep(await call(moves.retry, { ...paramsOf(move), body: { token, item } })),
    compare: async (move: string, token: string) =>
      keep(await call(moves.compare, { ...paramsOf(move), body: { token } })),
    abandon: async (move: string) => keep(await call(moves.abandon, paramsOf(move))),
  };
}
