/** Credentials that a cloud role issues, shown once, and their leases. */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/cloud.ts';
import { atMost } from './at-most.ts';
import { cloudRoleParams } from './cloud-roles.ts';
import { secondsOf, sessionNameLimit } from './cloud-values.ts';
import { asSecret } from './field-kinds.ts';
import { changeErrors, readErrors } from './secret-names.ts';

/** The requested parameters; the role decides those left out. */
export const credentialRequest = z.strictObject({
  /** Which of the server's two endpoints is called; they differ only for legacy roles. */
  from: z.enum(['creds', 'sts']),
  role_arn: z.optional(z.string().check(z.trim(), z.maxLength(2048))),
  role_session_name: z.optional(
    z
      .string()
      .check(
        z.trim(),
        atMost(sessionNameLimit, `A session name must be ${sessionNameLimit} characters or fewer.`),
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
  /** Of the assumed role; empty for other types. */
  arn: z.string(),
  /** Empty if the server issued no lease. */
  lease_id: z.string(),
  renewable: z.boolean(),
  issued_time: z.string(),
  /** When the lease, or the provider's credentials, expire. */
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
  /** Empty if it doesn't expire. */
  expire_time: z.string(),
  /** Empty if it was never renewed. */
  last_renewal_time: z.string(),
  renewable: z.boolean(),
});
export type CloudLease = z.output<typeof cloudLease>;

/** Most leases of a role that are read. */
export const leaseLimit = 500;

const leaseIds = z
  .array(z.string().check(z.minLength(1), z.maxLength(512)))
  .check(z.minLength(1, 'Choose at least one lease.'), z.maxLength(leaseLimit));

/** The outcome for each requested lease. */
const outcome = z.object({
  /** Leases that ended. */
  revoked: z.array(z.string()),
  failed: z.array(z.object({ id: z.string(), message: z.string() })),
});

export const cloudLeases = defineResource(() => ({
  list: defineEndpoint(at.cloudLeases.list, {
    summary: 'Up to 500 leases of a role, sorted by expiration time',
    params: cloudRoleParams,
    response: z.object({
      /**
       * Null if the caller can't list them. If there are more than are read, these are not necessarily the first to
       * expire.
       */
      items: z.nullable(z.array(cloudLease)),
      /** Total number, including leases that were not read. */
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
