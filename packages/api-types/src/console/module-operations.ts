/** Operations on modules, their versions and archives, and the caller's registry tokens. */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/modules.ts';
import { asSecret } from './field-kinds.ts';
import { line } from './line.ts';
import {
  deprecationFields,
  module,
  moduleContent,
  modulesMay,
  moduleSummary,
  moduleVersion,
  publishFields,
  publishPlace,
  sentArchive,
} from './modules.ts';
import {
  changeErrors,
  createErrors,
  environmentParams,
  guardedErrors,
  readErrors,
  segment,
} from './registries.ts';
import { anySearchWords } from './search.ts';
import { environmentId } from './service.ts';
import { password } from './session.ts';

const moduleParams = z.strictObject({
  environment: environmentId,
  namespace: segment,
  name: segment,
  provider: segment,
});
const versionParams = z.strictObject({ ...moduleParams.shape, version: segment });

/** Most modules of one page. */
export const modulePageLimit = 100;

const filterText = z.optional(z.string().check(z.trim(), z.maxLength(64)));
const flag = z.optional(z.enum(['true', 'false']));

export const modules = defineResource(() => ({
  search: defineEndpoint(at.modules.search, {
    summary: 'A page of the modules, optionally only those that contain every given word',
    params: environmentParams,
    query: z.strictObject({
      q: z.optional(anySearchWords),
      namespace: filterText,
      provider: filterText,
      verified: flag,
      /** Whether the latest version is deprecated; a registry without this filter returns all. */
      deprecated: flag,
      /** 0 unless given. */
      offset: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(10_000_000))),
      /** 50 unless given. */
      limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(modulePageLimit))),
    }),
    response: z.object({
      modules: z.array(moduleSummary),
      /** Offset of the next page; null on the last one. */
      next_offset: z.nullable(z.int()),
      may: modulesMay,
    }),
    errors: readErrors,
  }),
  get: defineEndpoint(at.modules.get, {
    summary: 'A module with its version numbers',
    params: moduleParams,
    response: module,
    errors: readErrors,
  }),
  downloads: defineEndpoint(at.modules.downloads, {
    summary: 'How often a module was fetched',
    params: moduleParams,
    response: z.object({
      week: z.int(),
      month: z.int(),
      year: z.int(),
      total: z.int(),
      /** By day (`2026-11-22`) and version, oldest first; null if the registry doesn't report it. */
      daily: z.nullable(z.array(z.object({ date: z.string(), version: z.string(), count: z.int() }))),
      /** The first day that `daily` covers, which depends on the number of rows; null if not reported. */
      daily_since: z.nullable(z.string()),
    }),
    errors: readErrors,
  }),
  consumers: defineEndpoint(at.modules.consumers, {
    summary: 'Which tokens fetched a module, and which version last',
    params: moduleParams,
    response: z.object({
      /** Null if the registry doesn't report it. */
      consumers: z.nullable(
        z.array(
          z.object({
            token_id: z.string(),
            /** The token's description. */
            token: z.string(),
            owner: z.string(),
            version: z.string(),
            downloads: z.int(),
            last_fetched_time: z.string(),
            /** Number of newer releases that are not revoked. */
            behind: z.int(),
          }),
        ),
      ),
    }),
    errors: readErrors,
  }),
  verify: defineEndpoint(at.modules.verify, {
    summary: 'Mark a module as verified, or not; for administrators',
    params: moduleParams,
    body: z.strictObject({ verified: z.boolean() }),
    response: module,
    errors: guardedErrors,
    guarded: true,
  }),
}));

export const moduleVersions = defineResource(() => ({
  get: defineEndpoint(at.moduleVersions.get, {
    summary: 'A version of a module with what its archive declares',
    params: versionParams,
    response: moduleVersion,
    errors: readErrors,
  }),
  locate: defineEndpoint(at.moduleVersions.locate, {
    summary: "Where clients fetch the archive of a version; asking doesn't count as a download",
    params: versionParams,
    response: z.object({
      /** As the registry reports it: an address, a path, or a form for other getters (`git::…`). */
      location: z.string(),
      /** The resolved address; empty if it is neither http nor https. */
      url: z.string(),
      /** Whether the console could read it; the sentence says why not, and is empty if it could. */
      readable: z.boolean(),
      reason: z.string(),
    }),
    errors: readErrors,
  }),
  publish: defineEndpoint(at.moduleVersions.publish, {
    summary: "Publish a version; it never changes, and its number can't be reused",
    params: z.strictObject({ environment: environmentId, ...publishPlace.shape }),
    body: publishFields,
    bodyLimitBytes: 15 * 1024 * 1024,
    response: moduleVersion,
    errors: createErrors,
  }),
  deprecate: defineEndpoint(at.moduleVersions.deprecate, {
    summary: 'Deprecate or revoke a version, or change the message to its users',
    params: versionParams,
    body: deprecationFields,
    response: moduleVersion,
    errors: guardedErrors,
    guarded: true,
  }),
  restore: defineEndpoint(at.moduleVersions.restore, {
    summary: 'Undo the deprecation or revocation of a version',
    params: versionParams,
    response: moduleVersion,
    errors: guardedErrors,
    guarded: true,
  }),
  delete: defineEndpoint(at.moduleVersions.delete, {
    summary: "Delete a version with its archive; its number can't be reused",
    params: versionParams,
    errors: guardedErrors,
    guarded: true,
  }),
}));

export const moduleArchives = defineResource(() => ({
  read: defineEndpoint(at.moduleArchives.read, {
    summary: 'Check an archive and read what it declares, without publishing it',
    params: environmentParams,
    body: z.strictObject({ archive: sentArchive }),
    bodyLimitBytes: 15 * 1024 * 1024,
    response: z.object({ size: z.int(), sha256: z.string(), content: moduleContent }),
    errors: readErrors,
  }),
}));

const tokenFields = {
  id: z.string(),
  description: z.string(),
  created_time: z.string(),
  /** Empty if it was never used. */
  last_used_time: z.string(),
};

export const moduleToken = z.object({
  ...tokenFields,
  /** Whether the console uses this token. */
  current: z.boolean(),
});
export type ModuleToken = z.output<typeof moduleToken>;

export const moduleTokens = defineResource(() => ({
  list: defineEndpoint(at.moduleTokens.list, {
    summary: "The caller's tokens at the registry",
    params: environmentParams,
    /** Null if tokens aren't managed through this registry. */
    response: z.object({ tokens: z.nullable(z.array(moduleToken)) }),
    errors: readErrors,
  }),
  create: defineEndpoint(at.moduleTokens.create, {
    summary: 'Create a token for another client; it is shown once',
    params: environmentParams,
    body: z.strictObject({
      description: line('A description', 256).check(
        z.minLength(1, 'Describe what the token is for. It identifies the client in module downloads.'),
      ),
      /** The password of the registry account. */
      password,
    }),
    response: z.object({ ...tokenFields, token: asSecret(z.string()) }),
    errors: [...changeErrors, 'sign-in-failed'],
  }),
  revoke: defineEndpoint(at.moduleTokens.revoke, {
    summary: 'Revoke a token; clients that use it are refused',
    params: z.strictObject({ environment: environmentId, id: segment }),
    errors: changeErrors,
  }),
}));
