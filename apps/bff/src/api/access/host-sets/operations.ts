import { createRecord, deleteRecord, getRecord, listRecords, updateRecord } from '#shared/access/records.ts';
import { hostCatalogs, hosts, hostSets } from '#upstreams/access-controller/host-sources.ts';

export const hostSourceOperations = {
  listHostCatalogs: listRecords(hostCatalogs),
  getHostCatalog: getRecord(hostCatalogs),
  createHostCatalog: createRecord(hostCatalogs),
  updateHostCatalog: updateRecord(hostCatalogs),
  deleteHostCatalog: deleteRecord(hostCatalogs),
  listHostSets: listRecords(hostSets),
  getHostSet: getRecord(hostSets),
  createHostSet: createRecord(hostSets),
  updateHostSet: updateRecord(hostSets),
  deleteHostSet: deleteRecord(hostSets),
  listHosts: listRecords(hosts),
  getHost: getRecord(hosts),
  createHost: createRecord(hosts),
  updateHost: updateRecord(hosts),
  deleteHost: deleteRecord(hosts),
};
