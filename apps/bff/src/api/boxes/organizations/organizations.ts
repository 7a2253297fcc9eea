/** Organizations and their members. */
import type {
  MemberFields,
  Organization,
  OrganizationFields,
  OrganizationMember,
} from '@gatehouse/api-types/console/box-organizations';
import type { Operation, Operations } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import {
  createRecord,
  deleteRecord,
  getRecord,
  notThere,
  updateRecord,
  type RecordKind,
} from '#shared/boxes/records.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import * as upstream from '#upstreams/box-registry/management.ts';

interface OrganizationPlace {
  readonly username: string;
}
interface MemberPlace extends OrganizationPlace {
  readonly member: string;
}

const organizations: RecordKind<OrganizationPlace, Organization, OrganizationFields> = {
  kind: 'organization',
  names: ['username'],
  moved: (at) => at,
  read: (caller, { username }) => upstream.readOrganization(caller, username),
  update: (caller, { username }, { profile }) => upstream.updateOrganization(caller, username, profile),
  remove: (caller, { username }) => upstream.deleteOrganization(caller, username),
};

const members: RecordKind<MemberPlace, OrganizationMember, MemberFields> = {
  kind: 'organization-member',
  names: ['username', 'member'],
  moved: (at) => at,
  read: readMember,
  update: async (caller, at, { role }) =>
    memberOf(caller, await upstream.changeMember(caller, at.username, at.member, role), at.member),
  remove: (caller, { username, member }) => upstream.removeMember(caller, username, member),
};

async function readMember(
  caller: BoxesCaller,
  { username, member }: MemberPlace,
): Promise<OrganizationMember | null> {
  const organization = await upstream.readOrganization(caller, username);
  return organization === null ? null : (find(organization, member) ?? null);
}

function find({ members: all }: Organization, name: string): OrganizationMember | undefined {
  return all?.find(({ username }) => username.toLowerCase() === name.toLowerCase());
}

function memberOf(caller: BoxesCaller, organization: Organization, name: string): OrganizationMember {
  const found = find(organization, name);
  if (found === undefined) throw notThere(caller, 'organization-member');
  return found;
}

const listOrganizations: Operation<'listOrganizations'> = async (context, call) => {
  const caller = await boxesCaller(context, call);
  const found = await upstream.listOrganizations(caller);
  if (found === null) throw notThere(caller, 'list of organizations');
  return { organizations: [...found.organizations] };
};

const createOrganization: Operation<'createOrganization'> = async (context, call) => {
  const { body, note } = call;
  const caller = await boxesCaller(context, call);
  return createRecord(organizations, caller, body, body, note, () =>
    upstream.createOrganization(caller, body),
  );
};

const addMember: Operation<'addMember'> = async (context, call) => {
  const { body, note, params } = call;
  const caller = await boxesCaller(context, call);
  const at = { username: params.username, member: body.username };
  return createRecord(members, caller, at, { role: body.role }, note, async () =>
    memberOf(caller, await upstream.addMember(caller, params.username, body), body.username),
  );
};

export const operations = {
  listOrganizations,
  getOrganization: getRecord(organizations),
  createOrganization,
  updateOrganization: updateRecord(organizations),
  deleteOrganization: deleteRecord(organizations),
  addMember,
  changeMember: updateRecord(members),
  removeMember: deleteRecord(members),
} satisfies Partial<Operations>;
