import { resource } from '#operation/operation.ts';
import { inBoxes } from '#shared/boxes/caller.ts';
import { organizations } from '#shared/boxes/organization-kinds.ts';
import { createRecord, deleteRecord, getRecord, updateRecord } from '#shared/boxes/records.ts';
import { listOrganizations } from './list-organizations.ts';

export const organizationOperations = resource(inBoxes, {
  'organizations.list': listOrganizations,
  'organizations.get': getRecord(organizations),
  'organizations.create': createRecord(organizations),
  'organizations.update': updateRecord(organizations),
  'organizations.delete': deleteRecord(organizations),
});
