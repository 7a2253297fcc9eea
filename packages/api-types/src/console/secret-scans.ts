/**
 * Walks through the folders of a secrets engine, which stream results as they are found. Aborting the request ends the
 * walk.
 */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/secrets.ts';
import { asSecret } from './field-kinds.ts';
import { dataBodyLimitBytes, folderPath, mountParams, readErrors } from './secret-names.ts';
import { folderItem } from './secrets.ts';

/** Progress of a walk, sent at most a few times per second. */
const progress = z.object({
  kind: z.literal('progress'),
  folders_read: z.int(),
  /** Folders found but not yet read. */
  folders_waiting: z.int(),
  /** Secrets checked so far. */
  secrets: z.int(),
});

/** A skipped folder or secret: the caller can't read it, or no address can contain its name. */
const denied = z.object({ kind: z.literal('denied'), path: z.string(), folder: z.boolean() });

const end = z.object({
  kind: z.literal('end'),
  folders_read: z.int(),
  secrets: z.int(),
  found: z.int(),
  denied: z.int(),
  /** Whether the walk stopped at the limit of results. */
  limited: z.boolean(),
});

/** The walk failed; results sent before are still valid. */
const failed = z.object({ kind: z.literal('failed'), code: z.string(), detail: z.string() });

/** Most results of one walk. */
export const findLimit = 10_000;

const scanQuery = {
  /** Where to start; empty or absent for the mount itself. */
  folder: z.optional(folderPath),
  limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(findLimit))),
};

export const searchLine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('match'), ...folderItem.shape }),
  progress,
  denied,
  end,
  failed,
]);
export type SearchLine = z.output<typeof searchLine>;

export const recycleBinLine = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('deleted'),
    path: z.string(),
    /** The newest version, which is the secret's revision. */
    revision: z.string(),
    /** Whether the newest version is deleted, so that the secret reads as missing. */
    newest: z.boolean(),
    /** Versions that can be undeleted, newest first. */
    versions: z.array(z.object({ version: z.int(), created_time: z.string(), deletion_time: z.string() })),
  }),
  progress,
  denied,
  end,
  failed,
]);
export type RecycleBinLine = z.output<typeof recycleBinLine>;

export const valueLine = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('match'),
    path: z.string(),
    /** The newest version, which holds the value. */
    version: z.int(),
    /** JSON Pointers (RFC 6901) of the fields that hold it; only the first ones if there are many. */
    fields: z.array(z.string()),
    /** The number of fields that hold it. */
    matched: z.int(),
  }),
  progress,
  denied,
  end,
  failed,
]);
export type ValueLine = z.output<typeof valueLine>;

export const secretScans = defineResource(() => ({
  search: defineEndpoint(at.secretScans.search, {
    summary: 'Secrets and folders whose path contains every word, at any depth; values are never searched',
    params: mountParams,
    query: z.strictObject({
      ...scanQuery,
      /** Words separated by spaces, all of which must occur in the path relative to the mount, in any case. */
      text: z.string().check(z.trim(), z.minLength(1, 'Enter what to search for.'), z.maxLength(200)),
    }),
    response: searchLine,
    stream: true,
    errors: readErrors,
  }),
  recycleBin: defineEndpoint(at.secretScans.recycleBin, {
    summary: 'Deleted versions below a folder that can be undeleted',
    params: mountParams,
    query: z.strictObject({
      ...scanQuery,
      /** Includes secrets whose newest version is readable. */
      all_versions: z.optional(z.stringbool()),
    }),
    response: recycleBinLine,
    stream: true,
    errors: readErrors,
  }),
  findValue: defineEndpoint(at.secretScans.findValue, {
    summary: 'Secrets below a folder whose newest version contains a given value, without showing any values',
    params: mountParams,
    /** As for `secrets.compare`. */
    body: z.strictObject({
      folder: z.optional(folderPath),
      value: asSecret(z.string().check(z.minLength(1, 'Paste the value to look for.'))),
    }),
    bodyLimitBytes: dataBodyLimitBytes,
    response: valueLine,
    stream: true,
    errors: readErrors,
  }),
}));
