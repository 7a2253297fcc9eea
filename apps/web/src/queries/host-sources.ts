/** The access controller's host catalogs, host sets and hosts. */
import {
  changeHostSetHosts,
  createHost,
  createHostCatalog,
  createHostSet,
  deleteHost,
  deleteHostCatalog,
  deleteHostSet,
  getHost,
  getHostCatalog,
  getHostSet,
  listHostCatalogs,
  listHosts,
  listHostSets,
  searchHostSources,
  updateHost,
  updateHostCatalog,
  updateHostSet,
  type Host,
  type HostCatalog,
  type HostCatalogFields,
  type HostFields,
  type HostSet,
  type HostSetFields,
} from '@gatehouse/api-types/console/host-sources';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { globalScope } from './global-scope.ts';
import { membershipChange } from './membership-change.ts';
import type { LifeCalls, RecordCalls } from './records.ts';

const pageSize = 1000;
const pageOf = (token: string | undefined) => ({
  page_size: pageSize,
  ...(token !== undefined && { page_token: token }),
});

export type NewHostCatalog = HostCatalogFields & { scope_id: string };
export type NewHostSet = HostSetFields & { host_catalog_id: string };
export type NewHost = HostFields & { host_catalog_id: string };

export const hostCatalogs: RecordCalls<HostCatalog, NewHostCatalog, Partial<HostCatalogFields>> = {
  key: 'host-catalogs',
  touches: ['host-sets', 'hosts', 'host-choices', 'targets-using'],
  get: (environment, id, context) => call(getHostCatalog, { params: { environment, id }, ...context }),
  list: (environment, scope, token, context) =>
    call(listHostCatalogs, {
      params: { environment },
      query: { scope_id: scope, ...(scope === globalScope && { recursive: true }), ...pageOf(token) },
      ...context,
    }),
  create: (environment, body) => call(createHostCatalog, { params: { environment }, body }),
  update: (environment, id, revision, body) =>
    call(updateHostCatalog, { params: { environment, id }, revision, body }),
  remove: async (environment, id, revision) => {
    await call(deleteHostCatalog, { params: { environment, id }, revision });
  },
};

export const hostSets: RecordCalls<HostSet, NewHostSet, Partial<HostSetFields>> = {
  key: 'host-sets',
  touches: ['hosts', 'host-choices', 'targets-using'],
  get: (environment, id, context) => call(getHostSet, { params: { environment, id }, ...context }),
  list: (environment, catalog, token, context) =>
    call(listHostSets, {
      params: { environment },
      query: { host_catalog_id: catalog, ...pageOf(token) },
      ...context,
    }),
  create: (environment, body) => call(createHostSet, { params: { environment }, body }),
  update: (environment, id, revision, body) =>
    call(updateHostSet, { params: { environment, id }, revision, body }),
  remove: async (environment, id, revision) => {
    await call(deleteHostSet, { params: { environment, id }, revision });
  },
};

export const hosts: RecordCalls<Host, NewHost, Partial<HostFields>> = {
  key: 'hosts',
  touches: ['host-sets', 'host-choices'],
  get: (environment, id, context) => call(getHost, { params: { environment, id }, ...context }),
  list: (environment, catalog, token, context) =>
    call(listHosts, {
      params: { environment },
      query: { host_catalog_id: catalog, ...pageOf(token) },
      ...context,
    }),
  create: (environment, body) => call(createHost, { params: { environment }, body }),
  update: (environment, id, revision, body) =>
    call(updateHost, { params: { environment, id }, revision, body }),
  remove: async (environment, id, revision) => {
    await call(deleteHost, { params: { environment, id }, revision });
  },
};

/** What a set is to hold, over what it held. */
export interface HostsChange {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Host sets of which the hosts are changed: some added, some removed, or both at once as the whole set. */
export const hostsOfSets: LifeCalls<HostSet, never, HostsChange> = {
  ...hostSets,
  update: (environment, id, revision, { before, after }) => {
    const { action, ids } = membershipChange(before, after);
    return call(changeHostSetHosts, {
      params: { environment, id },
      revision,
      body: { action, host_ids: [...ids] },
    });
  },
};

/** Host sets of every catalog of a project that match a text; the server searches. */
export const hostChoicesQuery = (environment: string, scope: string, search: string) =>
  queryOptions({
    queryKey: [environment, 'access', 'host-choices', scope, search],
    queryFn: ({ signal }) =>
      call(searchHostSources, {
        params: { environment },
        query: { scope_id: scope, limit: 50, ...(search !== '' && { search }) },
        signal,
      }),
    staleTime: 10_000,
  });
