/** Organizations and their members, where the registry lets them be managed. */
import { record, scalar, text, type RecordPolicy } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import { defineEndpoint } from '../contract.ts';
import {
  createErrors,
  environmentParams,
  finalErrors,
  guardedErrors,
  memberParams,
  ownerName,
  ownerParams,
  readErrors,
} from './box-names.ts';
import { descriptionLimit, ownerMay } from './boxes.ts';

/** What a member may do: manage it all, publish boxes, or see the private ones. */
export const memberRoles = ['owner', 'publisher', 'reader'] as const;
export const memberRole = z.enum(memberRoles);
export type MemberRole = (typeof memberRoles)[number];

export const organizationMember = z.object({
  username: z.string(),
  /** Empty where there is none. */
  full_name: z.string(),
  /** A hash of the role. */
  revision: z.string(),
  role: memberRole,
});
export type OrganizationMember = z.output<typeof organizationMember>;

export const organization = z.object({
  username: z.string(),
  /** A hash of the profile. */
  revision: z.string(),
  /** Markdown. */
  profile: z.string(),
  created_time: z.string(),
  /** By name; null for whom they are not told to. */
  members: z.nullable(z.array(organizationMember)),
  may: ownerMay,
});
export type Organization = z.output<typeof organization>;

const profile = z
  .string()
  .check(z.maxLength(descriptionLimit, `A profile has at most ${descriptionLimit} characters.`));

export const organizationFields = z.strictObject({ profile });
export type OrganizationFields = z.output<typeof organizationFields>;
export const organizationPolicy: RecordPolicy = record({ profile: text });

/** The editable fields of a stored organization. */
export function fieldsOfOrganization({ profile }: Organization): OrganizationFields {
  return { profile };
}

export const memberFields = z.strictObject({ role: memberRole });
export type MemberFields = z.output<typeof memberFields>;
export const memberPolicy: RecordPolicy = record({ role: scalar });

/** The editable fields of a stored member. */
export function fieldsOfMember({ role }: OrganizationMember): MemberFields {
  return { role };
}

const organizationPath = '/api/environments/:environment/boxes/organizations/:username';

export const listOrganizations = defineEndpoint({
  method: 'GET',
  path: '/api/environments/:environment/boxes/organizations',
  summary: 'All organizations, with what the caller may do in each',
  params: environmentParams,
  response: z.object({
    organizations: z.array(
      z.object({
        username: z.string(),
        may: ownerMay,
      }),
    ),
  }),
  errors: readErrors,
});

export const getOrganization = defineEndpoint({
  method: 'GET',
  path: organizationPath,
  summary: 'An organization with its members',
  params: ownerParams,
  response: organization,
  errors: readErrors,
});

export const newOrganization = z.strictObject({ username: ownerName, profile });
export type NewOrganization = z.output<typeof newOrganization>;

export const createOrganization = defineEndpoint({
  method: 'POST',
  path: '/api/environments/:environment/boxes/organizations',
  summary: 'Create an organization; the caller is its first owner',
  params: environmentParams,
  body: newOrganization,
  response: organization,
  audit: 'organization.create',
  errors: createErrors,
});

export const updateOrganization = defineEndpoint({
  method: 'PATCH',
  path: organizationPath,
  summary: 'Change the profile of an organization',
  params: ownerParams,
  body: organizationFields,
  response: organization,
  audit: 'organization.update',
  errors: guardedErrors,
  guarded: true,
});

export const deleteOrganization = defineEndpoint({
  method: 'DELETE',
  path: organizationPath,
  summary: 'Delete an organization that has no boxes any more',
  params: ownerParams,
  audit: 'organization.delete',
  errors: finalErrors,
  guarded: true,
  confirm: 'always',
});

export const addMember = defineEndpoint({
  method: 'POST',
  path: `${organizationPath}/members`,
  summary: 'Add a person to an organization',
  params: ownerParams,
  body: z.strictObject({ username: ownerName, role: memberRole }),
  response: organizationMember,
  audit: 'organization-member.create',
  errors: [...createErrors, 'confirmation-required'],
  confirm: 'always',
});

export const changeMember = defineEndpoint({
  method: 'PATCH',
  path: `${organizationPath}/members/:member`,
  summary: 'Give a member another role',
  params: memberParams,
  body: memberFields,
  response: organizationMember,
  audit: 'organization-member.update',
  errors: finalErrors,
  guarded: true,
  confirm: 'always',
});

export const removeMember = defineEndpoint({
  method: 'DELETE',
  path: `${organizationPath}/members/:member`,
  summary: 'Remove a person from an organization; the last owner stays',
  params: memberParams,
  audit: 'organization-member.delete',
  errors: finalErrors,
  guarded: true,
  confirm: 'always',
});
