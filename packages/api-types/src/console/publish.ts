/**
 * Publishing a version of a box: a run is a plan and what came of it, kept by the console, so that it goes on after a
 * reload, in another browser and after a restart. Steps are box → version → providers → images → release; each is
 * done by its own operation, and what is there already is offered (`exists`), not an error.
 */
import { list, record, scalar, text, type RecordPolicy } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/publish.ts';
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
import { changeErrors, environmentParams } from './registries.ts';
import { environmentId } from './service.ts';

// The plan: what the person fills in

/** The box: a new one with its fields, or one that is there. */
export const planBox = z.strictObject({
  username: ownerName,
  name: boxName,
  /** Of a box that is to be created; null for one that is there. */
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
export type PlanVersion = z.output<typeof planVersion>;

/** Providers of one run at most. */
export const providerLimit = 20;

export const planProvider = z
  .strictObject({
    /** Given by the console; leave it out of a new one. */
    id: z.optional(z.string().check(z.regex(/^[0-9A-Za-z]{1,40}$/))),
    name: providerName,
    architecture: z._default(architectureName, unknownArchitecture),
    /** Whether it is to be the default architecture of its name; of several of one name, one at most. */
    is_default: z._default(z.boolean(), true),
    source: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('url'), url: imageUrl }),
      /** An image that is uploaded through the console: see `publishUploads.begin`. */
      z.strictObject({ kind: z.literal('image') }),
    ]),
    /** '' while it is not known: of an image the console then fills in its SHA-256 when it delivers it. */
    checksum: z.string().check(z.trim(), z.toLowerCase(), z.regex(/^[0-9a-f]*$/)),
    checksum_type: z.nullable(z.enum(checksumTypes)),
  })
  .check(checksumAgrees);
export type PlanProvider = z.output<typeof planProvider>;

export const publishPlan = z.strictObject({
  box: z.nullable(planBox),
  version: z.nullable(planVersion),
  providers: z.array(planProvider).check(
    z.maxLength(providerLimit, `A run can have up to ${providerLimit} providers.`),
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

/** How two edits of one plan merge. */
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

// What came of it

/**
 * `planned`: not done yet. `exists`: it is there already and differs from, or was not known to, the plan: the person
 * decides with `existing` of the operation, by what `stored` shows. `done`: it is at the registry. `failed`: see `problem`; doing it again is safe.
 */
export const stepStates = ['planned', 'exists', 'done', 'failed'] as const;
export const publishStep = z.object({
  state: z.enum(stepStates),
  /** How it came to be, once it is done. */
  outcome: z.nullable(z.enum(['created', 'used', 'updated'])),
  problem: z.nullable(z.object({ code: z.enum(problemCodes), detail: z.string() })),
  /** When the state was last set; null of one that is planned. */
  time: z.nullable(z.string()),
});
export type PublishStep = z.output<typeof publishStep>;

/** What a step found in its place: the values that the planned ones would replace. */
const found = {
  revision: z.string(),
  /** Whether this is no longer what the person decided about. */
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
  /** Of whether it has an image too. */
  revision: z.string(),
});

export const runBox = z.object({
  ...planBox.shape,
  step: publishStep,
  /** While its step is `exists`. */
  stored: z.nullable(existingBox),
});

export const runVersion = z.object({
  ...planVersion.shape,
  step: publishStep,
  /** While its step is `exists`. */
  stored: z.nullable(existingVersion),
});

export const runProvider = z.object({
  id: z.string(),
  name: z.string(),
  /** `unknown` where none was given. */
  architecture: z.string(),
  is_default: z.boolean(),
  source: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('url'), url: z.string() }),
    z.object({ kind: z.literal('image') }),
  ]),
  checksum: z.string(),
  checksum_type: z.nullable(z.enum(checksumTypes)),
  step: publishStep,
  /** While its step is `exists`. */
  stored: z.nullable(existingProvider),
  /** Of an image, once `publishUploads.begin` was called. */
  upload: z.nullable(upload),
  /** Whether clients could use it: its address is given, or its image was delivered and verified. */
  ready: z.boolean(),
});
export type RunProvider = z.output<typeof runProvider>;

/** `open` until it is released or abandoned. */
export const runStates = ['open', 'released', 'abandoned'] as const;

export const publishRun = z.object({
  id: z.string(),
  /** Counts the changes of the plan; progress of uploads does not change it. */
  revision: z.string(),
  environment: environmentId,
  state: z.enum(runStates),
  created_time: z.string(),
  updated_time: z.string(),
  box: z.nullable(runBox),
  version: z.nullable(runVersion),
  providers: z.array(runProvider),
  release: publishStep,
  /** What happened, oldest first; the newest 200. */
  log: z.array(
    z.object({
      time: z.string(),
      /** The provider that it is about, with its architecture where one is known; null for the run as a whole. */
      provider: z.nullable(z.string()),
      /** One sentence. */
      text: z.string(),
      failed: z.boolean(),
    }),
  ),
});
export type PublishRun = z.output<typeof publishRun>;

/** A run as the task tray shows it: without its log, and without texts, addresses and what was found, which may be large. */
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

/** What to do with what is there already. Without it one is asked. */
const decision = z.strictObject({
  /** Leave it as it is, or give it the planned values. */
  existing: z.optional(z.enum(['use', 'update'])),
  /** Of an update: that of `stored`. Where it isn't the current one, nothing is overwritten and one is asked again. */
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
    errors: ['unauthenticated', 'not-found', 'invalid-request', 'not-connected'],
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
    summary: 'Do the box step: find the box, or create it',
    params: runParams,
    body: decision,
    response: publishRun,
    errors: changeErrors,
  }),
  publishVersion: defineEndpoint(at.publishRuns.publishVersion, {
    summary: 'Do the version step: find the version, or create it',
    params: runParams,
    body: decision,
    response: publishRun,
    errors: changeErrors,
  }),
  publishProvider: defineEndpoint(at.publishRuns.publishProvider, {
    summary: 'Do the step of one provider: find the provider, or create it',
    params: runProviderParams,
    body: decision,
    response: publishRun,
    errors: changeErrors,
  }),
  release: defineEndpoint(at.publishRuns.release, {
    summary: 'Release the version once all providers of the run are ready; succeeds if already released',
    params: runParams,
    body: z.strictObject({
      /** The `whole_revision` of the version that was shown: a release is final, and hands out all of its providers. */
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
