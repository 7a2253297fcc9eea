/** Organizations and their members, if the registry supports managing them. */
import * as z from 'zod/mini';
import { defineEndpoint, defineRecord, defineResource } from '../contract.ts';
import * as at from './addresses/boxes.ts';
import { memberParams, ownerName, ownerParams } from './box-names.ts';
import { descriptionLimit, ownerMay } from './boxes.ts';
import { asText, policyOf } from './field-kinds.ts';
import { createErrors, environmentParams, guardedErrors, readErrors } from './registries.ts';

/** Owners manage everything, publishers publish boxes, readers see private ones. */
export const memberRoles = ['owner', 'publisher', 'reader'] as const;
export const memberRole = z.enum(memberRoles);
export type MemberRole = (typeof memberRoles)[number];

export const organizationMember = z.object({
  username: z.string(),
  /** Empty if the member has none. */
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
  /** Members by name; null if the caller can't see them. */
  members: z.nullable(z.array(organizationMember)),
  may: ownerMay,
});
export type Organization = z.output<typeof organization>;

const profile = asText(
  z
    .string()
    .check(z.maxLength(descriptionLimit, `A profile must be ${descriptionLimit} characters or fewer.`)),
);

export const organizationFields = z.strictObject({ profile });
export type OrganizationFields = z.output<typeof organizationFields>;
export const organizationPolicy = policyOf(organizationFields);

/** The editable fields of a stored organization. */
export function fieldsOfOrganization({ profile }: Organization): OrganizationFields {
  return { profile };
}

export const memberFields = z.strictObject({ role: memberRole });
export type MemberFields = z.output<typeof memberFields>;
export const memberPolicy = policyOf(memberFields);

export const newMember = z.strictObject({ username: ownerName, role: memberRole });

/** The editable fields of a stored member. */
export function fieldsOfMember({ role }: OrganizationMember): MemberFields {
  return { role };
}

export const newOrganization = z.strictObject({ username: ownerName, profile });
export type NewOrganization = z.output<typeof newOrganization>;

export const organizations = defineResource(() => ({
  ...defineRecord(at.organizations, {
    place: environmentParams,
    one: ownerParams,
    record: organization,
    fields: newOrganization,
    changes: organizationFields,
    get: { summary: 'An organization with its members', errors: readErrors },
    create: { summary: 'Create an organization; the caller becomes its first owner', errors: createErrors },
    update: { summary: 'Change the profile of an organization', errors: guardedErrors },
    delete: {
      summary: 'Delete an organization without boxes',
      errors: guardedErrors,
    },
  }),
  list: defineEndpoint(at.organizations.list, {
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
  }),
}));

export const organizationMembers = defineResource(() => ({
  add: defineEndpoint(at.organizationMembers.add, {
    summary: 'Add a user to an organization',
    params: ownerParams,
    body: newMember,
    response: organizationMember,
    errors: createErrors,
  }),
  change: defineEndpoint(at.organizationMembers.change, {
    summary: 'Change the role of a member',
    params: memberParams,
    body: memberFields,
    response: organizationMember,
    errors: guardedErrors,
    guarded: true,
  }),
  remove: defineEndpoint(at.organizationMembers.remove, {
    summary: 'Remove a user from an organization; the last owner stays',
    params: memberParams,
    errors: guardedErrors,
    guarded: true,
  }),
}));
