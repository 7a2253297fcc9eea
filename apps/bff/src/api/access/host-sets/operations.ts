import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { createRecord, deleteRecord, getRecord, listRecords, updateRecord } from '#shared/access/records.ts';
import { hostSets } from '#upstreams/access-controller/host-sources.ts';
import { changeHostSetHosts } from './change-host-set-hosts.ts';
import { searchHostSources } from './search-host-sources.ts';

export const hostSetOperations = resource(inAccess, {
  'hostSets.list': listRecords(hostSets),
  'hostSets.get': getRecord(hostSets),
  'hostSets.create': createRecord(hostSets),
  'hostSets.update': updateRecord(hostSets),
  'hostSets.delete': deleteRecord(hostSets),
  'hostSets.changeHosts': changeHostSetHosts,
  'hostSets.search': searchHostSources,
});
