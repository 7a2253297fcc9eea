/**
 * Versioned secrets of the secrets server. `revision` is the number of the newest version, as a text: what the next
 * write must follow on. Values travel as JSON text, and only where they are asked for.
 */
import { map, opaque, record, type RecordPolicy } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/secrets.ts';
import { asSecret } from './field-kinds.ts';
import { entriesOf, objectText } from './json-text.ts';
import {
  changeErrors,
  dataBodyLimitBytes,
  dataText,
  folderPath,
  guardedErrors,
  mountParams,
  readErrors,
  secretParams,
  versionNumber,
  versionNumbers,
} from './secret-names.ts';

/** What a folder holds: a secret, or a folder. A name may be both; then it is listed twice. */
export const folderItem = z.object({
  /** The last name, without a slash. */
  name: z.string(),
  /** Below the mount, without a slash at its end. */
  path: z.string(),
  folder: z.boolean(),
});
export type FolderItem = z.output<typeof folderItem>;

/** Rows of one page at most. */
export const folderPageLimit = 5_000;

/** What the caller may do with one path. */
export const secretMay = z.object({
  /** See the names below it, as a folder. */
  list: z.boolean(),
  /** Read values. */
  read: z.boolean(),
  /** Read the names of the fields: by itself, or because values may be read. */
  read_structure: z.boolean(),
  /** Create the first version; of a folder, of some secret in it. */
  create: z.boolean(),
  /** Write a version after the first. */
  update: z.boolean(),
  patch: z.boolean(),
  /** Delete the newest version, so that it can be brought back. */
  delete: z.boolean(),
  delete_versions: z.boolean(),
  undelete: z.boolean(),
  destroy: z.boolean(),
  read_metadata: z.boolean(),
  write_metadata: z.boolean(),
  patch_metadata: z.boolean(),
  /** Remove the secret with all its versions. */
  delete_forever: z.boolean(),
});
export type SecretMay = z.output<typeof secretMay>;

/** `deleted` can be undone, `destroyed` cannot; `scheduled` is readable and will be deleted at `deletion_time`. */
export const versionStates = ['readable', 'scheduled', 'deleted', 'destroyed'] as const;
export type VersionState = (typeof versionStates)[number];

const versionFields = {
  version: z.int(),
  state: z.enum(versionStates),
  created_time: z.string(),
  /** Empty where the version was not deleted and will not be. */
  deletion_time: z.string(),
};

/** A secret as it is shown first: what it is made of, no value. */
export const secret = z.object({
  mount: z.string(),
  path: z.string(),
  /** The newest version's number as a text; `0` where there is only metadata; `unknownRevision`. */
  revision: z.string(),
  /** The version that is described; null where nothing of any version may be read, or there is none. */
  version: z.nullable(
    z.object({
      ...versionFields,
      custom_metadata: z.record(z.string(), z.string()),
      /**
       * The JSON text of the data with every value replaced by null; null where it may not be read, or the version is
       * deleted or destroyed. Read it with `entriesOf`.
       */
      structure: z.nullable(z.string()),
    }),
  ),
  /** False where the engine keeps no versions: the secret can be read, and not written by the console. */
  versioned: z.boolean(),
  may: z.nullable(secretMay),
});
export type Secret = z.output<typeof secret>;

const ofVersion = {
  mount: z.string(),
  path: z.string(),
  /** The newest version's number as a text, as far as it is known; of an older version it is not that version's. */
  revision: z.string(),
  ...versionFields,
  custom_metadata: z.record(z.string(), z.string()),
};

/** What a conflict holds as `current` and `base`: a version without its values, which are revealed by themselves. */
export const toldVersion = z.object({
  ...ofVersion,
  /** As that of a secret; read it with `entriesOf`. */
  structure: z.nullable(z.string()),
});
export type ToldVersion = z.output<typeof toldVersion>;

/** One version with its values. */
export const secretVersion = z.object({
  ...ofVersion,
  /** JSON text of an object; null of a version that is deleted or destroyed, and where values may not be read. */
  data: z.nullable(dataText),
});
export type SecretVersion = z.output<typeof secretVersion>;

/** The fields of a secret as they are edited and merged: the JSON text of each value by its key, without a prototype. */
export interface SecretFields {
  readonly data: Readonly<Record<string, string>>;
}

/** Two edits of a secret merge by key; every value is a whole, and masked. */
export const secretPolicy: RecordPolicy = record({ data: map(opaque) });

/**
 * The fields of a version, for the form and the conflict view. Of a key that occurs twice the last counts.
 * @throws JsonTextError when the data is not the text of an object
 */
export function fieldsOfSecret({ data }: Pick<SecretVersion, 'data'>): SecretFields {
  const fields: Record<string, string> = Object.create(null);
  for (const { key, text } of data === null ? [] : entriesOf(data)) fields[key] = text;
  return { data: fields };
}

/** The JSON text that stores these fields. */
export function dataOfFields({ data }: SecretFields): string {
  return objectText(Object.entries(data).map(([key, text]) => ({ key, text })));
}

const newDataBody = z.strictObject({
  data: dataText,
  /** The secret was deleted, and is wanted again: it may follow on a version that can be brought back. */
  again: z.optional(z.literal(true)),
});

const dataBody = z.strictObject({
  data: dataText,
  /** The version that was seen could be read: where it was deleted since, that is a `conflict`, for it keeps its number. */
  readable: z.optional(z.literal(true)),
});

/** A version that was written. */
export const writtenVersion = z.object({
  mount: z.string(),
  path: z.string(),
  /** The new version's number as a text: what the next write follows on. */
  revision: z.string(),
  ...versionFields,
  custom_metadata: z.record(z.string(), z.string()),
});
export type WrittenVersion = z.output<typeof writtenVersion>;

/** A version whose field has the value that was pasted. */
export const comparisonMatch = z.object({
  /** JSON Pointer of the field: `/password`, `/db/password`; of a key that holds a slash or tilde as RFC 6901 says. */
  field: z.string(),
  version: z.int(),
  current: z.boolean(),
  created_time: z.string(),
  /** When the next version was written; null of the newest. */
  superseded_time: z.nullable(z.string()),
});
export type ComparisonMatch = z.output<typeof comparisonMatch>;

/** Versions as they were shown: a number alone is also one of another secret that was created at the path since. */
const shownVersions = z.strictObject({
  versions: versionNumbers,
  /** The `created_time` of each, in the same order; empty for one that isn't known. */
  created_times: z.optional(z.array(z.string()).check(z.maxLength(10_000))),
});

export const secrets = defineResource(() => ({
  listFolder: defineEndpoint(at.secrets.listFolder, {
    summary: 'A page of the names in a folder, in character order',
    params: mountParams,
    query: z.strictObject({
      /** Empty or absent: the mount itself. */
      path: z.optional(folderPath),
      /** `next_after` of the page before. */
      after: z.optional(z.string()),
      page_size: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(folderPageLimit))),
    }),
    /** An empty list where there is nothing: the server does not tell an empty folder from none. */
    response: z.object({
      items: z.array(folderItem),
      /** Present when more pages follow. */
      next_after: z.optional(z.string()),
      /** Names in the folder, where the server told all of them. */
      total: z.nullable(z.int()),
    }),
    errors: readErrors,
  }),
  getCapabilities: defineEndpoint(at.secrets.getCapabilities, {
    summary: 'What the caller may do in a folder, whether it exists or not',
    params: mountParams,
    query: z.strictObject({ path: z.optional(folderPath) }),
    /** Null where the server does not tell: trying is the only way to know. */
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
      /** Without one the newest. */
      version: z.optional(versionNumber),
      /** The names of the fields that are wanted: the answer's `data` holds no other. Without them all. */
      fields: z.optional(
        z.array(z.string()).check(z.minLength(1, 'Enter a field name.'), z.maxLength(1_000)),
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
    /** `conflict` with reason `created` where the secret exists. */
    errors: [...changeErrors, 'conflict', 'payload-too-large'],
  }),
  update: defineEndpoint(at.secrets.update, {
    summary: 'Write a new version with exactly these fields',
    params: secretParams,
    body: dataBody,
    bodyLimitBytes: dataBodyLimitBytes,
    response: writtenVersion,
    errors: [...guardedErrors, 'payload-too-large'],
    guarded: true,
  }),
  /**
   * Needs no right to read: what cannot be seen can be set. A version that is deleted cannot be patched. The revision is
   * `unknownRevision` where the caller may not read the version.
   */
  patch: defineEndpoint(at.secrets.patch, {
    summary:
      'Write a new version with some fields changed: a JSON merge patch, in which null removes a field',
    params: secretParams,
    body: dataBody,
    bodyLimitBytes: dataBodyLimitBytes,
    response: writtenVersion,
    errors: [...guardedErrors, 'payload-too-large'],
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
   * A revision `<version>@<its created_time>@<updated_time of its metadata>@<revision of its metadata>`, of which the last
   * parts may be missing, is also a conflict where the metadata was changed, or the secret was deleted permanently and created
   * again, whose versions have the same numbers.
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
    /** Compared with values that are texts, and with the JSON text of the others. */
    body: z.strictObject({
      value: asSecret(z.string().check(z.minLength(1, 'Paste the value to look for.'))),
    }),
    bodyLimitBytes: dataBodyLimitBytes,
    response: z.object({
      /** Newest first; the first of them where there are many. */
      matches: z.array(comparisonMatch),
      /** Matches in all. */
      matched: z.int(),
      /** Versions whose values were compared. */
      compared: z.int(),
      /** Versions that are deleted, destroyed or gone meanwhile. */
      unreadable: z.array(z.int()),
    }),
    errors: readErrors,
  }),
}));
