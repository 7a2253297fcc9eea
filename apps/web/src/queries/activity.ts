/** The audit trail of an environment. */
import type { ActivityEntry } from '@gatehouse/api-types/console/activity';
import * as at from '@gatehouse/api-types/console/addresses/activity';
import type { Endpoints } from '@gatehouse/api-types/console/endpoints';
import type { QueryOf } from '@gatehouse/api-types/contract';
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { call, download } from '#lib/api.ts';

/** Filters of the trail. */
export type ActivityFilters = QueryOf<Endpoints['activity']['export']>;

const rowsOfPage = 100;

/** The trail, newest first, in pages. */
export const activityQuery = (environment: string, filters: ActivityFilters) =>
  infiniteQueryOptions({
    queryKey: [environment, 'activity', 'list', filters],
    queryFn: ({ signal, pageParam }) =>
      call(at.activity.list, {
        params: { environment },
        query: {
          ...filters,
          page_size: rowsOfPage,
          ...(pageParam !== '' && { page_token: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_page_token: token }) => token ?? null,
    staleTime: 10_000,
  });

/** The number of entries over time. @param zone the one whose days count */
export const activityHistogramQuery = (
  environment: string,
  filters: ActivityFilters,
  zone: 'local' | 'utc',
) =>
  queryOptions({
    queryKey: [environment, 'activity', 'histogram', filters, zone],
    queryFn: ({ signal }) =>
      call(at.activity.histogram, {
        params: { environment },
        query: { ...filters, utc_offset: zone === 'utc' ? 0 : -new Date().getTimezoneOffset() },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });

/** The newest entries of a record. */
export const recordActivityQuery = (environment: string, resource: string) =>
  queryOptions({
    queryKey: [environment, 'activity', 'record', resource],
    queryFn: ({ signal }) =>
      call(at.activity.list, {
        params: { environment },
        query: { resource_id: resource, page_size: 10 },
        signal,
      }),
    staleTime: 0,
  });

/** The newest entries of a person. @param person the account's ID */
export const personActivityQuery = (environment: string, person: string) =>
  queryOptions({
    queryKey: [environment, 'activity', 'person', person],
    queryFn: ({ signal }) =>
      call(at.activity.list, { params: { environment }, query: { person, page_size: 8 }, signal }),
    staleTime: 10_000,
  });

/** The last time that a person's action succeeded in an environment; null if none is recorded. */
export const lastActionQuery = (environment: string, person: string, action: string) =>
  queryOptions({
    queryKey: [environment, 'activity', 'last', person, action],
    queryFn: async ({ signal }) => {
      const query = { person, action, outcome: 'succeeded', page_size: 1 } as const;
      return (await call(at.activity.list, { params: { environment }, query, signal })).items[0] ?? null;
    },
    staleTime: 10_000,
  });

/** Which of these actions the user has carried out in an environment. */
export const ownActionsQuery = (environment: string, actions: readonly string[]) =>
  queryOptions({
    queryKey: [environment, 'activity', 'own', actions],
    queryFn: async ({ signal }) => {
      let missing = actions;
      // Usually once: again only if a page is full and has found some, for the others.
      for (;;) {
        const query = { mine: true, action: missing.join(','), outcome: 'succeeded' } as const;
        const page = await call(at.activity.list, { params: { environment }, query, signal });
        const found = new Set(page.items.map(({ action }) => action));
        missing = missing.filter((action) => !found.has(action));
        if (missing.length === 0 || found.size === 0 || page.next_page_token === undefined)
          return actions.filter((action) => !missing.includes(action));
      }
    },
    staleTime: 10_000,
  });

/** The number of entries with an unknown outcome that are read. */
export const unknownRows = 100;

/** Entries with an unknown outcome, newest first. */
export const unknownActivityQuery = (environment: string) =>
  queryOptions({
    queryKey: [environment, 'activity', 'unknown'],
    queryFn: async ({ signal }) => {
      const page = await call(at.activity.list, {
        params: { environment },
        query: { outcome: 'unknown', page_size: unknownRows },
        signal,
      });
      return page.items;
    },
    staleTime: 10_000,
  });

export const activityEntryQuery = (environment: string, sequence: string) =>
  queryOptions({
    queryKey: [environment, 'activity', 'one', sequence],
    queryFn: ({ signal }) => call(at.activity.get, { params: { environment, sequence }, signal }),
  });

/** Has the console read whether a change was made. If that is unknown, what the user `said` is recorded. */
export function useSettleActivity(environment: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ sequence, said }: Pick<ActivityEntry, 'sequence'> & { said?: 'succeeded' | 'failed' }) =>
      call(at.activity.settle, {
        params: { environment, sequence: String(sequence) },
        body: said && { said },
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [environment, 'activity'] }),
  });
}

/** Verifies the hash chain of the whole trail: about 4,000 entries per second on a busy machine. */
export function useVerifyActivity(environment: string) {
  return useMutation({
    mutationFn: () => call(at.activity.verify, { params: { environment }, silenceMs: 15 * 60_000 }),
  });
}

/** Exports the selected entries as a file, one entry per line. */
export function useExportActivity(environment: string) {
  return useMutation({
    mutationFn: (filters: ActivityFilters) =>
      download(at.activity.export, { params: { environment }, query: filters }),
  });
}
