/** The secondaries of a primary: their activation, and the filters that decide what each receives. */
import { set } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/replication.ts';
import { atMost } from './at-most.ts';
import { secondsOf } from './cloud-values.ts';
import { asSecret, policyOf } from './field-kinds.ts';
import { replicationChanged } from './replication-status.ts';
import { changeErrors, environmentParams, guardedErrors, mountPath, readErrors } from './secret-names.ts';
import { environmentId } from './service.ts';

/** The identifier that a secondary is activated with, and its name from then on. */
export const secondaryId = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'A secondary needs an identifier.'),
    atMost(128, 'An identifier must be 128 characters or fewer.'),
    z.regex(/^[\w.:@-]*$/, 'An identifier can only contain letters, digits, ".", "_", ":", "@" and "-".'),
  );

/** How long an activation can be used. */
const activationTtl = z.string().check(
  z.trim(),
  z.refine((text) => (secondsOf(text) ?? 0) > 0, 'Enter a duration such as 30m or 1h.'),
);

/** How the secondary reaches its primary for activation; the servers decide fields left out. */
export const activation = {
  ttl: z.optional(activationTtl),
  /** The primary's API address, overriding the one that the primary reports. */
  primary_api_addr: z.optional(
    z
      .string()
      .check(
        z.trim(),
        atMost(2000),
        z.regex(/^(?:https?:\/\/[^\s/].*)?$/, 'Enter an address such as https://vault-a.example:8200.'),
      ),
  ),
  /** A file or folder with certificate authorities on the secondary's server. */
  ca_file: z.optional(z.string().check(z.trim(), z.maxLength(1024))),
  ca_path: z.optional(z.string().check(z.trim(), z.maxLength(1024))),
};

export const replicationFilterFields = z
  .strictObject({
    /** `all`: everything is replicated, without a filter. `deny`: all except these. `allow`: only these. */
    mode: z.enum(['all', 'deny', 'allow']),
    /** Mounts (`secret`, `auth/userpass`) and namespaces, relative to the root namespace, without trailing slashes. */
    paths: z.array(mountPath).check(z.maxLength(1000, 'There can be up to 1,000 paths.')),
  })
  .check(
    z.refine(({ mode, paths }) => mode !== 'deny' || paths.length > 0, {
      path: ['paths'],
      message: 'Choose at least one mount or namespace to leave out.',
    }),
  );
export type ReplicationFilterFields = z.output<typeof replicationFilterFields>;

/** Two edits of a filter merge path by path. */
export const replicationFilterPolicy = policyOf(replicationFilterFields, { more: { paths: set } });

export const replicationFilter = z.object({
  secondary: z.string(),
  /** A hash of mode and paths; `none` if there is no filter and everything is replicated. */
  revision: z.string(),
  configured: z.boolean(),
  ...replicationFilterFields.shape,
});
export type ReplicationFilter = z.output<typeof replicationFilter>;

/** The editable fields of a filter. */
export function fieldsOfFilter({ mode, paths }: ReplicationFilter): ReplicationFilterFields {
  return { mode, paths: [...paths] };
}

/** A mount or a namespace, and whether a secondary receives it. */
export const filteredItem = z.object({
  path: mountPath,
  kind: z.enum(['secret', 'auth', 'namespace']),
  /** The plugin's name; empty for a namespace. */
  plugin: z.string(),
  /** At most 100 characters and an ellipsis. */
  description: z.string(),
  /** Local to its cluster, regardless of filters. */
  local: z.boolean(),
  /** With the secondary's current filter. */
  received: z.boolean(),
  /** With the previewed filter. */
  will_be_received: z.boolean(),
});
export type FilteredItem = z.output<typeof filteredItem>;

/** The paths that a secondary must not receive. */
export const receivedFilter = z.object({
  /** Null if the server doesn't report it. */
  mounts: z.nullable(z.array(z.string())),
  namespaces: z.nullable(z.array(z.string())),
});

const secondaryParams = z.strictObject({
  environment: environmentId,
  secondary: z.string().check(z.minLength(1), z.maxLength(256)),
});

export const replicationSecondaries = defineResource(() => ({
  createToken: defineEndpoint(at.replicationSecondaries.createToken, {
    summary: 'Create an activation token for a secondary elsewhere; it is shown once, and used once',
    params: environmentParams,
    body: z.strictObject({
      id: secondaryId,
      ttl: activation.ttl,
      /** The secondary's public key, with which the token's contents are encrypted. */
      secondary_public_key: z.optional(
        z
          .string()
          .check(
            z.trim(),
            atMost(200),
            z.regex(/^(?:[A-Za-z0-9+/_-]{40,}={0,2})?$/, 'Enter the public key in base64.'),
          ),
      ),
    }),
    response: z.object({
      token: asSecret(z.string()),
      /** Whether it is encrypted with the secondary's public key; otherwise it is a wrapping token. */
      encrypted: z.boolean(),
      /** When the token expires; null if the server doesn't report it. */
      expire_time: z.nullable(z.string()),
    }),
    errors: changeErrors,
  }),
  revoke: defineEndpoint(at.replicationSecondaries.revoke, {
    summary: 'Revoke a secondary; to return, it needs a new activation token',
    params: secondaryParams,
    response: replicationChanged,
    errors: changeErrors,
  }),
  getFilter: defineEndpoint(at.replicationSecondaries.getFilter, {
    summary: 'Which mounts and namespaces a secondary receives',
    params: secondaryParams,
    response: replicationFilter,
    errors: readErrors,
  }),
  saveFilter: defineEndpoint(at.replicationSecondaries.saveFilter, {
    summary: 'Set which mounts and namespaces a secondary receives; it loses the others',
    params: secondaryParams,
    body: replicationFilterFields,
    response: replicationFilter,
    errors: guardedErrors,
    guarded: true,
  }),
  deleteFilter: defineEndpoint(at.replicationSecondaries.deleteFilter, {
    summary: 'Delete the filter of a secondary; it then receives everything',
    params: secondaryParams,
    errors: guardedErrors,
    guarded: true,
  }),
  previewFilter: defineEndpoint(at.replicationSecondaries.previewFilter, {
    summary: 'Which mounts and namespaces a filter would let through',
    params: environmentParams,
    body: z.strictObject({
      /** The secondary whose filter would be replaced; absent for a new secondary. */
      secondary: z.optional(secondaryParams.shape.secondary),
      ...replicationFilterFields.shape,
    }),
    response: z.object({
      items: z.array(filteredItem),
      /** Paths of the filter where nothing in the list is. */
      unmatched: z.array(z.string()),
      /** Whether all mounts and namespaces are listed, as far as the caller can see; if not, there may be more. */
      complete: z.boolean(),
    }),
    errors: readErrors,
  }),
}));
