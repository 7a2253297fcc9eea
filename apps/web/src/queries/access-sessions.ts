/** Sessions of the access controller: lists and cancels them, and authorizes new ones. */
import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import * as at from '@gatehouse/api-types/console/addresses/access';
import type { Endpoints } from '@gatehouse/api-types/console/endpoints';
import type { Target } from '@gatehouse/api-types/console/targets';
import type { BodyOf } from '@gatehouse/api-types/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { putAnswer } from '#lib/query-client.ts';
import { globalScope } from './global-scope.ts';

/** Rows of the list at first, and per extension: with terminated sessions it may be long. */
export const sessionsAtOnce = 10_000;

export interface AccessSessionList {
  /** Newest first. */
  readonly items: readonly AccessSession[];
  /** False if more exist than are listed. */
  readonly isComplete: boolean;
  /** The controller's estimate of the total. */
  readonly estimate: number;
}

const listKey = (environment: string, withTerminated: boolean, most: number) =>
  [environment, 'access', 'access-sessions', 'list', withTerminated, most] as const;

async function readSessions(
  environment: string,
  withTerminated: boolean,
  most: number,
  context: { signal: AbortSignal; poll?: boolean },
): Promise<AccessSessionList> {
  const items: AccessSession[] = [];
  let token: string | undefined;
  let estimate = 0;
  do {
    const page = await call(at.accessSessions.list, {
      params: { environment },
      query: {
        scope_id: globalScope,
        recursive: true,
        page_size: 1000,
        ...(withTerminated && { include_terminated: true }),
        ...(token !== undefined && { page_token: token }),
      },
      ...context,
    });
    items.push(...page.items);
    token = page.next_page_token;
    estimate = page.est_item_count;
  } while (token !== undefined && items.length < most);
  return { items, isComplete: token === undefined, estimate };
}

/** The sessions of all projects that the user may list, newest first. @param most the number of rows */
export const accessSessionsQuery = (environment: string, withTerminated: boolean, most = sessionsAtOnce) =>
  queryOptions({
    queryKey: listKey(environment, withTerminated, most),
    queryFn: ({ signal }) => readSessions(environment, withTerminated, most, { signal }),
    staleTime: 5_000,
  });

/** The newest open sessions on a target, or of a user, that the caller may list. */
export const openSessionsQuery = (environment: string, of: 'target' | 'user', id: string) =>
  queryOptions({
    queryKey: [environment, 'access', 'access-sessions', 'list', of, id],
    queryFn: ({ signal }) =>
      call(at.accessSessions.list, {
        params: { environment },
        query: {
          scope_id: globalScope,
          recursive: true,
          page_size: 10,
          filter: `"/item/${of}_id" == ${JSON.stringify(id)}`,
        },
        signal,
      }),
    staleTime: 5_000,
  });

const sessionKey = (environment: string, id: string) =>
  [environment, 'access', 'access-sessions', 'one', id] as const;

export const accessSessionQuery = (environment: string, id: string) =>
  queryOptions({
    queryKey: sessionKey(environment, id),
    queryFn: ({ signal }) => call(at.accessSessions.get, { params: { environment, id }, signal }),
    staleTime: 5_000,
  });

/** Cancels a session, guarded by its revision. */
export function useCancelAccessSession(environment: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, revision }: { id: string; revision: string }) =>
      call(at.accessSessions.cancel, { params: { environment, id }, revision }),
    onSuccess: (session) => {
      putAnswer(queryClient, sessionKey(environment, session.id), session);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [environment, 'access', 'access-sessions'] }),
  });
}

/** Authorizes a session. The answer holds secrets: only the caller keeps it, as briefly as possible. */
export function useAuthorizeSession(environment: string, target: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (host: string | undefined) =>
      call(at.accessSessions.authorize, {
        params: { environment, id: target },
        body: host === undefined ? {} : { host_id: host },
      }),
    gcTime: 0,
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: [environment, 'access', 'access-sessions', 'list'] });
    },
  });
}

/** A target by its name, in a scope given by ID or name. */
export type NamedTarget = BodyOf<Endpoints['accessSessions']['authorizeByName']>;

/** Authorizes a session on a target by its name. The answer is kept as briefly as by ID. */
export function useAuthorizeSessionByName(environment: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NamedTarget) =>
      call(at.accessSessions.authorizeByName, { params: { environment }, body }),
    gcTime: 0,
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: [environment, 'access', 'access-sessions', 'list'] });
    },
  });
}

/** The hosts in a target's host sets, sorted by name; at most 1,000 per catalog. */
export const targetHostsQuery = (environment: string, target: Pick<Target, 'id' | 'host_sources'>) =>
  queryOptions({
    queryKey: [environment, 'access', 'targets', 'hosts', target.id, target.host_sources],
    queryFn: async ({ signal }) => {
      const sets = new Set(target.host_sources.map(({ id }) => id));
      const catalogs = new Set(target.host_sources.map(({ host_catalog_id: id }) => id));
      const pages = await Promise.all(
        [...catalogs].map((catalog) =>
          call(at.hosts.list, {
            params: { environment },
            query: { host_catalog_id: catalog, page_size: 1000 },
            signal,
          }),
        ),
      );
      return pages
        .flatMap(({ items }) => items)
        .filter(({ host_set_ids: ids }) => ids.some((id) => sets.has(id)))
        .toSorted(
          (a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }) || a.id.localeCompare(b.id),
        );
    },
  });
