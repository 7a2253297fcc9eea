import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { createRecord, deleteRecord, getRecord, listRecords, updateRecord } from '#shared/access/records.ts';
import { hostCatalogs } from '#upstreams/access-controller/host-sources.ts';

export const hostCatalogOperations = resource(inAccess, {
  'hostCatalogs.list': listRecords(hostCatalogs),
  'hostCatalogs.get': getRecord(hostCatalogs),
  'hostCatalogs.create': createRecord(hostCatalogs),
  'hostCatalogs.update': updateRecord(hostCatalogs),
  'hostCatalogs.delete': deleteRecord(hostCatalogs),
});
