/** Cloud credentials engines: their mounts, root credentials and lease durations. */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/cloud.ts';
import { atMost } from './at-most.ts';
import { secondsOf } from './cloud-values.ts';
import { asSecret, policyOf } from './field-kinds.ts';
import { isOpenAddress, openAddressMessage } from './registries.ts';
import {
  changeErrors,
  environmentParams,
  guardedErrors,
  mayMount,
  mountDescription,
  mountParams,
  mountPath,
  newMountPath,
  readErrors,
} from './secret-names.ts';

/** The caller's rights; null if the server doesn't report them. */
export const cloudMay = z.nullable(
  z.object({
    list_roles: z.boolean(),
    create_roles: z.boolean(),
    read_root: z.boolean(),
    update_root: z.boolean(),
    rotate_root: z.boolean(),
    read_lease: z.boolean(),
    update_lease: z.boolean(),
    unmount: z.boolean(),
  }),
);

export const cloudEngine = z.object({
  /** Without a trailing slash. */
  mount: mountPath,
  /** A hash of the mount's identity, plugin and description. */
  revision: z.string(),
  description: z.string(),
  /** The plugin's name: `cloud`, `aws`, `openbao-plugin-secrets-aws`. */
  plugin: z.string(),
  running_version: z.string(),
  /** Whether root credentials are configured; null if the caller can't read that. */
  configured: z.nullable(z.boolean()),
  may: cloudMay,
});
export type CloudEngine = z.output<typeof cloudEngine>;

export const cloudRoot = z.object({
  mount: mountPath,
  /** A hash of the readable fields; `none` if nothing is configured. */
  revision: z.string(),
  configured: z.boolean(),
  /** Empty if the credentials come from the server's environment. */
  access_key: z.string(),
  region: z.string(),
  iam_endpoint: z.string(),
  sts_endpoint: z.string(),
  /** -1 for the default of the provider's library. */
  max_retries: z.int(),
  /** Fields of a real server that the console can't edit; kept on save. */
  other: z.record(z.string(), z.unknown()),
  /** When and by whom this console last saved or rotated it; null if never. */
  changed: z.nullable(z.object({ time: z.string(), by: z.string() })),
  may: cloudMay,
});
export type CloudRoot = z.output<typeof cloudRoot>;

const endpoint = z.string().check(
  z.trim(),
  atMost(2000, 'An address must be 2,000 characters or fewer.'),
  z.refine((text) => text === '' || isOpenAddress(text), openAddressMessage),
);

export const cloudRootFields = z.strictObject({
  /** Both keys, or neither to use the server's own credentials. */
  access_key: z
    .string()
    .check(
      z.trim(),
      atMost(128, 'An access key must be 128 characters or fewer.'),
      z.regex(/^\w*$/, 'An access key can only contain letters and digits.'),
    ),
  secret_key: asSecret(
    z.string().check(z.trim(), z.maxLength(256, 'A secret key must be 256 characters or fewer.')),
  ),
  region: z
    .string()
    .check(z.trim(), atMost(64), z.regex(/^[a-z0-9-]*$/, 'Enter a region such as eu-central-1.')),
  iam_endpoint: endpoint,
  sts_endpoint: endpoint,
  max_retries: z
    .int('Enter a whole number, or -1 for the default.')
    .check(z.gte(-1, 'Enter a whole number, or -1 for the default.'), z.lte(100, 'Enter 100 or less.')),
});
export type CloudRootFields = z.output<typeof cloudRootFields>;

/** The two keys conflict together. */
export const cloudRootPolicy = policyOf(cloudRootFields, {
  groups: [{ name: 'keys', fields: ['access_key', 'secret_key'] }],
});

/** The editable fields; the secret key can't be read and must be entered again. */
export function fieldsOfCloudRoot(from: CloudRoot): CloudRootFields {
  const { access_key, region, iam_endpoint, sts_endpoint, max_retries } = from;
  return { access_key, secret_key: '', region, iam_endpoint, sts_endpoint, max_retries };
}

export const cloudLeaseSettings = z.object({
  mount: mountPath,
  /** A hash of both; `none` if nothing is configured and the server's own limits apply. */
  revision: z.string(),
  configured: z.boolean(),
  /** In the server's form: `30m0s`. */
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

/** Most actions that are looked up at once: more than a policy document has room for. */
export const mostActions = 500;

/** An action that the table doesn't have. */
export const unknownAction = z.object({
  action: z.string(),
  /** Which part is unknown: the service, or the service's action. A pattern is unknown if no action matches it. */
  part: z.enum(['service', 'action']),
  /** A known action with nearly the same name, or service for a service; null if there is none. */
  nearest: z.nullable(z.string()),
});
export type UnknownAction = z.output<typeof unknownAction>;

export const cloudEngines = defineResource(() => ({
  list: defineEndpoint(at.cloudEngines.list, {
    summary: 'The cloud credentials engines the caller can see',
    params: environmentParams,
    response: z.object({
      items: z.array(cloudEngine),
      /** Names of this kind of plugin that the server can mount; null if the catalog can't be read. */
      available: z.nullable(z.array(z.string())),
      may_mount: mayMount,
    }),
    errors: readErrors,
  }),
  checkActions: defineEndpoint(at.cloudEngines.checkActions, {
    summary:
      "Which actions of an IAM policy aren't in the provider's published table of services and actions",
    params: environmentParams,
    body: z.strictObject({
      /** Such as `s3:GetObject` or `s3:Get*`. */
      actions: z
        .array(z.string().check(z.maxLength(160, 'An action must be 160 characters or fewer.')))
        .check(z.maxLength(mostActions, `Send ${mostActions} actions or fewer.`)),
    }),
    response: z.object({
      unknown: z.array(unknownAction),
      /** The table's date, `2026-09-26`. */
      as_of: z.string(),
    }),
    errors: readErrors,
  }),
  mount: defineEndpoint(at.cloudEngines.mount, {
    summary: 'Mount a cloud credentials engine',
    params: environmentParams,
    body: z.strictObject({
      mount: newMountPath,
      plugin: z.string().check(z.minLength(1, 'Choose a plugin.'), z.maxLength(128)),
      description: mountDescription,
    }),
    response: cloudEngine,
    errors: [...changeErrors, 'conflict'],
  }),
  unmount: defineEndpoint(at.cloudEngines.unmount, {
    summary: 'Unmount an engine with its roles and root credentials, and revoke what it issued',
    params: mountParams,
    errors: guardedErrors,
    guarded: true,
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
    summary: "Create a new access key for the root credentials' user, and delete the previous one",
    params: mountParams,
    response: z.object({
      access_key: z.string(),
      previous_access_key: z.string(),
      /** What the server reports as left behind, such as a key that it could not delete. */
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
