/**
 * The caller's account at the box registry: where they may publish, tokens for other clients, the second factor; and
 * organizations with their members, where the registry lets them be managed.
 */
import { record, scalar, text, type RecordPolicy } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import { defineEndpoint } from '../contract.ts';
import {
  changeErrors,
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
import { environmentId } from './service.ts';
import { password, twoFactorCode } from './session.ts';

export const boxAccount = z.object({
  username: z.string(),
  /** Owners under whose name the caller may publish, the own one first. */
  namespaces: z.array(z.object({ username: z.string(), kind: z.enum(['person', 'organization']) })),
  /** False where the registry does not tell of all of them: then another may be tried. */
  namespaces_complete: z.boolean(),
  /** Null where organizations are not managed through this registry. */
  organizations: z.nullable(z.object({ may_create: z.boolean() })),
  /** Null where the second factor is not managed through this registry. */
  two_factor: z.nullable(
    z.object({
      enabled: z.boolean(),
      /** Where codes can be sent to, made unreadable in part; null where nowhere. */
      destination: z.nullable(z.string()),
    }),
  ),
  /** The registry's address, for the commands of other clients; null where none is configured. */
  server_url: z.nullable(z.string()),
});
export type BoxAccount = z.output<typeof boxAccount>;

export const getBoxAccount = defineEndpoint({
  method: 'GET',
  path: '/api/environments/:environment/boxes/account',
  summary: "The caller's account at the registry and where they may publish",
  params: environmentParams,
  response: boxAccount,
  errors: readErrors,
});

// Tokens for other clients

const token = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter the token.'),
    z.maxLength(4096, 'The token is longer than 4096 characters.'),
    z.regex(/^[\x21-\x7e]*$/, 'A token holds no spaces and no special characters.'),
  );

export const createBoxToken = defineEndpoint({
  method: 'POST',
  path: '/api/environments/:environment/boxes/tokens',
  summary: 'Create a token for another client; it is shown once',
  params: environmentParams,
  body: z.strictObject({
    /** The password of the account that is connected: the registry asks for it. */
    password,
    /** Of the second factor, where the account has one. */
    code: z.optional(twoFactorCode),
    description: z.string().check(z.trim(), z.maxLength(200, 'A description has at most 200 characters.')),
  }),
  response: z.object({
    token: z.string(),
    token_hash: z.string(),
    description: z.string(),
    created_time: z.string(),
  }),
  audit: 'box-token.create',
  errors: [...changeErrors, 'sign-in-failed', 'two-factor-required'],
});

export const validateBoxToken = defineEndpoint({
  method: 'POST',
  path: '/api/environments/:environment/boxes/tokens/validate',
  summary: 'Whether the registry accepts a token, and whose it is',
  params: environmentParams,
  body: z.strictObject({ token }),
  response: z.object({
    valid: z.boolean(),
    /** Whose it is, where the registry tells. */
    username: z.nullable(z.string()),
    /** Whether it is the one that the console itself uses for this session. */
    own: z.boolean(),
  }),
  audit: 'box-token.validate',
  errors: readErrors,
});

export const listBoxTokens = defineEndpoint({
  method: 'GET',
  path: '/api/environments/:environment/boxes/tokens',
  summary:
    "The caller's tokens, newest first, without the tokens themselves; null where the registry does not list them",
  params: environmentParams,
  response: z.object({
    tokens: z.nullable(
      z.array(
        z.object({
          token_hash: z.string(),
          description: z.string(),
          created_time: z.string(),
          last_used_time: z.string(),
          /** Whether it is the one that the console itself uses for this session. */
          own: z.boolean(),
        }),
      ),
    ),
  }),
  errors: readErrors,
});

export const deleteBoxToken = defineEndpoint({
  method: 'POST',
  path: '/api/environments/:environment/boxes/tokens/delete',
  summary: 'Delete a token, by itself or by its hash: clients that use it are signed out',
  params: environmentParams,
  body: z.union([
    z.strictObject({ token }),
    /** As `listBoxTokens` tells it. */
    z.strictObject({ token_hash: z.string().check(z.regex(/^[0-9A-Za-z]{1,256}$/)) }),
  ]),
  /** False when there was no such token any more. */
  response: z.object({ deleted: z.boolean() }),
  audit: 'box-token.delete',
  errors: changeErrors,
});

// The second factor

export const requestTwoFactorCode = defineEndpoint({
  method: 'POST',
  path: '/api/two-factor/request-code',
  summary: 'Have a code for the second factor sent, before signing in with it',
  body: z.strictObject({
    environment: environmentId,
    login_name: z.string().check(z.trim(), z.minLength(1, 'Enter the login name.'), z.maxLength(256)),
    password,
    delivery_method: z.literal('sms'),
  }),
  /** Where it was sent, made unreadable in part: `SMS number ending in 7890`. */
  response: z.object({ destination: z.string() }),
  audit: 'box-two-factor.request-code',
  errors: [
    'invalid-request',
    'sign-in-failed',
    'rate-limited',
    'service-unavailable',
    'service-timeout',
    'bad-answer',
    'not-found',
  ],
  anonymous: true,
});

export const beginTwoFactor = defineEndpoint({
  method: 'POST',
  path: '/api/environments/:environment/boxes/two-factor/begin',
  summary:
    'Begin to set up the second factor: a secret for an authenticator, in force once a code confirms it',
  params: environmentParams,
  body: z.strictObject({
    password,
    /** Where codes can be sent to by SMS too. */
    phone: z.optional(
      z.string().check(z.trim(), z.regex(/^\+[1-9][0-9]{6,14}$/, 'Write a number such as +15551234567.')),
    ),
  }),
  response: z.object({
    /** Base32, to be typed; shown once. */
    secret: z.string(),
    /** `otpauth://totp/…`, to be scanned. */
    otpauth_url: z.string(),
  }),
  audit: 'box-two-factor.begin',
  errors: [...changeErrors, 'sign-in-failed', 'two-factor-required'],
});

export const enableTwoFactor = defineEndpoint({
  method: 'POST',
  path: '/api/environments/:environment/boxes/two-factor/enable',
  summary: 'Confirm the second factor with a code of the authenticator: from now on signing in asks for one',
  params: environmentParams,
  body: z.strictObject({ code: twoFactorCode }),
  audit: 'box-two-factor.enable',
  errors: [...changeErrors, 'sign-in-failed'],
});

export const disableTwoFactor = defineEndpoint({
  method: 'POST',
  path: '/api/environments/:environment/boxes/two-factor/disable',
  summary: 'Remove the second factor',
  params: environmentParams,
  body: z.strictObject({ password, code: twoFactorCode }),
  audit: 'box-two-factor.disable',
  errors: [...changeErrors, 'sign-in-failed', 'two-factor-required'],
});

export const resetTwoFactor = defineEndpoint({
  method: 'DELETE',
  path: '/api/environments/:environment/boxes/two-factor/:username',
  summary: 'Remove the second factor of a person who lost it; for administrators of the registry',
  params: ownerParams,
  audit: 'box-two-factor.reset',
  errors: [...changeErrors, 'confirmation-required'],
  confirm: 'always',
});

// Settings

export const organizationCreators = ['administrators', 'operators'] as const;

export const boxSettings = z.object({
  /** A hash of the settings. */
  revision: z.string(),
  /** Who may create organizations: administrators alone, or operators too. */
  organization_creators: z.enum(organizationCreators),
});
export type BoxSettings = z.output<typeof boxSettings>;

export const boxSettingsFields = z.strictObject({ organization_creators: z.enum(organizationCreators) });
export type BoxSettingsFields = z.output<typeof boxSettingsFields>;
export const boxSettingsPolicy: RecordPolicy = record({ organization_creators: scalar });

/** The editable fields of stored settings. */
export function fieldsOfBoxSettings({ organization_creators }: BoxSettings): BoxSettingsFields {
  return { organization_creators };
}

export const getBoxSettings = defineEndpoint({
  method: 'GET',
  path: '/api/environments/:environment/boxes/settings',
  summary: 'Settings of the registry, where it has any',
  params: environmentParams,
  response: boxSettings,
  errors: readErrors,
});

export const updateBoxSettings = defineEndpoint({
  method: 'PUT',
  path: '/api/environments/:environment/boxes/settings',
  summary: 'Change the settings of the registry',
  params: environmentParams,
  body: boxSettingsFields,
  response: boxSettings,
  audit: 'box-settings.update',
  errors: finalErrors,
  guarded: true,
  confirm: 'always',
});

// Organizations

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
