import { resource } from '#operation/operation.ts';
import { inBoxes } from '../caller.ts';
import { members } from '../organization-kinds.ts';
import { createRecord, deleteRecord, updateRecord } from '../records.ts';

export const memberOperations = resource(inBoxes, {
  'organizationMembers.add': createRecord(members),
  'organizationMembers.change': updateRecord(members),
  'organizationMembers.remove': deleteRecord(members),
});
