import { targets } from '../../upstreams/access-controller/targets.ts';
import { createRecord, deleteRecord, listRecords, updateRecord } from './records.ts';

export const targetOperations = {
  listTargets: listRecords(targets),
  createTarget: createRecord(targets),
  // Some controllers store the address of a stale update and refuse only the rest.
  updateTarget: updateRecord(targets, ({ address }) => address !== undefined),
  deleteTarget: deleteRecord(targets),
};
