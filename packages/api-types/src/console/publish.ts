/**
 * Publishing a version of a box: a run is a plan with results, stored by the console, so that it can continue after a
 * reload, in another browser and after a restart. The steps are box → version → providers → images → release; each has
 * its own operation, which reports existing records (`exists`) instead of failing.
 */
import { list, record, scalar, text, type RecordPolicy } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/publish.ts';
import { atMost } from './at-most.ts';
import { architectureName, boxName, ownerName, providerName, versionNumber } from './box-names.ts';
import { imageKey, unknownArchitecture } from './box-values.ts';
import {
  box,
  boxFields,
  boxVersion,
  checksumAgrees,
  checksumTypes,
  imageUrl,
  provider,
  versionFields,
} from './boxes.ts';
import { problemCodes } from './problem.ts';
import { upload } from './publish-uploads.ts';
import { changeErrors, environmentParams, readErrors } from './registries.ts';
import { environmentId } from './service.ts';

// The plan: fields that the user fills in

/** A new box with its fields, or an existing one. */
export const planBox = z.strictObject({
  username: ownerName,
  name: boxName,
  /** For a new box; null for an existing one. */
  create: z.nullable(
    z.strictObject({
      short_description: boxFields.shape.short_description,
      description: boxFields.shape.description,
      is_private: boxFields.shape.is_private,
    }),
  ),
});
export type PlanBox = z.output<typeof planBox>;

export const planVersion = z.strictObject({
  version: versionNumber,
  description: versionFields.shape.description,
});

/** Most providers of one run. */
export const providerLimit = 20;

export const planProvider = z
  .strictObject({
    /** Assigned by the console; omit it for a new provider. */
    id: z.optional(z.string().check(z.regex(/^[0-9A-Za-z]{1,40}$/))),
    name: providerName,
    architecture: z._default(architectureName, unknownArchitecture),
    /** Whether to make it the default architecture of its name, which can have only one. */
    is_default: z._default(z.boolean(), true),
    source: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('url'), url: imageUrl }),
      /** An image uploaded through the console: see `publishUploads.begin`. */
      z.strictObject({ kind: z.literal('image') }),
    ]),
    /** '' if unknown; for an uploaded image, the console then fills in the SHA-256 at delivery. */
    checksum: z.string().check(z.trim(), z.toLowerCase(), z.regex(/^[0-9a-f]*$/)),
    checksum_type: z.nullable(z.enum(checksumTypes)),
  })
  .check(checksumAgrees);
export type PlanProvider = z.output<typeof planProvider>;

export const publishPlan = z.strictObject({
  box: z.nullable(planBox),
  version: z.nullable(planVersion),
  providers: z.array(planProvider).check(
    atMost(providerLimit, `A run can have up to ${providerLimit} providers.`),
    z.refine(
      (all) => new Set(all.map(imageKey)).size === all.length,
      'Two images have the same provider and architecture.',
    ),
    z.refine((all) => {
      const defaults = all.filter(({ is_default }) => is_default).map(({ name }) => name.toLowerCase());
      return new Set(defaults).size === defaults.length;
    }, 'One provider has two default architectures. Choose one.'),
  ),
});
export type PublishPlan = z.output<typeof publishPlan>;

/** How two edits of a plan merge. */
export const publishPlanPolicy: RecordPolicy = record({
  box: scalar,
  version: record({ version: scalar, description: text }),
  providers: list(
    'id',
    record(
      {
        id: scalar,
        name: scalar,
        architecture: scalar,
        is_default: scalar,
        source: scalar,
        checksum: scalar,
        checksum_type: scalar,
      },
      { groups: [{ name: 'checksum', fields: ['checksum', 'checksum_type'] }] },
    ),
  ),
});

// Results

/**
 * `planned`: not done. `exists`: a record exists that differs from, or was unknown to, the plan; the user sees `stored`
 * and decides with the operation's `existing`. `done`: it is in the registry. `failed`: see `problem`; safe to retry.
 */
export const stepStates = ['planned', 'exists', 'done', 'failed'] as const;
export const publishStep = z.object({
  state: z.enum(stepStates),
  /** How the record was produced, once the step is done. */
  outcome: z.nullable(z.enum(['created', 'used', 'updated'])),
  problem: z.nullable(z.object({ code: z.enum(problemCodes), detail: z.string() })),
  /** When the state was last set; null while planned. */
  time: z.nullable(z.string()),
});
export type PublishStep = z.output<typeof publishStep>;

/** Values of an existing record that the planned ones would replace. */
const found = {
  revision: z.string(),
  /** Whether it changed since the user decided about it. */
  changed: z.boolean(),
};
export const existingBox = z.object({
  ...z.pick(box, { name: true, short_description: true, description: true, is_private: true }).shape,
  ...found,
});
export const existingVersion = z.object({
  ...z.pick(boxVersion, { version: true, status: true, description: true }).shape,
  ...found,
});
export const existingProvider = z.object({
  ...z.omit(provider, {
    size: true,
    download_url: true,
    downloads: true,
    created_time: true,
    updated_time: true,
  }).shape,
  ...found,
  /** Also covers whether it has an image. */
  revision: z.string(),
});

export const runBox = z.object({
  ...planBox.shape,
  step: publishStep,
  /** Set while the step is `exists`. */
  stored: z.nullable(existingBox),
});

export const runVersion = z.object({
  ...planVersion.shape,
  step: publishStep,
  /** Set while the step is `exists`. */
  stored: z.nullable(existingVersion),
});

export const runProvider = z.object({
  id: z.string(),
  name: z.string(),
  /** `unknown` if none was given. */
  architecture: z.string(),
  is_default: z.boolean(),
  source: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('url'), url: z.string() }),
    z.object({ kind: z.literal('image') }),
  ]),
  checksum: z.string(),
  checksum_type: z.nullable(z.enum(checksumTypes)),
  step: publishStep,
  /** Set while the step is `exists`. */
  stored: z.nullable(existingProvider),
  /** For an image, once `publishUploads.begin` was called. */
  upload: z.nullable(upload),
  /** Whether clients can use it: its address is given, or its image is delivered and verified. */
  ready: z.boolean(),
});
export type RunProvider = z.output<typeof runProvider>;

/** `open` until released or abandoned. */
export const runStates = ['open', 'released', 'abandoned'] as const;

export const publishRun = z.object({
  id: z.string(),
  /** Incremented by changes of the plan, not by upload progress. */
  revision: z.string(),
  environment: environmentId,
  state: z.enum(runStates),
  created_time: z.string(),
  updated_time: z.string(),
  box: z.nullable(runBox),
  version: z.nullable(runVersion),
  providers: z.array(runProvider),
  release: publishStep,
  /** The newest 200 events, oldest first. */
  log: z.array(
    z.object({
      time: z.string(),
      /** The provider that the event is about, with its architecture if known; null for the whole run. */
      provider: z.nullable(z.string()),
      /** One sentence. */
      text: z.string(),
      failed: z.boolean(),
    }),
  ),
});
export type PublishRun = z.output<typeof publishRun>;

/** A run in the task tray: without its log, texts, addresses and stored records, which may be large. */
export const publishRunSummary = z.object({
  ...z.omit(publishRun, { log: true }).shape,
  box: z.nullable(z.pick(runBox, { username: true, name: true, step: true })),
  version: z.nullable(z.pick(runVersion, { version: true, step: true })),
  providers: z.array(
    z.object({
      ...z.omit(runProvider, { stored: true }).shape,
      source: z.object({ kind: z.enum(['url', 'image']) }),
    }),
  ),
});
export type PublishRunSummary = z.output<typeof publishRunSummary>;

/** The plan of a stored run. */
export function planOfRun({
  box,
  version,
  providers,
}: Pick<PublishRun, 'box' | 'version' | 'providers'>): PublishPlan {
  return {
    box: box === null ? null : { username: box.username, name: box.name, create: box.create },
    version: version === null ? null : { version: version.version, description: version.description },
    providers: providers.map(({ id, name, architecture, is_default, source, checksum, checksum_type }) => ({
      id,
      name,
      architecture,
      is_default,
      source,
      checksum,
      checksum_type,
    })),
  };
}

const runId = z.string().check(z.regex(/^pr_[0-9A-Za-z]{1,40}$/));
export const runParams = z.strictObject({ environment: environmentId, run: runId });
export const runProviderParams = z.strictObject({
  ...runParams.shape,
  provider: z.string().check(z.regex(/^[0-9A-Za-z]{1,40}$/)),
});

/** How to handle an existing record. Without it, the answer reports the record. */
const decision = z.strictObject({
  /** Use it as it is, or update it with the planned values. */
  existing: z.optional(z.enum(['use', 'update'])),
  /** For an update: the revision of `stored`. If it is outdated, nothing is overwritten and the user decides again. */
  revision: z.optional(z.string()),
});
export type ExistingDecision = z.input<typeof decision>;

export const publishRuns = defineResource(() => ({
  list: defineEndpoint(at.publishRuns.list, {
    summary: "The caller's publishing runs, newest first; ended ones if requested",
    params: environmentParams,
    query: z.strictObject({ ended: z.optional(z.stringbool()) }),
    response: z.object({ runs: z.array(publishRunSummary) }),
    errors: ['unauthenticated', 'not-found', 'invalid-request'],
  }),
  get: defineEndpoint(at.publishRuns.get, {
    summary: 'A publishing run with its plan, the outcome of each step, upload progress, and its log',
    params: runParams,
    response: publishRun,
    errors: ['unauthenticated', 'not-found', 'invalid-request'],
  }),
  create: defineEndpoint(at.publishRuns.create, {
    summary: 'Create a publishing run; nothing is changed at the registry yet',
    params: environmentParams,
    body: publishPlan,
    response: publishRun,
    errors: readErrors,
  }),
  update: defineEndpoint(at.publishRuns.update, {
    summary: "Save the plan; completed steps can't be changed",
    params: runParams,
    body: publishPlan,
    response: publishRun,
    errors: [
      'unauthenticated',
      'not-found',
      'invalid-request',
      'conflict',
      'revision-required',
      'outcome-unknown',
    ],
    guarded: true,
  }),
  publishBox: defineEndpoint(at.publishRuns.publishBox, {
    summary: 'Run the box step: find or create the box',
    params: runParams,
    body: decision,
    response: publishRun,
    errors: changeErrors,
  }),
  publishVersion: defineEndpoint(at.publishRuns.publishVersion, {
    summary: 'Run the version step: find or create the version',
    params: runParams,
    body: decision,
    response: publishRun,
    errors: changeErrors,
  }),
  publishProvider: defineEndpoint(at.publishRuns.publishProvider, {
    summary: 'Run the step of one provider: find or create the provider',
    params: runProviderParams,
    body: decision,
    response: publishRun,
    errors: changeErrors,
  }),
  release: defineEndpoint(at.publishRuns.release, {
    summary: 'Release the version once all providers of the run are ready; succeeds if already released',
    params: runParams,
    body: z.strictObject({
      /** The `whole_revision` of the displayed version, because a release is final and includes all its providers. */
      revision: z.string().check(z.minLength(1), z.maxLength(200)),
    }),
    response: publishRun,
    errors: changeErrors,
  }),
  abandon: defineEndpoint(at.publishRuns.abandon, {
    summary: 'Abandon a run: uploads are discarded and deliveries stopped; what is at the registry stays',
    params: runParams,
    response: publishRun,
    errors: ['unauthenticated', 'not-found', 'invalid-request'],
  }),
}));
