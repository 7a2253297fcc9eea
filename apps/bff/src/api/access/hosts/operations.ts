import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { createRecord, deleteRecord, getRecord, listRecords, updateRecord } from '#shared/access/records.ts';
import { hosts } from '#upstreams/access-controller/host-sources.ts';

export const hostOperations = resource(inAccess, {
  listHosts: listRecords(hosts),
  getHost: getRecord(hosts),
  createHost: createRecord(hosts),
  updateHost: updateRecord(hosts),
  deleteHost: deleteRecord(hosts),
});
