import { resource, type Operation } from '#operation/operation.ts';
import { readOwner } from '#upstreams/box-registry/boxes.ts';
import {
  listOrganizations as list,
  notManaged,
  mayIn,
  readNamespace,
} from '#upstreams/box-registry/management.ts';
import { inBoxes, boxesCaller } from './caller.ts';
import { organizations, members } from './organization-kinds.ts';
import { createRecord, deleteRecord, getRecord, updateRecord } from './records.ts';

const getOwner: Operation<'boxOwners.get'> = async (context, call) => {
  const caller = await boxesCaller(context, call);
  const { username } = call.params;
  const [owner, namespace, may] = await Promise.all([
    readOwner(caller, username),
    readNamespace(caller, username),
    mayIn(caller, username),
  ]);
  return { ...owner, kind: namespace?.kind ?? null, may };
};

const listOrganizations: Operation<'organizations.list'> = async (context, call) => {
  const caller = await boxesCaller(context, call);
  const found = await list(caller);
  if (found === null) throw notManaged(caller);
  return { organizations: [...found.organizations] };
};

export const ownerOperations = resource(inBoxes, {
  'boxOwners.get': getOwner,
  'organizations.list': listOrganizations,
  'organizations.get': getRecord(organizations),
  'organizations.create': createRecord(organizations),
  'organizations.update': updateRecord(organizations),
  'organizations.delete': deleteRecord(organizations),
  'organizationMembers.add': createRecord(members),
  'organizationMembers.change': updateRecord(members),
  'organizationMembers.remove': deleteRecord(members),
});
