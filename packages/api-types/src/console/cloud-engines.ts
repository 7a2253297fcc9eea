/** Cloud credentials engines: where they are mounted, their root credentials, and how long their leases last. */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/cloud.ts';
import { secondsOf } from './cloud-values.ts';
import { asSecret, policyOf } from './field-kinds.ts';
import { isOpenAddress, openAddressMessage } from './registries.ts';
import {
  changeErrors,
  environmentParams,
  guardedErrors,
  mountParams,
  mountPath,
  readErrors,
} from './secret-names.ts';

/** What the caller may do; null where the server doesn't tell. */
export const cloudMay = z.nullable(
  z.object({
    list_roles: z.boolean(),
    create_roles: z.boolean(),
    read_root: z.boolean(),
    update_root: z.boolean(),
    rotate_root: z.boolean(),
    read_lease: z.boolean(),
    update_lease: z.boolean(),
  }),
);

export const cloudEngine = z.object({
  /** Without the slash at its end. */
  mount: mountPath,
  description: z.string(),
  /** The name of its plugin: `cloud`, `aws`, `openbao-plugin-secrets-aws`. */
  plugin: z.string(),
  running_version: z.string(),
  /** Whether root credentials were configured; null where the caller may not read that. */
  configured: z.nullable(z.boolean()),
  may: cloudMay,
});
export type CloudEngine = z.output<typeof cloudEngine>;

export const cloudRoot = z.object({
  mount: mountPath,
  /** A hash of what can be read; `none` where nothing is configured. */
  revision: z.string(),
  configured: z.boolean(),
  /** Empty where the credentials come from the server's environment. */
  access_key: z.string(),
  region: z.string(),
  iam_endpoint: z.string(),
  sts_endpoint: z.string(),
  /** -1 for what the provider's library does. */
  max_retries: z.int(),
  /** Fields of a real server that the console doesn't edit; kept when it saves. */
  other: z.record(z.string(), z.unknown()),
  /** When this console last saved or rotated it, and who did; null where it never did. */
  changed: z.nullable(z.object({ time: z.string(), by: z.string() })),
  may: cloudMay,
});
export type CloudRoot = z.output<typeof cloudRoot>;

const endpoint = z.string().check(
  z.trim(),
  z.maxLength(2000, 'An address must be 2,000 characters or fewer.'),
  z.refine((text) => text === '' || isOpenAddress(text), openAddressMessage),
);

export const cloudRootFields = z.strictObject({
  /** Both keys, or neither to take the server's own. */
  access_key: z
    .string()
    .check(
      z.trim(),
      z.maxLength(128, 'An access key must be 128 characters or fewer.'),
      z.regex(/^\w*$/, 'An access key can only contain letters and digits.'),
    ),
  secret_key: asSecret(
    z.string().check(z.trim(), z.maxLength(256, 'A secret key must be 256 characters or fewer.')),
  ),
  region: z
    .string()
    .check(z.trim(), z.maxLength(64), z.regex(/^[a-z0-9-]*$/, 'Enter a region such as eu-central-1.')),
  iam_endpoint: endpoint,
  sts_endpoint: endpoint,
  max_retries: z
    .int('Enter a whole number, or -1 for the default.')
    .check(z.gte(-1, 'Enter a whole number, or -1 for the default.'), z.lte(100, 'Enter 100 or less.')),
});
export type CloudRootFields = z.output<typeof cloudRootFields>;

/** The two keys belong together. */
export const cloudRootPolicy = policyOf(cloudRootFields, {
  groups: [{ name: 'keys', fields: ['access_key', 'secret_key'] }],
});

/** The editable fields; the secret key can't be read, and has to be given again. */
export function fieldsOfCloudRoot(from: CloudRoot): CloudRootFields {
  const { access_key, region, iam_endpoint, sts_endpoint, max_retries } = from;
  return { access_key, secret_key: '', region, iam_endpoint, sts_endpoint, max_retries };
}

export const cloudLeaseSettings = z.object({
  mount: mountPath,
  /** A hash of the two; `none` where nothing is configured and the server's own limits count. */
  revision: z.string(),
  configured: z.boolean(),
  /** As the server writes it: `30m0s`. */
  lease: z.string(),
  lease_max: z.string(),
  may: cloudMay,
});
export type CloudLeaseSettings = z.output<typeof cloudLeaseSettings>;

const leaseTime = z.string().check(
  z.trim(),
  z.refine(
    (text) => !/^\d*$/.test(text) && secondsOf(text) !== undefined,
    'Enter a duration with its unit, such as 90s, 30m or 12h.',
  ),
);

export const cloudLeaseFields = z.strictObject({ lease: leaseTime, lease_max: leaseTime }).check(
  z.refine(({ lease, lease_max }) => (secondsOf(lease) ?? 0) <= (secondsOf(lease_max) ?? 0), {
    path: ['lease_max'],
    message: "The maximum lease can't be shorter than the lease.",
  }),
);
export type CloudLeaseFields = z.output<typeof cloudLeaseFields>;

export const cloudLeasePolicy = policyOf(cloudLeaseFields, {
  groups: [{ name: 'times', fields: ['lease', 'lease_max'] }],
});

/** The editable settings. */
export function fieldsOfCloudLease({ lease, lease_max }: CloudLeaseSettings): CloudLeaseFields {
  return { lease, lease_max };
}

export const cloudEngines = defineResource(() => ({
  list: defineEndpoint(at.cloudEngines.list, {
    summary: 'The cloud credentials engines the caller can see',
    params: environmentParams,
    response: z.object({
      items: z.array(cloudEngine),
      /** Names of plugins of this kind that the server could mount; null where the catalog can't be read. */
      available: z.nullable(z.array(z.string())),
      /** Whether the caller may mount one; null where the server doesn't tell. */
      may_mount: z.nullable(z.boolean()),
    }),
    errors: readErrors,
  }),
  mount: defineEndpoint(at.cloudEngines.mount, {
    summary: 'Mount a cloud credentials engine',
    params: environmentParams,
    body: z.strictObject({
      mount: mountPath,
      plugin: z.string().check(z.minLength(1, 'Choose a plugin.'), z.maxLength(128)),
      description: z
        .string()
        .check(z.trim(), z.maxLength(500, 'A description must be 500 characters or fewer.')),
    }),
    response: cloudEngine,
    errors: [...changeErrors, 'conflict'],
  }),
  getRoot: defineEndpoint(at.cloudEngines.getRoot, {
    summary: 'Root credentials of an engine, without the secret key',
    params: mountParams,
    response: cloudRoot,
    errors: readErrors,
  }),
  updateRoot: defineEndpoint(at.cloudEngines.updateRoot, {
    summary: 'Replace the root credentials of an engine',
    params: mountParams,
    body: cloudRootFields,
    response: cloudRoot,
    errors: guardedErrors,
    guarded: true,
  }),
  rotateRoot: defineEndpoint(at.cloudEngines.rotateRoot, {
    summary: 'Create a new access key for the root user, and delete the previous one',
    params: mountParams,
    response: z.object({
      access_key: z.string(),
      previous_access_key: z.string(),
      /** What the server said that it left behind, such as a key that it could not delete. */
      warnings: z.array(z.string()),
    }),
    errors: changeErrors,
  }),
  getLease: defineEndpoint(at.cloudEngines.getLease, {
    summary: 'How long credentials of IAM users last',
    params: mountParams,
    response: cloudLeaseSettings,
    errors: readErrors,
  }),
  updateLease: defineEndpoint(at.cloudEngines.updateLease, {
    summary: 'Set how long credentials of IAM users last',
    params: mountParams,
    body: cloudLeaseFields,
    response: cloudLeaseSettings,
    errors: guardedErrors,
    guarded: true,
  }),
}));
