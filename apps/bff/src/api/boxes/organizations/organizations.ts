import { resource, type Operation } from '#operation/operation.ts';
import { listOrganizations as list, notManaged } from '#upstreams/box-registry/management.ts';
import { inBoxes, boxesCaller } from '../caller.ts';
import { organizations } from '../organization-kinds.ts';
import { createRecord, deleteRecord, getRecord, updateRecord } from '../records.ts';

const listOrganizations: Operation<'organizations.list'> = async (context, call) => {
  const caller = await boxesCaller(context, call);
  const found = await list(caller);
  if (found === null) throw notManaged(caller);
  return { organizations: [...found.organizations] };
};

export const organizationOperations = resource(inBoxes, {
  'organizations.list': listOrganizations,
  'organizations.get': getRecord(organizations),
  'organizations.create': createRecord(organizations),
  'organizations.update': updateRecord(organizations),
  'organizations.delete': deleteRecord(organizations),
});
