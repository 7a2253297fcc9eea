import { resource } from '#operation/operation.ts';
import { inBoxes } from '#shared/boxes/caller.ts';
import { members } from '#shared/boxes/organization-kinds.ts';
import { createRecord, deleteRecord, updateRecord } from '#shared/boxes/records.ts';

export const memberOperations = resource(inBoxes, {
  'organizationMembers.add': createRecord(members),
  'organizationMembers.change': updateRecord(members),
  'organizationMembers.remove': deleteRecord(members),
});
