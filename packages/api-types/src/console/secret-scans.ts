/** Walks through the folders of a secrets engine: what is found is sent as it is found. Aborting the request ends one. */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/secrets.ts';
import { folderPath, mountParams, readErrors } from './secret-names.ts';
import { folderItem } from './secrets.ts';

/** How far a walk is; sent a few times a second at most. */
const progress = z.object({
  kind: z.literal('progress'),
  folders_read: z.int(),
  /** Found and not yet read. */
  folders_waiting: z.int(),
  /** Secrets looked at so far. */
  secrets: z.int(),
});

/** A folder or secret that the caller may not look into, or whose name no address can hold: it is left out. */
const denied = z.object({ kind: z.literal('denied'), path: z.string(), folder: z.boolean() });

const end = z.object({
  kind: z.literal('end'),
  folders_read: z.int(),
  secrets: z.int(),
  found: z.int(),
  denied: z.int(),
  /** Whether it stopped at the limit of finds. */
  limited: z.boolean(),
});

/** The walk could not go on; what was sent before is right. */
const failed = z.object({ kind: z.literal('failed'), code: z.string(), detail: z.string() });

/** Finds of one walk at most. */
export const findLimit = 10_000;

const scanQuery = {
  /** Where to begin; empty or absent: the mount itself. */
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
    /** The newest version, as the secret's revision. */
    revision: z.string(),
    /** Whether the newest version is deleted: then the secret reads as if it were not there. */
    newest: z.boolean(),
    /** Versions that can be brought back, newest first. */
    versions: z.array(z.object({ version: z.int(), created_time: z.string(), deletion_time: z.string() })),
  }),
  progress,
  denied,
  end,
  failed,
]);
export type RecycleBinLine = z.output<typeof recycleBinLine>;

export const secretScans = defineResource(() => ({
  search: defineEndpoint(at.secretScans.search, {
    summary: 'Secrets and folders whose path contains every word, at any depth; values are never searched',
    params: mountParams,
    query: z.strictObject({
      ...scanQuery,
      /** Words between spaces, each anywhere in the path below the mount; letters of either case. */
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
      /** Also of secrets whose newest version is readable. */
      all_versions: z.optional(z.stringbool()),
    }),
    response: recycleBinLine,
    stream: true,
    errors: readErrors,
  }),
}));
