/** A secret's metadata, and the settings of an engine. */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/secrets.ts';
import { duration } from './duration.ts';
import { policyOf } from './field-kinds.ts';
import { secretDateKinds } from './secret-dates.ts';
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
  secretParams,
} from './secret-names.ts';
import { secretMay, versionStates } from './secrets.ts';

const maxVersions = z
  .int('Enter a whole number, 0 or greater.')
  .check(
    z.gte(0, 'Enter a whole number, 0 or greater.'),
    z.lte(2_147_483_647, 'That is more than the server supports.'),
  );

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
// Servers accept only visible characters and spaces.
const printable = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;
const customKey = z.string().check(
  z.refine((key) => bytesOf(key) >= 1 && bytesOf(key) <= 128, 'A key must be 1 to 128 bytes long.'),
  z.regex(printable, 'A key can only contain printable characters.'),
);
const customValue = z.string().check(
  z.refine((value) => bytesOf(value) >= 1 && bytesOf(value) <= 512, 'A value must be 1 to 512 bytes long.'),
  z.regex(printable, 'A value can only contain printable characters.'),
);
const customMetadata = z
  .record(customKey, customValue)
  .check(z.refine((entries) => Object.keys(entries).length <= 64, 'There can be up to 64 keys.'));

const settings = {
  /** Number of versions kept; 0 uses the engine's setting, which for an engine means 10. */
  max_versions: maxVersions,
  cas_required: z.boolean(),
  /** When new versions are deleted automatically; `0s` for never, or for the engine's setting. */
  delete_version_after: duration,
};

export const secretMetadataFields = z.strictObject({ ...settings, custom_metadata: customMetadata });
export type SecretMetadataFields = z.output<typeof secretMetadataFields>;

export const versionSummary = z.object({
  version: z.int(),
  state: z.enum(versionStates),
  created_time: z.string(),
  /** Empty if the version is neither deleted nor scheduled for it. */
  deletion_time: z.string(),
});
export type VersionSummary = z.output<typeof versionSummary>;

export const secretMetadata = z.object({
  mount: z.string(),
  path: z.string(),
  /** A hash of the editable fields, not of the values. */
  revision: z.string(),
  max_versions: z.int(),
  cas_required: z.boolean(),
  delete_version_after: z.string(),
  /** Whether a metadata change must send check-and-set; null for a server without it. */
  metadata_cas_required: z.nullable(z.boolean()),
  custom_metadata: z.record(z.string(), z.string()),
  created_time: z.string(),
  updated_time: z.string(),
  /** 0 if nothing was written yet; as text, the newest version is the secret's revision. */
  current_version: z.int(),
  oldest_version: z.int(),
  /** Newest first, without pruned versions. */
  versions: z.array(versionSummary),
  may: z.nullable(secretMay),
});
export type SecretMetadata = z.output<typeof secretMetadata>;

export const secretMetadataPolicy = policyOf(secretMetadataFields);

/** The editable fields of stored metadata. */
export function fieldsOfSecretMetadata(from: SecretMetadata): SecretMetadataFields {
  const { max_versions, cas_required, delete_version_after, custom_metadata } = from;
  return { max_versions, cas_required, delete_version_after, custom_metadata };
}

/** The revision of a secret without metadata, for writing metadata before the first version. */
export const noMetadataRevision = 'none';

/** Only the changed fields. In `custom_metadata`, null removes a key; null for the whole object removes all keys. */
export const secretMetadataChanges = z.strictObject({
  ...z.partial(z.strictObject(settings)).shape,
  custom_metadata: z.optional(z.nullable(z.record(customKey, z.nullable(customValue)))),
});
export type SecretMetadataChanges = z.input<typeof secretMetadataChanges>;

const secretRules = z.strictObject(settings);
/** The settings that a secret and its engine share. */
export type SecretRules = z.output<typeof secretRules>;

export const secretEngineFields = z.strictObject({ description: mountDescription, ...settings });
export type SecretEngineFields = z.output<typeof secretEngineFields>;

/** All settings; the description only if it is changed, as the stored one may be longer than a new one. */
const secretEngineChanges = z.strictObject({ ...settings, description: z.optional(mountDescription) });
export type SecretEngineChanges = z.output<typeof secretEngineChanges>;

export const secretEngine = z.object({
  mount: z.string(),
  /** A hash of the fields and of the engine's identity: a later engine at the same path has another. */
  revision: z.string(),
  /** Null if the server doesn't show the mount to the caller. */
  description: z.nullable(z.string()),
  max_versions: z.int(),
  cas_required: z.boolean(),
  delete_version_after: z.string(),
  /** Whether a metadata change must send check-and-set; null for a server without it. */
  metadata_cas_required: z.nullable(z.boolean()),
  may: z.nullable(z.object({ change: z.boolean(), describe: z.boolean(), unmount: z.boolean() })),
});
export type SecretEngine = z.output<typeof secretEngine>;

export const secretEnginePolicy = policyOf(secretEngineFields);

/** The editable settings of an engine. */
export function fieldsOfSecretEngine(from: SecretEngine): SecretEngineFields {
  const { description, max_versions, cas_required, delete_version_after } = from;
  return { description: description ?? '', max_versions, cas_required, delete_version_after };
}

/** A date from a secret's custom metadata. */
const secretDate = z.object({
  mount: z.string(),
  path: z.string(),
  kind: z.enum(secretDateKinds),
  at: z.string(),
});
export type SecretDate = z.output<typeof secretDate>;

export const secretMetadataEndpoints = defineResource(() => ({
  listDates: defineEndpoint(at.secretMetadata.listDates, {
    summary: 'Secrets that have expired, are due for rotation, or will be within 30 days',
    params: environmentParams,
    response: z.object({
      /** Of secrets whose metadata the caller may read, and that were read or written through the console. */
      items: z.array(secretDate),
      /** False if there are more than were checked. */
      is_complete: z.boolean(),
    }),
    errors: readErrors,
  }),
  get: defineEndpoint(at.secretMetadata.get, {
    summary: 'Settings and custom metadata of a secret, and its versions',
    params: secretParams,
    response: secretMetadata,
    errors: readErrors,
  }),
  update: defineEndpoint(at.secretMetadata.update, {
    summary: 'Set all settings and the custom metadata of a secret; no version is written',
    params: secretParams,
    body: secretMetadataFields,
    response: secretMetadata,
    errors: guardedErrors,
    guarded: true,
  }),
  patch: defineEndpoint(at.secretMetadata.patch, {
    summary: 'Change some settings or custom metadata of a secret; no version is written',
    params: secretParams,
    body: secretMetadataChanges,
    response: secretMetadata,
    errors: guardedErrors,
    guarded: true,
  }),
}));

/** A key-value engine that the caller can see. */
export const mount = z.object({
  /** Without a trailing slash. */
  path: mountPath,
  description: z.string(),
  /** 2 keeps versions; 1 only keeps the newest values, and is read-only in the console. */
  version: z.int(),
  /** The caller's rights; null if the server doesn't report them. */
  may: z.nullable(z.object({ list: z.boolean(), read_settings: z.boolean(), change_settings: z.boolean() })),
});
export type Mount = z.output<typeof mount>;

export const secretEngines = defineResource(() => ({
  list: defineEndpoint(at.secretEngines.list, {
    summary: 'The key-value engines the caller can see',
    params: environmentParams,
    response: z.object({ items: z.array(mount), may_mount: mayMount }),
    errors: readErrors,
  }),
  mount: defineEndpoint(at.secretEngines.mount, {
    summary: 'Mount a key-value engine that keeps versions',
    params: environmentParams,
    body: z.strictObject({ mount: newMountPath, description: mountDescription }),
    response: mount,
    errors: [...changeErrors, 'conflict'],
  }),
  get: defineEndpoint(at.secretEngines.get, {
    summary: 'Description and settings of a key-value engine',
    params: mountParams,
    response: secretEngine,
    errors: readErrors,
  }),
  update: defineEndpoint(at.secretEngines.update, {
    summary: 'Change the description and the settings of a key-value engine',
    params: mountParams,
    body: secretEngineChanges,
    response: secretEngine,
    errors: guardedErrors,
    guarded: true,
  }),
  unmount: defineEndpoint(at.secretEngines.unmount, {
    summary: 'Unmount a key-value engine, which deletes all its secrets',
    params: mountParams,
    errors: guardedErrors,
    guarded: true,
  }),
}));
