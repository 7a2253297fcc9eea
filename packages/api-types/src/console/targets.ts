/** Targets of the access controller. Field names are the controller's (spec/1); `revision` is the console's. */
import { set } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import { addressProblem } from './address.ts';
import * as at from './addresses/access.ts';
import { policyOf } from './field-kinds.ts';
import {
  description,
  idParams,
  members,
  nameOf,
  projectId,
  setAction,
  defineCollection,
} from './record-fields.ts';
import { scopeSummary } from './scopes.ts';
import { targetTypes, unlimitedConnections } from './target-values.ts';

const maxInt32 = 2_147_483_647;

const portMessage = 'A port is a whole number from 1 to 65535.';
const port = z.int(portMessage).check(z.gte(1, portMessage), z.lte(65_535, portMessage));
const secondsMessage = `Enter a whole number of seconds from 1 to ${maxInt32.toLocaleString('en')}.`;
const limitMessage = 'Enter -1 for no limit, or a whole number, 1 or greater.';

const name = nameOf('A target');
const address = z.string().check(
  z.trim(),
  z.superRefine((value, context) => {
    const message = value === '' ? undefined : addressProblem(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  }),
);
const filter = z.string().check(z.trim(), z.maxLength(4096, 'A filter must be 4,096 characters or fewer.'));
const sessionMaxSeconds = z
  .int(secondsMessage)
  .check(z.gte(1, secondsMessage), z.lte(maxInt32, secondsMessage));
const sessionConnectionLimit = z
  .int(limitMessage)
  .check(
    z.refine((value) => value === unlimitedConnections || (value >= 1 && value <= maxInt32), limitMessage),
  );

const attributes = z.strictObject({
  default_port: z.nullable(port),
  default_client_port: z.nullable(port),
  /** Only for ssh. */
  storage_bucket_id: z.optional(z.string()),
  /** Only for ssh. */
  enable_session_recording: z.optional(z.boolean()),
});

/** The fields of a target that a user edits, all present; '' and null for a field that is not set. */
export const targetFields = z.strictObject({
  name,
  description,
  address,
  session_max_seconds: sessionMaxSeconds,
  session_connection_limit: sessionConnectionLimit,
  worker_filter: filter,
  egress_worker_filter: filter,
  ingress_worker_filter: filter,
  attributes,
});
export type TargetFields = z.output<typeof targetFields>;

const sourceKinds = {
  host_source_ids: z.array(z.string()),
  application_credential_source_ids: z.array(z.string()),
  brokered_credential_source_ids: z.array(z.string()),
  injected_application_credential_source_ids: z.array(z.string()),
};

export const hostSourceSummary = z.object({ id: z.string(), host_catalog_id: z.string() });
/** A secret of this environment's secrets server. */
export const secretReference = z.object({ mount: z.string(), path: z.string() });
export type SecretReference = z.output<typeof secretReference>;

/** A role of a cloud credentials engine in this environment's secrets server. */
export const cloudRoleReference = z.object({ mount: z.string(), role: z.string() });
export type CloudRoleReference = z.output<typeof cloudRoleReference>;

export const credentialSourceSummary = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  credential_store_id: z.string(),
  /** `static` for a credential, `vault-generic` for a library. */
  type: z.string(),
  credential_type: z.string(),
  /**
   * The secret that a library reads, if it belongs to this environment's secrets server; only returned for a single
   * target.
   */
  secret: z.optional(secretReference),
  /** The cloud role whose credentials a library reads, likewise. */
  cloud_role: z.optional(cloudRoleReference),
});

export const target = z.object({
  id: z.string(),
  /** The controller's version, as an opaque string. */
  revision: z.string(),
  scope_id: z.string(),
  scope: scopeSummary,
  type: z.string(),
  name: z.string(),
  description: z.string(),
  created_time: z.string(),
  updated_time: z.string(),
  address: z.string(),
  session_max_seconds: z.int(),
  session_connection_limit: z.int(),
  worker_filter: z.string(),
  egress_worker_filter: z.string(),
  ingress_worker_filter: z.string(),
  attributes: z.object({
    default_port: z.nullable(z.int()),
    default_client_port: z.nullable(z.int()),
    storage_bucket_id: z.optional(z.string()),
    enable_session_recording: z.optional(z.boolean()),
  }),
  ...sourceKinds,
  host_sources: z.array(hostSourceSummary),
  application_credential_sources: z.array(credentialSourceSummary),
  brokered_credential_sources: z.array(credentialSourceSummary),
  injected_application_credential_sources: z.array(credentialSourceSummary),
  /** What the caller can do with this target. */
  authorized_actions: z.array(z.string()),
});
export type Target = z.output<typeof target>;

/**
 * How two edits of a target merge. The type can't change after creation, so its attributes merge individually. An
 * address excludes host sources, and the old worker filter excludes the other two; these conflict together.
 */
export const targetPolicy = policyOf(targetFields, {
  more: {
    host_source_ids: set,
    application_credential_source_ids: set,
    brokered_credential_source_ids: set,
    injected_application_credential_source_ids: set,
  },
  groups: [
    { name: 'endpoint', fields: ['address', 'host_source_ids'] },
    { name: 'worker filters', fields: ['worker_filter', 'egress_worker_filter', 'ingress_worker_filter'] },
  ],
});

/** The editable fields of a stored target. */
export function fieldsOfTarget(from: Target): TargetFields {
  const { default_port, default_client_port, storage_bucket_id, enable_session_recording } = from.attributes;
  return {
    name: from.name,
    description: from.description,
    address: from.address,
    session_max_seconds: from.session_max_seconds,
    session_connection_limit: from.session_connection_limit,
    worker_filter: from.worker_filter,
    egress_worker_filter: from.egress_worker_filter,
    ingress_worker_filter: from.ingress_worker_filter,
    attributes: {
      default_port,
      default_client_port,
      ...(from.type === 'ssh' && {
        storage_bucket_id: storage_bucket_id ?? '',
        enable_session_recording: enable_session_recording ?? false,
      }),
    },
  };
}

/** A new target; the controller sets defaults for fields left out. */
export const newTarget = z.strictObject({
  scope_id: projectId('Choose the project that will hold the target.'),
  type: z.enum(targetTypes),
  ...z.partial(targetFields).shape,
  name,
  attributes: z.optional(z.partial(attributes)),
});
export type NewTarget = z.input<typeof newTarget>;

/** Only the changed fields; '' or null clears a field, and restores the default of the two limits. */
export const targetChanges = z.strictObject({
  ...z.partial(targetFields).shape,
  session_max_seconds: z.optional(z.nullable(sessionMaxSeconds)),
  session_connection_limit: z.optional(z.nullable(sessionConnectionLimit)),
  attributes: z.optional(z.partial(attributes)),
});
export type TargetChanges = z.input<typeof targetChanges>;

/** Adding and removing require at least one source; setting may leave the set empty. */
export const hostSourcesChange = z.strictObject({ action: setAction, host_source_ids: members }).check(
  z.refine(({ action, host_source_ids }) => action === 'set' || host_source_ids.length > 0, {
    path: ['host_source_ids'],
    message: 'Choose at least one host set.',
  }),
);
export type HostSourcesChange = z.input<typeof hostSourcesChange>;

const sourceErrors = [
  'unauthenticated',
  'not-connected',
  'no-access',
  'forbidden',
  'invalid-request',
  'not-found',
  'conflict',
  'revision-required',
  'outcome-unknown',
] as const;

/** Requires at least one kind; `set` replaces the given kinds and leaves the others unchanged. */
export const credentialSourcesChange = z
  .strictObject({
    action: setAction,
    brokered_credential_source_ids: z.optional(members),
    injected_application_credential_source_ids: z.optional(members),
    application_credential_source_ids: z.optional(members),
  })
  .check(
    z.refine(
      ({ action, ...kinds }) =>
        Object.values(kinds).some((ids) => ids !== undefined && (action === 'set' || ids.length > 0)),
      { path: ['brokered_credential_source_ids'], message: 'Choose at least one credential source.' },
    ),
  );
export type CredentialSourcesChange = z.input<typeof credentialSourcesChange>;

export const targets = defineResource(() => ({
  ...defineCollection(at.targets, {
    record: target,
    fields: newTarget,
    changes: targetChanges,
    list: { summary: 'A page of the targets in a scope' },
    get: { summary: 'One target' },
    create: { summary: 'Create a target in a project' },
    update: { summary: 'Edit a target; only the given fields change' },
    delete: { summary: 'Delete a target' },
  }),
  changeHostSources: defineEndpoint(at.targets.changeHostSources, {
    summary: 'Add host sources to a target without an address, remove some, or replace them all',
    params: idParams,
    body: hostSourcesChange,
    response: target,
    errors: sourceErrors,
    guarded: true,
  }),
  changeCredentialSources: defineEndpoint(at.targets.changeCredentialSources, {
    summary: 'Add credential sources of any kind to a target, remove some, or replace them all',
    params: idParams,
    body: credentialSourcesChange,
    response: target,
    errors: sourceErrors,
    guarded: true,
  }),
}));
