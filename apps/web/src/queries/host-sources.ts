/** The access controller's host catalogs, host sets and hosts. */
import * as at from '@gatehouse/api-types/console/addresses/access';
import type { HostCatalogFields, HostFields, HostSetFields } from '@gatehouse/api-types/console/host-sources';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call, type Guard } from '#lib/api.ts';
import { membershipChange } from './membership-change.ts';
import { keepRecord, recordCalls } from './records.ts';

export type NewHostCatalog = HostCatalogFields & { scope_id: string };
export type NewHostSet = HostSetFields & { host_catalog_id: string };
export type NewHost = HostFields & { host_catalog_id: string };

export const hostCatalogs = recordCalls(at.hostCatalogs, [
  'host-sets',
  'hosts',
  'host-choices',
  'targets-using',
]);
export const hostSets = recordCalls(at.hostSets, ['hosts', 'host-choices', 'targets-using']);
export const hosts = recordCalls(at.hosts, ['host-sets', 'host-choices']);

/** Makes a set hold exactly these hosts: what came is added, what went is removed, both at once set the whole. */
export function useChangeHostsOfSet(environment: string, id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({
      before,
      after,
      ...guard
    }: Guard & {
      before: readonly string[];
      after: readonly string[];
    }) => {
      const { action, ids } = membershipChange(before, after);
      return call(at.hostSets.changeHosts, {
        params: { environment, id },
        ...guard,
        body: { action, host_ids: [...ids] },
      });
    },
    onSuccess: (set) => {
      keepRecord(queryClient, hostSets, environment, set);
    },
  });
}

/** Host sets of every catalog of a project that match a text; the server searches. */
export const hostChoicesQuery = (environment: string, scope: string, search: string) =>
  queryOptions({
    queryKey: [environment, 'access', 'host-choices', scope, search],
    queryFn: ({ signal }) =>
      call(at.hostSets.search, {
        params: { environment },
        query: { scope_id: scope, limit: 50, ...(search !== '' && { search }) },
        signal,
      }),
    staleTime: 10_000,
  });
