/** Organizations and their members, for the operations shared by the registry's records. */
import type {
  MemberFields,
  Organization,
  OrganizationFields,
  OrganizationMember,
} from '@gatehouse/api-types/console/box-organizations';
import type { Endpoints } from '@gatehouse/api-types/console/endpoints';
import type { BodyOf } from '@gatehouse/api-types/contract';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import * as upstream from '#upstreams/box-registry/management.ts';
import type { RecordKind } from './record-kind.ts';
import { notThere } from './records.ts';

type NewOrganization = BodyOf<Endpoints['organizations']['create']>;
type NewMember = BodyOf<Endpoints['organizationMembers']['add']>;

interface OrganizationPlace {
  readonly username: string;
}
interface MemberPlace extends OrganizationPlace {
  readonly member: string;
}

export const organizations: RecordKind<
  OrganizationPlace,
  Organization,
  OrganizationFields,
  object,
  NewOrganization
> = {
  kind: 'organization',
  names: ['username'],
  made: (_everywhere, { username }) => ({ username }),
  moved: (at) => at,
  read: (caller, { username }) => upstream.readOrganization(caller, username),
  create: (caller, _everywhere, fields) => upstream.createOrganization(caller, fields),
  update: (caller, { username }, { profile }) => upstream.updateOrganization(caller, username, profile),
  remove: (caller, { username }) => upstream.deleteOrganization(caller, username),
};

export const members: RecordKind<
  MemberPlace,
  OrganizationMember,
  MemberFields,
  OrganizationPlace,
  NewMember
> = {
  kind: 'organization-member',
  names: ['username', 'member'],
  made: ({ username }, { username: member }) => ({ username, member }),
  // The name's case may differ from the stored one.
  compared: ({ role }) => ({ role }),
  moved: (at) => at,
  read: readMember,
  create: async (caller, { username }, fields) =>
    memberOf(caller, await upstream.addMember(caller, username, fields), fields.username),
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
