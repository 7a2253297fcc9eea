import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { createRecord, deleteRecord, getRecord, listRecords, updateRecord } from '#shared/access/records.ts';
import { hostCatalogs } from '#upstreams/access-controller/host-sources.ts';

export const hostCatalogOperations = resource(inAccess, {
  listHostCatalogs: listRecords(hostCatalogs),
  getHostCatalog: getRecord(hostCatalogs),
  createHostCatalog: createRecord(hostCatalogs),
  updateHostCatalog: updateRecord(hostCatalogs),
  deleteHostCatalog: deleteRecord(hostCatalogs),
});
