/**
 * Versioned secrets of the secrets server. `revision` is the newest version's number as text, which the next write must
 * follow. Values are sent as JSON text, and only on request.
 */
import { map, opaque, record, type RecordPolicy } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/secrets.ts';
import { asSecret } from './field-kinds.ts';
import {
  changeErrors,
  dataBodyLimitBytes,
  dataText,
  folderPath,
  guardedErrors,
  mountParams,
  namedFields,
  readErrors,
  secretParams,
  versionNumber,
  versionNumbers,
} from './secret-names.ts';
import { revealedFieldsLimit } from './secret-values.ts';
import { environmentId } from './service.ts';

/** An item of a folder: a secret or a folder. A name that is both is listed twice. */
export const folderItem = z.object({
  /** The last part of the path, without a slash. */
  name: z.string(),
  /** Path relative to the mount, without a trailing slash. */
  path: z.string(),
  folder: z.boolean(),
});
export type FolderItem = z.output<typeof folderItem>;

/** Most rows of one page. */
export const folderPageLimit = 5_000;

/** The caller's rights on one path. */
export const secretMay = z.object({
  /** List the names below it, as a folder. */
  list: z.boolean(),
  read: z.boolean(),
  /** Read the names of the fields, with a separate right or the right to read values. */
  read_structure: z.boolean(),
  /** Create the first version; for a folder, of some secret in it. */
  create: z.boolean(),
  /** Write a version after the first. */
  update: z.boolean(),
  patch: z.boolean(),
  /** Delete the newest version, which can be undeleted. */
  delete: z.boolean(),
  delete_versions: z.boolean(),
  undelete: z.boolean(),
  destroy: z.boolean(),
  read_metadata: z.boolean(),
  write_metadata: z.boolean(),
  patch_metadata: z.boolean(),
  /** Delete the secret permanently with all versions. */
  delete_forever: z.boolean(),
});
export type SecretMay = z.output<typeof secretMay>;

/** `deleted` can be undeleted, `destroyed` can't; `scheduled` is readable until `deletion_time`. */
export const versionStates = ['readable', 'scheduled', 'deleted', 'destroyed'] as const;
export type VersionState = (typeof versionStates)[number];

const versionFields = {
  version: z.int(),
  state: z.enum(versionStates),
  created_time: z.string(),
  /** Empty if the version is neither deleted nor scheduled for it. */
  deletion_time: z.string(),
};

/** A secret's structure, without values. */
export const secret = z.object({
  mount: z.string(),
  path: z.string(),
  /** The newest version's number as text; `0` if there is only metadata; `unknownRevision` if unknown. */
  revision: z.string(),
  /** The described version; null if none exists or the caller can't read any part. */
  version: z.nullable(
    z.object({
      ...versionFields,
      custom_metadata: z.record(z.string(), z.string()),
      /**
       * The data's JSON text with null for every value; null if the caller can't read it, or the version is deleted or
       * destroyed. Parse it with `entriesOf`.
       */
      structure: z.nullable(z.string()),
    }),
  ),
  /** False if the engine keeps no versions, so that the console can only read the secret. */
  versioned: z.boolean(),
  may: z.nullable(secretMay),
});
export type Secret = z.output<typeof secret>;

const ofVersion = {
  mount: z.string(),
  path: z.string(),
  /** The newest version's number as text, if known, even when an older version is read. */
  revision: z.string(),
  ...versionFields,
  custom_metadata: z.record(z.string(), z.string()),
};

/** `current` and `base` of a conflict: a version without its values, which are revealed separately. */
export const toldVersion = z.object({
  ...ofVersion,
  /** As in a secret's structure; parse it with `entriesOf`. */
  structure: z.nullable(z.string()),
});
export type ToldVersion = z.output<typeof toldVersion>;

/** One version with its values. */
export const secretVersion = z.object({
  ...ofVersion,
  /** A JSON object's text; null for a deleted or destroyed version, and if the caller can't read values. */
  data: z.nullable(dataText),
});
export type SecretVersion = z.output<typeof secretVersion>;

/** Two edits of a secret merge by key; every value is merged as a whole and masked. */
export const secretPolicy: RecordPolicy = record({ data: map(opaque) });

const newDataBody = z.strictObject({
  data: dataText,
  /** Recreates a deleted secret; the write may follow a version that can be undeleted. */
  again: z.optional(z.literal(true)),
});

const dataBody = z.strictObject({
  data: dataText,
  /**
   * The caller saw the version as readable. If it was deleted since then, which doesn't change its number, the write is
   * a `conflict`.
   */
  readable: z.optional(z.literal(true)),
});

/** A version that was written. */
export const writtenVersion = z.object({
  mount: z.string(),
  path: z.string(),
  /** The new version's number as text, which the next write must follow. */
  revision: z.string(),
  ...versionFields,
  custom_metadata: z.record(z.string(), z.string()),
});
export type WrittenVersion = z.output<typeof writtenVersion>;

/** A version in which a field has the pasted value. */
export const comparisonMatch = z.object({
  /** The field's JSON Pointer (RFC 6901): `/password`, `/db/password`. */
  field: z.string(),
  version: z.int(),
  current: z.boolean(),
  created_time: z.string(),
  /** When the next version was written; null for the newest. */
  superseded_time: z.nullable(z.string()),
});
export type ComparisonMatch = z.output<typeof comparisonMatch>;

/** Versions as displayed. A number isn't enough, because a secret recreated at the path has the same numbers. */
const shownVersions = z.strictObject({
  versions: versionNumbers,
  /** The `created_time` of each version, in the same order; empty if unknown. */
  created_times: z.optional(z.array(z.string()).check(z.maxLength(10_000))),
});

/** A secret compared with the one at its path in another environment. */
export const environmentComparison = z.object({
  /** The newest version there; null if no secret exists at the path. */
  other: z.nullable(z.object({ version: z.int(), created_time: z.string(), readable: z.boolean() })),
  /** None if the other one doesn't exist, or is deleted. */
  changed: namedFields,
  /** Only in the secret's own environment. */
  here: namedFields,
  there: namedFields,
  /** The number of equal fields. */
  same: z.int(),
});
export type EnvironmentComparison = z.output<typeof environmentComparison>;

export const secrets = defineResource(() => ({
  listFolder: defineEndpoint(at.secrets.listFolder, {
    summary: 'A page of the names in a folder, in character order',
    params: mountParams,
    query: z.strictObject({
      /** Empty or absent for the mount itself. */
      path: z.optional(folderPath),
      /** `next_after` of the previous page. */
      after: z.optional(z.string()),
      page_size: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(folderPageLimit))),
    }),
    /** Empty if nothing exists there: the server doesn't distinguish an empty folder from a missing one. */
    response: z.object({
      items: z.array(folderItem),
      /** Present when more pages follow. */
      next_after: z.optional(z.string()),
      /** Number of names in the folder, if the server returned all of them. */
      total: z.nullable(z.int()),
    }),
    errors: readErrors,
  }),
  getCapabilities: defineEndpoint(at.secrets.getCapabilities, {
    summary: 'What the caller may do in a folder, whether it exists or not',
    params: mountParams,
    query: z.strictObject({ path: z.optional(folderPath) }),
    /** Null if the server doesn't report them; then only an attempt can tell. */
    response: z.object({ may: z.nullable(secretMay) }),
    errors: readErrors,
  }),
  get: defineEndpoint(at.secrets.get, {
    summary: 'One secret without its values: the names of its fields, its state, what the caller may do',
    params: secretParams,
    query: z.strictObject({ version: z.optional(z.coerce.number().check(z.int(), z.gte(1))) }),
    response: secret,
    errors: readErrors,
  }),
  reveal: defineEndpoint(at.secrets.reveal, {
    summary: 'One version of a secret with its values, or those of some fields',
    params: secretParams,
    body: z.strictObject({
      /** The newest version unless given. */
      version: z.optional(versionNumber),
      /** Names of the requested fields: the answer's `data` only contains these. All fields unless given. */
      fields: z.optional(
        z.array(z.string()).check(z.minLength(1, 'Enter a field name.'), z.maxLength(revealedFieldsLimit)),
      ),
    }),
    response: secretVersion,
    errors: readErrors,
  }),
  create: defineEndpoint(at.secrets.create, {
    summary: 'Create the first version of a secret',
    params: secretParams,
    body: newDataBody,
    bodyLimitBytes: dataBodyLimitBytes,
    response: writtenVersion,
    /** `conflict` with reason `created` if the secret exists. */
    errors: [...changeErrors, 'conflict'],
  }),
  update: defineEndpoint(at.secrets.update, {
    summary: 'Write a new version with exactly these fields',
    params: secretParams,
    body: dataBody,
    bodyLimitBytes: dataBodyLimitBytes,
    response: writtenVersion,
    errors: guardedErrors,
    guarded: true,
  }),
  /**
   * Requires no right to read, so it can set fields that the caller can't see. A deleted version can't be patched. The
   * revision is `unknownRevision` if the caller can't read the version.
   */
  patch: defineEndpoint(at.secrets.patch, {
    summary:
      'Write a new version with some fields changed: a JSON merge patch, in which null removes a field',
    params: secretParams,
    body: dataBody,
    bodyLimitBytes: dataBodyLimitBytes,
    response: writtenVersion,
    errors: guardedErrors,
    guarded: true,
  }),
  restore: defineEndpoint(at.secrets.restore, {
    summary: 'Write the values of an older version as a new one, without showing them',
    params: secretParams,
    body: z.strictObject({ version: versionNumber }),
    response: writtenVersion,
    errors: guardedErrors,
    guarded: true,
  }),
  delete: defineEndpoint(at.secrets.delete, {
    summary: 'Delete the newest version, so that it can be undeleted',
    params: secretParams,
    errors: guardedErrors,
    guarded: true,
  }),
  deleteVersions: defineEndpoint(at.secrets.deleteVersions, {
    summary: 'Delete versions; they can be undeleted',
    params: secretParams,
    body: shownVersions,
    errors: [...changeErrors, 'conflict'],
  }),
  undeleteVersions: defineEndpoint(at.secrets.undeleteVersions, {
    summary: 'Undelete versions',
    params: secretParams,
    body: z.strictObject({ versions: versionNumbers }),
    errors: changeErrors,
  }),
  destroyVersions: defineEndpoint(at.secrets.destroyVersions, {
    summary: 'Delete the values of versions permanently',
    params: secretParams,
    body: shownVersions,
    errors: [...changeErrors, 'conflict'],
  }),
  /**
   * The revision is `<version>@<its created_time>@<updated_time of its metadata>@<revision of its metadata>`, of which
   * trailing parts may be missing. It also detects changes of the metadata, and a secret that was deleted permanently
   * and recreated with the same version numbers.
   */
  deleteForever: defineEndpoint(at.secrets.deleteForever, {
    summary: 'Delete a secret permanently, with all its versions and metadata',
    params: secretParams,
    errors: guardedErrors,
    guarded: true,
  }),
  compare: defineEndpoint(at.secrets.compare, {
    summary: 'Which fields of which versions contain a given value, without showing any values',
    params: secretParams,
    /** Compared with string values, and with the JSON text of other values. */
    body: z.strictObject({
      value: asSecret(z.string().check(z.minLength(1, 'Paste the value to look for.'))),
    }),
    bodyLimitBytes: dataBodyLimitBytes,
    response: z.object({
      /** Newest first; only the first ones if there are many. */
      matches: z.array(comparisonMatch),
      /** Total number of matches. */
      matched: z.int(),
      /** Number of versions whose values were compared. */
      compared: z.int(),
      /** Versions that are deleted, destroyed or removed during the comparison. */
      unreadable: z.array(z.int()),
    }),
    errors: readErrors,
  }),
  compareEnvironments: defineEndpoint(at.secrets.compareEnvironments, {
    summary:
      'Which fields of a secret differ from those at its path in another environment, without any values',
    params: secretParams,
    body: z.strictObject({ environment: environmentId }),
    response: environmentComparison,
    errors: readErrors,
  }),
}));
