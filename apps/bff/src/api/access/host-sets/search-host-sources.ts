import type { HostSourceChoice } from '@gatehouse/api-types/console/host-sources';
import type { Operation } from '#operation/operation.ts';
import { accessCaller } from '#shared/access/caller.ts';
import { choices, containerLimit, usualLimit } from '#shared/access/source-choices.ts';
import { allOf } from '#upstreams/access-controller/collection.ts';
import { hostCatalogs, hostSets } from '#upstreams/access-controller/host-sources.ts';

export const searchHostSources: Operation<'hostSets.search'> = async (context, call) => {
  const caller = await accessCaller(context, call);
  const { scope_id, search = '', limit = usualLimit } = call.query;
  const catalogs = await allOf(hostCatalogs, caller, { scope_id }, containerLimit);
  const found = await choices(caller, catalogs, hostSets, {
    search,
    limit,
    toChoice: (set, catalog): HostSourceChoice => ({
      id: set.id,
      name: set.name,
      description: set.description,
      host_catalog_id: catalog.id,
      host_catalog_name: catalog.name,
      host_count: set.host_ids.length,
    }),
  });
  return { ...found, more: found.more || catalogs.length === containerLimit };
};
