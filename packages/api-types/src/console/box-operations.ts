/** Operations on boxes, their versions and providers. */
import * as z from 'zod/mini';
import { defineEndpoint } from '../contract.ts';
import {
  boxParams,
  boxPath,
  createErrors,
  environmentParams,
  finalErrors,
  guardedErrors,
  ownerParams,
  providerParams,
  providerPath,
  readErrors,
  versionParams,
  versionPath,
} from './box-names.ts';
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

export const boxSorts = ['downloads', 'created', 'updated'] as const;
export const boxOrders = ['desc', 'asc'] as const;
/** Boxes of one page at most. */
export const boxPageLimit = 100;

export const searchBoxes = defineEndpoint({
  method: 'GET',
  path: '/api/environments/:environment/boxes/search',
  summary:
    'A page of the released boxes whose owner, name or short description has the words; private ones too',
  params: environmentParams,
  query: z.strictObject({
    q: z.optional(z.string().check(z.trim(), z.maxLength(200))),
    provider: z.optional(z.string().check(z.trim(), z.maxLength(200))),
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
    /** Whether another page follows; the registry does not tell how many there are. */
    more: z.boolean(),
  }),
  errors: readErrors,
});

export const getOwner = defineEndpoint({
  method: 'GET',
  path: '/api/environments/:environment/boxes/owners/:username',
  summary:
    'A person or an organization with the boxes that the caller may see, unreleased ones too where they may',
  params: ownerParams,
  response: owner,
  errors: readErrors,
});

// Boxes

export const getBox = defineEndpoint({
  method: 'GET',
  path: boxPath,
  summary: 'A box with its versions and their providers',
  params: boxParams,
  response: box,
  errors: readErrors,
});

export const createBox = defineEndpoint({
  method: 'POST',
  path: '/api/environments/:environment/boxes/owners/:username/boxes',
  summary: 'Create a box without versions',
  params: ownerParams,
  body: boxFields,
  response: box,
  audit: 'box.create',
  errors: createErrors,
});

export const updateBox = defineEndpoint({
  method: 'PATCH',
  path: boxPath,
  summary: 'Change a box, its name too; the changed fields alone',
  params: boxParams,
  body: boxChanges,
  response: box,
  audit: 'box.update',
  errors: guardedErrors,
  guarded: true,
});

export const deleteBox = defineEndpoint({
  method: 'DELETE',
  path: boxPath,
  summary: 'Delete a box with all its versions and images; guarded by its `whole_revision`',
  params: boxParams,
  audit: 'box.delete',
  errors: finalErrors,
  guarded: true,
  confirm: 'production',
});

// Versions

export const getBoxVersion = defineEndpoint({
  method: 'GET',
  path: versionPath,
  summary: 'A version of a box with its providers',
  params: versionParams,
  response: boxVersion,
  errors: readErrors,
});

export const createBoxVersion = defineEndpoint({
  method: 'POST',
  path: `${boxPath}/versions`,
  summary: 'Create a version, which is unreleased at first',
  params: boxParams,
  body: versionFields,
  response: boxVersion,
  audit: 'box-version.create',
  errors: createErrors,
});

export const updateBoxVersion = defineEndpoint({
  method: 'PATCH',
  path: versionPath,
  summary: 'Change the number or the description of a version; the changed fields alone',
  params: versionParams,
  body: versionChanges,
  response: boxVersion,
  audit: 'box-version.update',
  errors: guardedErrors,
  guarded: true,
});

export const deleteBoxVersion = defineEndpoint({
  method: 'DELETE',
  path: versionPath,
  summary: 'Delete a version with its providers and their images; guarded by its `whole_revision`',
  params: versionParams,
  audit: 'box-version.delete',
  errors: finalErrors,
  guarded: true,
  confirm: 'production',
});

export const releaseBoxVersion = defineEndpoint({
  method: 'POST',
  path: `${versionPath}/release`,
  summary: 'Release a version: clients find it from now on. One provider at least must be usable',
  params: versionParams,
  response: boxVersion,
  audit: 'box-version.release',
  errors: guardedErrors,
  guarded: true,
});

export const revokeBoxVersion = defineEndpoint({
  method: 'POST',
  path: `${versionPath}/revoke`,
  summary: 'Revoke a released version for good: clients do not find it any more',
  params: versionParams,
  response: boxVersion,
  audit: 'box-version.revoke',
  errors: finalErrors,
  guarded: true,
  confirm: 'production',
});

// Providers

export const getBoxProvider = defineEndpoint({
  method: 'GET',
  path: providerPath,
  summary: 'A provider of a version',
  params: providerParams,
  response: provider,
  errors: readErrors,
});

export const createBoxProvider = defineEndpoint({
  method: 'POST',
  path: `${versionPath}/providers`,
  summary: 'Create a provider whose image is elsewhere, or is going to be uploaded',
  params: versionParams,
  body: providerFields,
  response: provider,
  audit: 'box-provider.create',
  errors: createErrors,
});

export const updateBoxProvider = defineEndpoint({
  method: 'PATCH',
  path: providerPath,
  summary: 'Change a provider; the changed fields alone',
  params: providerParams,
  body: providerChanges,
  response: provider,
  audit: 'box-provider.update',
  errors: guardedErrors,
  guarded: true,
});

export const deleteBoxProvider = defineEndpoint({
  method: 'DELETE',
  path: providerPath,
  summary: 'Delete a provider and its image',
  params: providerParams,
  audit: 'box-provider.delete',
  errors: finalErrors,
  guarded: true,
  confirm: 'production',
});

export const prepareBoxDownload = defineEndpoint({
  method: 'POST',
  path: `${providerPath}/download`,
  summary: 'An address of the console from which this browser can download a hosted image for a short while',
  params: providerParams,
  response: z.object({
    /** A path of the console, to follow as a link; it answers this session alone. */
    path: z.string(),
    filename: z.string(),
    size: z.nullable(z.int()),
    expires_time: z.string(),
  }),
  audit: 'box-provider.download',
  errors: readErrors,
});
