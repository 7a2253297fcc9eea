/**
 * The caller's account at the box registry (where they can publish, tokens for other clients, second factor), and the
 * registry's settings.
 */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/boxes.ts';
import { atMost } from './at-most.ts';
import { ownerParams } from './box-names.ts';
import { asSecret, policyOf } from './field-kinds.ts';
import { line } from './line.ts';
import { changeErrors, environmentParams, guardedErrors, readErrors } from './registries.ts';
import { environmentId } from './service.ts';
import { password, twoFactorCode } from './session.ts';

export const boxAccount = z.object({
  username: z.string(),
  /** Owners under which the caller can publish, their own first. */
  namespaces: z.array(z.object({ username: z.string(), kind: z.enum(['person', 'organization']) })),
  /** False if the registry doesn't report all of them; others may work too. */
  namespaces_complete: z.boolean(),
  /** Null if organizations aren't managed through this registry. */
  organizations: z.nullable(z.object({ may_create: z.boolean() })),
  /** Null if the second factor isn't managed through this registry. */
  two_factor: z.nullable(
    z.object({
      enabled: z.boolean(),
      /** Where codes can be sent, partly masked; null if nowhere. */
      destination: z.nullable(z.string()),
    }),
  ),
  /** Whether the registry supports several architectures per provider. */
  knows_architectures: z.boolean(),
  /** The registry's address for other clients' commands; null if not configured. */
  server_url: z.nullable(z.string()),
});
export type BoxAccount = z.output<typeof boxAccount>;

// Tokens for other clients

const token = asSecret(
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Enter the token.'),
      atMost(4096, 'The token is longer than 4,096 characters.'),
      z.regex(/^[\x21-\x7e]*$/, 'A token can only contain printable ASCII characters, without spaces.'),
    ),
);

// The second factor

// Settings

export const organizationCreators = ['administrators', 'operators'] as const;

export const boxSettings = z.object({
  /** A hash of the settings. */
  revision: z.string(),
  /** Who can create organizations: only administrators, or also operators. */
  organization_creators: z.enum(organizationCreators),
  /** Whether the caller administers the registry: changes settings, resets other users' second factor. */
  may_change: z.boolean(),
});
export type BoxSettings = z.output<typeof boxSettings>;

export const boxSettingsFields = z.strictObject({ organization_creators: z.enum(organizationCreators) });
export type BoxSettingsFields = z.output<typeof boxSettingsFields>;
export const boxSettingsPolicy = policyOf(boxSettingsFields);

/** The editable fields of stored settings. */
export function fieldsOfBoxSettings({ organization_creators }: BoxSettings): BoxSettingsFields {
  return { organization_creators };
}

export const boxAccountEndpoints = defineResource(() => ({
  get: defineEndpoint(at.boxAccount.get, {
    summary: "The caller's account at the registry and where they may publish",
    params: environmentParams,
    response: boxAccount,
    errors: readErrors,
  }),
}));

export const boxTokens = defineResource(() => ({
  create: defineEndpoint(at.boxTokens.create, {
    summary: 'Create a token for another client; it is shown once',
    params: environmentParams,
    body: z.strictObject({
      /** The password of the connected account, which the registry requires. */
      password,
      /** A code of the second factor, if the account has one. */
      code: z.optional(twoFactorCode),
      description: line('A description', 200),
    }),
    response: z.object({
      token: z.string(),
      token_hash: z.string(),
      description: z.string(),
      created_time: z.string(),
    }),
    errors: [...changeErrors, 'sign-in-failed', 'two-factor-required'],
  }),
  validate: defineEndpoint(at.boxTokens.validate, {
    summary: 'Whether the registry accepts a token, and whose it is',
    params: environmentParams,
    body: z.strictObject({ token }),
    response: z.object({
      valid: z.boolean(),
      /** The token's owner, if the registry reports it. */
      username: z.nullable(z.string()),
      /** Whether the console uses this token for the current session. */
      own: z.boolean(),
    }),
    errors: readErrors,
  }),
  list: defineEndpoint(at.boxTokens.list, {
    summary:
      "The caller's tokens, newest first, without their values; null if the registry doesn't list them",
    params: environmentParams,
    response: z.object({
      tokens: z.nullable(
        z.array(
          z.object({
            token_hash: z.string(),
            description: z.string(),
            created_time: z.string(),
            last_used_time: z.string(),
            /** Whether the console uses this token for the current session. */
            own: z.boolean(),
          }),
        ),
      ),
    }),
    errors: readErrors,
  }),
  delete: defineEndpoint(at.boxTokens.delete, {
    summary: 'Delete a token, given as the token or its hash; clients that use it are signed out',
    params: environmentParams,
    body: z.union([
      z.strictObject({ token }),
      /** As returned by `boxTokens.list`. */
      z.strictObject({ token_hash: z.string().check(z.regex(/^[0-9A-Za-z]{1,256}$/)) }),
    ]),
    /** False if the token no longer existed. */
    response: z.object({ deleted: z.boolean() }),
    errors: changeErrors,
  }),
}));

export const boxTwoFactor = defineResource(() => ({
  requestCode: defineEndpoint(at.boxTwoFactor.requestCode, {
    summary: 'Send a second-factor code, before signing in with it',
    body: z.strictObject({
      environment: environmentId,
      login_name: z.string().check(z.trim(), z.minLength(1, 'Enter the login name.'), z.maxLength(256)),
      password,
      delivery_method: z.literal('sms'),
    }),
    /** Where the code was sent, partly masked: `SMS number ending in 7890`. */
    response: z.object({ destination: z.string() }),
    errors: [
      'invalid-request',
      'sign-in-failed',
      'no-access',
      'rate-limited',
      'service-unavailable',
      'service-timeout',
      'bad-answer',
      'not-found',
    ],
  }),
  begin: defineEndpoint(at.boxTwoFactor.begin, {
    summary:
      'Set up the second factor: returns a secret for an authenticator, effective once a code confirms it',
    params: environmentParams,
    body: z.strictObject({
      password,
      /** Where codes can also be sent by SMS. */
      phone: z.optional(
        z
          .string()
          .check(
            z.trim(),
            z.regex(
              /^\+[1-9][0-9]{6,14}$/,
              'Enter a phone number with its country code, such as +15551234567.',
            ),
          ),
      ),
    }),
    response: z.object({
      /** Base32 for manual entry; shown once. */
      secret: z.string(),
      /** `otpauth://totp/…` for a QR code. */
      otpauth_url: z.string(),
    }),
    errors: [...changeErrors, 'sign-in-failed', 'two-factor-required'],
  }),
  enable: defineEndpoint(at.boxTwoFactor.enable, {
    summary: 'Confirm the second factor with a code from the authenticator; signing in then requires one',
    params: environmentParams,
    body: z.strictObject({ code: twoFactorCode }),
    errors: [...changeErrors, 'sign-in-failed'],
  }),
  disable: defineEndpoint(at.boxTwoFactor.disable, {
    summary: 'Remove the second factor',
    params: environmentParams,
    body: z.strictObject({ password, code: twoFactorCode }),
    errors: [...changeErrors, 'sign-in-failed', 'two-factor-required'],
  }),
  reset: defineEndpoint(at.boxTwoFactor.reset, {
    summary: 'Remove the second factor of a user who lost it; for administrators of the registry',
    params: ownerParams,
    errors: changeErrors,
  }),
}));

export const boxSettingsEndpoints = defineResource(() => ({
  get: defineEndpoint(at.boxSettings.get, {
    summary: 'Settings of the registry, if it has any',
    params: environmentParams,
    response: boxSettings,
    errors: readErrors,
  }),
  update: defineEndpoint(at.boxSettings.update, {
    summary: 'Change the settings of the registry',
    params: environmentParams,
    body: boxSettingsFields,
    response: boxSettings,
    errors: guardedErrors,
    guarded: true,
  }),
}));
