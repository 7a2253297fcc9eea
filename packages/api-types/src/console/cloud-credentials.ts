/** What a cloud role issues: credentials, shown once, and their leases. */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/cloud.ts';
import { cloudRoleParams } from './cloud-roles.ts';
import { secondsOf, sessionNameLimit } from './cloud-values.ts';
import { asSecret } from './field-kinds.ts';
import { changeErrors, readErrors } from './secret-names.ts';

/** What is asked for; what is left out is up to the role. */
export const credentialRequest = z.strictObject({
  /** Which of the server's two addresses: they differ for legacy roles alone. */
  from: z.enum(['creds', 'sts']),
  role_arn: z.optional(z.string().check(z.trim(), z.maxLength(2048))),
  role_session_name: z.optional(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(sessionNameLimit, `A session name must be ${sessionNameLimit} characters or fewer.`),
        z.regex(/^[\w+=,.@-]*$/, 'A session name can only contain letters, digits and + = , . @ _ -'),
      ),
  ),
  ttl: z.optional(
    z.string().check(
      z.trim(),
      z.refine((text) => (secondsOf(text) ?? 0) > 0, 'Enter a duration such as 15m or 1h.'),
    ),
  ),
});
export type CredentialRequest = z.input<typeof credentialRequest>;

export const cloudCredential = z.object({
  access_key: z.string(),
  secret_key: asSecret(z.string()),
  /** Null for an IAM user. */
  security_token: z.nullable(asSecret(z.string())),
  /** Of the assumed role; empty for others. */
  arn: z.string(),
  /** Empty where the server gave no lease. */
  lease_id: z.string(),
  renewable: z.boolean(),
  issued_time: z.string(),
  /** When the lease (or what the provider issued) ends. */
  expire_time: z.string(),
});
export type CloudCredential = z.output<typeof cloudCredential>;

export const cloudCredentials = defineResource(() => ({
  generate: defineEndpoint(at.cloudCredentials.generate, {
    summary: 'Generate credentials; they are shown once',
    params: cloudRoleParams,
    body: credentialRequest,
    response: cloudCredential,
    errors: changeErrors,
  }),
}));

export const cloudLease = z.object({
  id: z.string(),
  issue_time: z.string(),
  /** Empty where it doesn't end by itself. */
  expire_time: z.string(),
  /** Empty where it never was. */
  last_renewal_time: z.string(),
  renewable: z.boolean(),
});
export type CloudLease = z.output<typeof cloudLease>;

/** Leases that are read of a role at most. */
export const leaseLimit = 500;

const leaseIds = z
  .array(z.string().check(z.minLength(1), z.maxLength(512)))
  .check(z.minLength(1, 'Choose at least one lease.'), z.maxLength(leaseLimit));

/** What became of each lease that was asked about. */
const outcome = z.object({
  /** Those that ended. */
  revoked: z.array(z.string()),
  failed: z.array(z.object({ id: z.string(), message: z.string() })),
});

export const cloudLeases = defineResource(() => ({
  list: defineEndpoint(at.cloudLeases.list, {
    summary: 'Up to 500 leases of a role, those that end first at the top',
    params: cloudRoleParams,
    response: z.object({
      /** Null where the caller may not list them. Where there are more, not necessarily those that expire first of all. */
      items: z.nullable(z.array(cloudLease)),
      /** How many there are, also beyond those that were read. */
      total: z.int(),
    }),
    errors: readErrors,
  }),
  renew: defineEndpoint(at.cloudLeases.renew, {
    summary: 'Renew the lease of an IAM user',
    params: cloudRoleParams,
    body: z.strictObject({
      lease_id: z.string().check(z.minLength(1), z.maxLength(512)),
      increment: z.optional(
        z.string().check(
          z.trim(),
          z.refine((text) => (secondsOf(text) ?? 0) > 0, 'Enter a duration such as 15m or 1h.'),
        ),
      ),
    }),
    response: cloudLease,
    errors: changeErrors,
  }),
  revoke: defineEndpoint(at.cloudLeases.revoke, {
    summary: 'Revoke leases; their credentials are deleted at the provider if possible',
    params: cloudRoleParams,
    body: z.strictObject({ lease_ids: leaseIds }),
    response: outcome,
    errors: changeErrors,
  }),
  revokeAll: defineEndpoint(at.cloudLeases.revokeAll, {
    summary: 'Revoke every lease of a role',
    params: cloudRoleParams,
    errors: changeErrors,
  }),
}));
