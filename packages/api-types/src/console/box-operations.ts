/** Operations on boxes, their versions and providers. */
import * as z from 'zod/mini';
import { defineEndpoint, defineRecord, defineResource } from '../contract.ts';
import * as at from './addresses/boxes.ts';
import { boxParams, ownerParams, providerParams, versionParams } from './box-names.ts';
import { boxOrders, boxSorts } from './box-values.ts';
import {
  box,
  boxChanges,
  boxFields,
  boxSummary,
  boxVersion,
  owner,
  provider,
  providerChanges,
  providerFields,
  versionChanges,
  versionFields,
} from './boxes.ts';
import { createErrors, environmentParams, guardedErrors, readErrors } from './registries.ts';

/** Most boxes of one page. */
export const boxPageLimit = 100;

// Boxes

// Versions

// Providers

export const boxes = defineResource(() => ({
  ...defineRecord(at.boxes, {
    place: ownerParams,
    one: boxParams,
    record: box,
    fields: boxFields,
    changes: boxChanges,
    get: { summary: 'A box with its versions and their providers', errors: readErrors },
    create: { summary: 'Create a box without versions', errors: createErrors },
    update: {
      summary: 'Edit a box, including its name; only the given fields change',
      errors: guardedErrors,
    },
    delete: {
      summary: 'Delete a box with all its versions and images; guarded by its `whole_revision`',
      errors: guardedErrors,
    },
  }),
  search: defineEndpoint(at.boxes.search, {
    summary:
      'A page of the released boxes whose owner, name or short description contains the words, including private ones',
    params: environmentParams,
    query: z.strictObject({
      q: z.optional(z.string().check(z.trim(), z.maxLength(200))),
      provider: z.optional(z.string().check(z.trim(), z.maxLength(200))),
      /** Refused by a registry without architectures. */
      architecture: z.optional(z.string().check(z.trim(), z.maxLength(200))),
      /** `downloads` unless given. */
      sort: z.optional(z.enum(boxSorts)),
      /** `desc` unless given. */
      order: z.optional(z.enum(boxOrders)),
      /** From 1. */
      page: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000))),
      /** 25 unless given. */
      limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(boxPageLimit))),
    }),
    response: z.object({
      boxes: z.array(boxSummary),
      /** Whether another page follows; the registry reports no total. */
      more: z.boolean(),
      /** Whether the registry supports several architectures per provider and searches by them. */
      knows_architectures: z.boolean(),
    }),
    errors: readErrors,
  }),
  downloads: defineEndpoint(at.boxes.downloads, {
    summary: "How often a box's images were downloaded, by day",
    params: boxParams,
    response: z.object({
      /** By day (`2026-11-22`), oldest first, of the last year; null if the registry doesn't report it. */
      daily: z.nullable(z.array(z.object({ date: z.string(), count: z.int() }))),
    }),
    errors: readErrors,
  }),
}));

export const boxOwners = defineResource(() => ({
  get: defineEndpoint(at.boxOwners.get, {
    summary: 'A user or an organization with the boxes the caller can see',
    params: ownerParams,
    response: owner,
    errors: readErrors,
  }),
}));

export const boxVersions = defineResource(() => ({
  ...defineRecord(at.boxVersions, {
    place: boxParams,
    one: versionParams,
    record: boxVersion,
    fields: versionFields,
    changes: versionChanges,
    get: { summary: 'A version of a box with its providers', errors: readErrors },
    create: { summary: 'Create an unreleased version', errors: createErrors },
    update: {
      summary: 'Edit the number or the description of a version; only the given fields change',
      errors: guardedErrors,
    },
    delete: {
      summary: 'Delete a version with its providers and their images; guarded by its `whole_revision`',
      errors: guardedErrors,
    },
  }),
  release: defineEndpoint(at.boxVersions.release, {
    summary:
      'Release a version to clients; needs at least one usable provider; guarded by its `whole_revision`',
    params: versionParams,
    response: boxVersion,
    errors: guardedErrors,
    guarded: true,
  }),
  revoke: defineEndpoint(at.boxVersions.revoke, {
    summary: 'Revoke a released version permanently; clients no longer find it',
    params: versionParams,
    response: boxVersion,
    errors: guardedErrors,
    guarded: true,
  }),
}));

export const boxProviders = defineResource(() => ({
  ...defineRecord(at.boxProviders, {
    place: versionParams,
    one: providerParams,
    record: provider,
    fields: providerFields,
    changes: providerChanges,
    get: { summary: 'One architecture of a provider of a version', errors: readErrors },
    create: {
      summary: 'Create a provider whose image is hosted elsewhere, or will be uploaded',
      errors: createErrors,
    },
    update: { summary: 'Edit a provider; only the given fields change', errors: guardedErrors },
    delete: {
      summary: "Delete a provider and its image; the default architecture only if it is the provider's last",
      errors: guardedErrors,
    },
  }),
  prepareDownload: defineEndpoint(at.boxProviders.prepareDownload, {
    summary: 'A short-lived address of the console from which this browser can download a hosted image',
    params: providerParams,
    response: z.object({
      /** A path of the console, to open as a link; only works in this session. */
      path: z.string(),
      filename: z.string(),
      size: z.nullable(z.int()),
      expires_time: z.string(),
    }),
    errors: readErrors,
  }),
}));
