import { linked } from '#shared/access/linked-targets.ts';
import { createRecord, deleteRecord, getRecord, listRecords, updateRecord } from '#shared/access/records.ts';
import { targets } from '#upstreams/access-controller/targets.ts';

export const targetOperations = {
  listTargets: listRecords(targets),
  getTarget: linked(getRecord(targets)),
  createTarget: createRecord(targets),
  // Some controllers store the address of a stale update and refuse only the rest.
  updateTarget: linked(updateRecord(targets, { readFirst: ({ address }) => address !== undefined })),
  deleteTarget: deleteRecord(targets),
};
