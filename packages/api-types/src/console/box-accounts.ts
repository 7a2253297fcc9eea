/**
 * The caller's account at the box registry: where they may publish, tokens for other clients, the second factor; and
 * the settings of the registry.
 */
import { record, scalar, type RecordPolicy } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import { defineEndpoint } from '../contract.ts';
import { changeErrors, environmentParams, finalErrors, ownerParams, readErrors } from './box-names.ts';
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
  /** Whether the caller administers the registry: changes its settings, resets the second factor of others. */
  may_change: z.boolean(),
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
