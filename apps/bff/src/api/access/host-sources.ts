import type { HostSourceChoice } from '@gatehouse/api-types/console/host-sources';
import { guardedWrite } from '#conflict/guarded-write.ts';
import { resource, type Operation, audited } from '#operation/operation.ts';
import { allOf } from '#upstreams/access-controller/collection.ts';
import { hostCatalogs, hosts, hostSets } from '#upstreams/access-controller/host-sources.ts';
import { changed, hasMembers } from './became.ts';
import { inAccess, accessCaller } from './caller.ts';
import { holdsChange } from './membership.ts';
import { collectionOperations } from './records.ts';
import { choices, containerLimit, usualLimit } from './source-choices.ts';
import { storedRecord, versionOf } from './stored-record.ts';

const changeHostSetHosts: Operation<'hostSets.changeHosts'> = audited(
  { became: changed(hostSets, hasMembers('host_ids')) },
  async (context, call) => {
    const { body, params, revision, note } = call;
    const version = versionOf(revision);
    const caller = await accessCaller(context, call);
    return guardedWrite({
      ...storedRecord(hostSets, caller, params.id, note),
      expected: revision,
      send: () =>
        hostSets.act(caller, params.id, `${body.action}-hosts`, { version, host_ids: body.host_ids }),
      equalsSent: ({ host_ids }) => holdsChange(host_ids, body.action, body.host_ids),
      // Otherwise, adding a host that someone else has just added would be refused as a duplicate, not as a conflict.
      readFirst: true,
    });
  },
);

const searchHostSources: Operation<'hostSets.search'> = async (context, call) => {
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

export const hostSourceOperations = resource(inAccess, {
  ...collectionOperations('hostCatalogs', hostCatalogs),
  ...collectionOperations('hosts', hosts),
  ...collectionOperations('hostSets', hostSets),
  'hostSets.changeHosts': changeHostSetHosts,
  'hostSets.search': searchHostSources,
});
