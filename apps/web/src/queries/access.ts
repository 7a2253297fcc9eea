/** The access controller: scopes and targets. */
import * as at from '@gatehouse/api-types/console/addresses/access';
import type { Target, TargetChanges } from '@gatehouse/api-types/console/targets';
import { queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { putAnswer } from '#lib/query-client.ts';
import { globalScope } from './global-scope.ts';
import { recordQuery } from './record-life.ts';
import { recordCalls } from './records.ts';
import {
  appendPage,
  dropTargets,
  firstPageSize,
  nextPageSize,
  noTargets,
  putTarget,
  putWrites,
  type TargetList,
  type TargetPage,
} from './target-pages.ts';

export const scopesQuery = (environment: string) =>
  queryOptions({
    queryKey: [environment, 'access', 'scopes'],
    queryFn: async ({ signal }) => (await call(at.scopes.list, { params: { environment }, signal })).items,
    staleTime: 5 * 60_000,
  });

export interface TargetListQuery {
  readonly environment: string;
  readonly scope: string;
  readonly recursive: boolean;
  /** A filter expression of the controller. */
  readonly filter: string | undefined;
}

const listKey = (environment: string) => [environment, 'access', 'targets', 'list'] as const;

/** Lists that are being read, with the writes since each began. */
const readings = new Set<{
  readonly client: QueryClient;
  readonly environment: string;
  readonly writes: Map<string, Target | undefined>;
}>();

function noteWrite(client: QueryClient, environment: string, id: string, target?: Target): void {
  for (const reading of readings)
    if (reading.client === client && reading.environment === environment) reading.writes.set(id, target);
}

/** Whether a target belongs to a list. False for filtered lists: only the controller evaluates filters. */
function isIn(
  { scope, recursive, filter = '' }: Omit<TargetListQuery, 'environment'>,
  item: Target,
): boolean {
  return (
    filter === '' &&
    (scope === item.scope_id ||
      (recursive && (scope === globalScope || scope === item.scope.parent_scope_id)))
  );
}

/**
 * All targets of a scope: the first 100 at once, then pages of 1,000, each shown as it arrives. Pauses while
 * nothing observes the list, and continues from there later. A refetch replaces a complete list only once it
 * is complete itself.
 */
export const targetListQuery = (query: TargetListQuery) =>
  queryOptions({
    queryKey: [...listKey(query.environment), query.scope, query.recursive, query.filter ?? ''],
    queryFn: async ({ client, queryKey }): Promise<TargetList> => {
      const known = client.getQueryData<TargetList>(queryKey);
      const isReplacing = known?.isComplete === true;
      let list = isReplacing || known === undefined ? noTargets : known;
      const reading = {
        client,
        environment: query.environment,
        writes: new Map<string, Target | undefined>(),
      };
      readings.add(reading);
      try {
        do {
          const page = await targetPage(query, list.nextPage);
          const latest = client.getQueryData<TargetList>(queryKey);
          // While the list grows, our own writes are put into it. The page may be older than they are.
          list = appendPage(isReplacing ? list : (latest ?? list), page, reading.writes);
          if (!isReplacing) client.setQueryData(queryKey, list);
          const observers = client.getQueryCache().find({ queryKey, exact: true })?.getObserversCount() ?? 0;
          if (observers === 0) return isReplacing ? (latest ?? known) : list;
        } while (!list.isComplete);
        return isReplacing ? putWrites(list, reading.writes, (target) => isIn(query, target)) : list;
      } finally {
        readings.delete(reading);
      }
    },
    staleTime: Infinity,
    refetchOnMount: ({ state }) => (state.data?.isComplete === false ? 'always' : true),
    refetchOnWindowFocus: false,
    structuralSharing: false,
  });

function targetPage(query: TargetListQuery, token: string | undefined): Promise<TargetPage> {
  return call(at.targets.list, {
    params: { environment: query.environment },
    query: {
      scope_id: query.scope,
      page_size: token === undefined ? firstPageSize : nextPageSize,
      ...(query.recursive && { recursive: true }),
      ...(query.filter !== undefined && { filter: query.filter }),
      ...(token !== undefined && { page_token: token }),
    },
  });
}

/** The controller's estimate of the targets in a scope and below it. */
export const targetCountQuery = (environment: string, scope: string) =>
  queryOptions({
    queryKey: [environment, 'access', 'targets', 'count', scope],
    queryFn: async ({ signal }) => {
      const page = await call(at.targets.list, {
        params: { environment },
        query: { scope_id: scope, recursive: true, page_size: 1 },
        signal,
      });
      return page.est_item_count;
    },
  });

/** The newest 1,000 targets: enough to show recent changes without reading all. */
export const newestTargetsQuery = (environment: string) =>
  queryOptions({
    queryKey: [environment, 'access', 'targets', 'newest'],
    queryFn: ({ signal }) =>
      call(at.targets.list, {
        params: { environment },
        query: { scope_id: globalScope, recursive: true, page_size: nextPageSize },
        signal,
      }),
  });

const calls = recordCalls(at.targets);

/** Writes update the lists and single targets; the count is requested again. */
export const targets: typeof calls = {
  ...calls,
  cache: {
    keep: keepTarget,
    forget: (queryClient, environment, id) => {
      forgetTargets(queryClient, environment, [id]);
    },
  },
};

export const targetQuery = (environment: string, id: string) => recordQuery(targets, environment, id);

/** Puts the target that a write returned into everything that the page shows. */
export function keepTarget(queryClient: QueryClient, environment: string, target: Target): void {
  putAnswer(queryClient, targetQuery(environment, target.id).queryKey, target);
  const lists = queryClient.getQueriesData<TargetList>({ queryKey: listKey(environment) });
  for (const [key, list] of lists) {
    const [scope, recursive, filter] = key.slice(listKey(environment).length);
    const query = { scope: String(scope), recursive: recursive === true, filter: String(filter) };
    if (list)
      queryClient.setQueryData(
        key,
        putTarget(list, target, (item) => isIn(query, item)),
      );
  }
  noteWrite(queryClient, environment, target.id, target);
  staleSummaries(queryClient, environment);
}

function staleSummaries(queryClient: QueryClient, environment: string): void {
  for (const summary of ['count', 'newest']) {
    void queryClient.invalidateQueries({ queryKey: [environment, 'access', 'targets', summary] });
  }
}

/** Removes deleted targets from everything that the page shows. */
export function forgetTargets(queryClient: QueryClient, environment: string, ids: readonly string[]): void {
  for (const id of ids) queryClient.removeQueries({ queryKey: targetQuery(environment, id).queryKey });
  for (const id of ids) noteWrite(queryClient, environment, id);
  const gone = new Set(ids);
  queryClient.setQueriesData<TargetList>({ queryKey: listKey(environment) }, (list) =>
    list === undefined ? list : dropTargets(list, gone),
  );
  staleSummaries(queryClient, environment);
}

/** Reads and writes for many targets. Each write updates the target wherever the page shows it. */
export function useTargetWrites(environment: string) {
  const queryClient = useQueryClient();
  return {
    read: (id: string) => queryClient.fetchQuery({ ...targetQuery(environment, id), staleTime: 0 }),
    update: async ({ id, revision }: Target, changes: TargetChanges): Promise<Target> => {
      const saved = await targets.update(environment, id, { revision }, changes);
      keepTarget(queryClient, environment, saved);
      return saved;
    },
  };
}
