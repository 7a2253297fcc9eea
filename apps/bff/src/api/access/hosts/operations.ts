import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { createRecord, deleteRecord, getRecord, listRecords, updateRecord } from '#shared/access/records.ts';
import { hosts } from '#upstreams/access-controller/host-sources.ts';

export const hostOperations = resource(inAccess, {
  'hosts.list': listRecords(hosts),
  'hosts.get': getRecord(hosts),
  'hosts.create': createRecord(hosts),
  'hosts.update': updateRecord(hosts),
  'hosts.delete': deleteRecord(hosts),
});
