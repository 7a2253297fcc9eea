/** The access controller's host catalogs, host sets and hosts. */
import * as at from '@gatehouse/api-types/console/addresses/access';
import type {
  HostCatalogFields,
  HostFields,
  HostSet,
  HostSetFields,
} from '@gatehouse/api-types/console/host-sources';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { membershipChange } from './membership-change.ts';
import { recordCalls, type LifeCalls } from './records.ts';

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

/** The hosts of a set before and after a change. */
export interface HostsChange {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Host sets whose update changes only their hosts: adds or removes some, or replaces all. */
export const hostsOfSets: LifeCalls<HostSet, never, HostsChange> = {
  ...hostSets,
  update: (environment, id, guard, { before, after }) => {
    const { action, ids } = membershipChange(before, after);
    return call(at.hostSets.changeHosts, {
      params: { environment, id },
      ...guard,
      body: { action, host_ids: [...ids] },
    });
  },
};

/** Host sets of all catalogs in a project that match a text. The server searches. */
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
