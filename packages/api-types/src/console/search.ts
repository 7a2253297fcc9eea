/** A search of the records of every service of an environment. Each record is sent as soon as it is found. */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/search.ts';
import { atMost } from './at-most.ts';
import { environmentParams, readErrors } from './record-fields.ts';
import { serviceName } from './service.ts';

/** Kinds of records that the search finds. */
export const foundKinds = [
  'target',
  'person',
  'host-catalog',
  'host-set',
  'host',
  'credential-store',
  'credential-library',
  'credential',
  'secret',
  'plugin',
  'cloud-role',
  'box',
  'organization',
  'module',
] as const;
export type FoundKind = (typeof foundKinds)[number];

/** Longest text of a search, in UTF-16 code units, and its most words. */
export const longestSearch = 200;
export const mostSearchWords = 8;

/** Words separated by spaces, in any case; may be empty. */
export const anySearchWords = z.string().check(
  z.trim(),
  atMost(longestSearch),
  z.refine(
    (text) => text.split(/\s+/u).length <= mostSearchWords,
    `Search for at most ${mostSearchWords} words.`,
  ),
);
/** Like `anySearchWords`, but not empty. */
export const searchWords = anySearchWords.check(z.minLength(1, 'Enter what to search for.'));

const found = z.object({
  kind: z.literal('found'),
  what: z.enum(foundKinds),
  /** Path of a secret, `owner/name` of a box, `namespace/name/provider` of a module. */
  id: z.string(),
  name: z.string(),
  /** An address, login name or description, which tells records of one name apart. */
  detail: z.string(),
  /** ID of the catalog or store that contains the record; the mount of a secret or cloud role. */
  within: z.optional(z.string()),
  /** What the caller may do with the record; null if the service doesn't report it. */
  authorized_actions: z.nullable(z.array(z.string())),
});
export type Found = z.output<typeof found>;

const unsearched = z.object({
  kind: z.literal('unsearched'),
  service: serviceName,
  /** The kinds that were not searched, or not completely. */
  what: z.array(z.enum(foundKinds)),
  /** A problem code such as `not-connected` or `forbidden`; `too-many` if the search stopped at a limit. */
  code: z.string(),
});
export type Unsearched = z.output<typeof unsearched>;

export const searchLine = z.discriminatedUnion('kind', [found, unsearched]);
export type SearchLine = z.output<typeof searchLine>;

export const search = defineResource(() => ({
  find: defineEndpoint(at.search.find, {
    summary:
      'Records of every service whose name, address, description, path or login name contains every word',
    params: environmentParams,
    query: z.strictObject({
      /** Values of secrets are never searched. */
      text: searchWords,
    }),
    response: searchLine,
    stream: true,
    errors: readErrors,
  }),
}));
