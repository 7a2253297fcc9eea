/**
 * The audit trail. Everything that changes a record, reveals a secret, signs in or is denied is recorded: before it is
 * tried and once more when its outcome is known; by paths, never by values; in a chain of hashes.
 */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/activity.ts';
import { decisions } from './decisions.ts';
import { problemCodes } from './problem.ts';
import { environmentId, serviceName } from './service.ts';

/** `unknown`: the service did not say, or the console stopped in between. `pending`: it is being done now. */
export const activityOutcomes = ['succeeded', 'failed', 'refused', 'unknown', 'pending'] as const;
export type ActivityOutcome = (typeof activityOutcomes)[number];

export const activityEntry = z.object({
  /** The entry's place in the chain, from 1: its id. */
  sequence: z.int(),
  time: z.string(),
  environment: z.string(),
  /** Null for what is the console's own. */
  service: z.nullable(serviceName),
  person: z.object({
    /** Empty where nobody is signed in: an attempt to sign in that failed. */
    id: z.string(),
    name: z.string(),
    login_name: z.string(),
  }),
  /** Address of the person's machine. */
  address: z.string(),
  /** One of `activityActions`, or `request.read` for a read that was denied. */
  action: z.string(),
  resource: z.object({
    kind: z.string(),
    /** Empty where there is none yet: a creation that failed. */
    id: z.string(),
    /** As it was called then; empty where it was not learned. */
    name: z.string(),
  }),
  /**
   * The fields that were sent, or asked for, in dotted form, of a secret as `data.<name>`; and what it was narrowed to, as
   * `name=value`.
   */
  paths: z.array(z.string()),
  /** How conflicts were decided before. */
  decisions,
  /** Null where there is none: creations, actions. */
  revision_before: z.nullable(z.string()),
  revision_after: z.nullable(z.string()),
  outcome: z.enum(activityOutcomes),
  /** When the outcome was recorded; null while there is none. */
  outcome_time: z.nullable(z.string()),
  /** The code of the problem that was answered. Of what was done without some fields `not-kept=` and their names. */
  problem: z.nullable(z.string()),
  request_id: z.string(),
  /** Whether `activity.settle` may be asked: the outcome is unknown, and the service can be read again. */
  can_settle: z.boolean(),
  /** Of the last row of this entry. */
  hash: z.string(),
});
export type ActivityEntry = z.output<typeof activityEntry>;

const environmentParams = z.strictObject({ environment: environmentId });

/** Rows of one page at most. */
export const activityPageLimit = 500;

const time = z.string().check(
  z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/),
  z.refine((text) => !Number.isNaN(Date.parse(text))),
);

const filters = {
  /** Part of a person's name or login name, or an exact id. */
  person: z.optional(z.string()),
  service: z.optional(z.enum([...serviceName.options, 'console'])),
  /** Kind of the resource, for example `target`. */
  kind: z.optional(z.string()),
  action: z.optional(z.string()),
  /** Exact id of a resource. */
  resource_id: z.optional(
    z.string().check(z.minLength(1, 'Enter the ID of a resource, or leave out the parameter.')),
  ),
  outcome: z.optional(z.enum(activityOutcomes)),
  /** The code of the problem that was answered: of what was refused, `conflict` or `forbidden` for example. */
  problem: z.optional(z.enum(problemCodes)),
  request_id: z.optional(z.string()),
  /** RFC 3339; inclusive. */
  from: z.optional(time),
  /** RFC 3339; exclusive. */
  to: z.optional(time),
};

/** What is wrong with one row of the chain. */
export const chainFault = z.object({
  sequence: z.int(),
  /**
   * `changed`: it does not have the hash of its content. `missing`: there is no such row. `moved`: it does not follow
   * on the row before it, whose hash it does not name. `key-missing`: the key that it was made with can't be opened. `cut`:
   * the trail ended with another row once; its end was taken away. `added`: it is outside the chain, before its first row or
   * after its last one.
   */
  fault: z.enum(['changed', 'missing', 'moved', 'key-missing', 'cut', 'added']),
});

export const verification = z.object({
  intact: z.boolean(),
  /** Rows that were checked. An entry has one row for the intent and one for each outcome. */
  rows: z.int(),
  /** The last row's hash: whoever wrote it down elsewhere can tell later that nothing before was replaced. */
  head: z.object({ sequence: z.int(), hash: z.string() }),
  /** The first hundred. */
  faults: z.array(chainFault),
  checked_at: z.string(),
});
export type Verification = z.output<typeof verification>;

export const activity = defineResource(() => ({
  list: defineEndpoint(at.activity.list, {
    summary: 'A page of the audit trail, newest first',
    params: environmentParams,
    query: z.strictObject({
      ...filters,
      page_size: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(activityPageLimit))),
      page_token: z.optional(z.string()),
    }),
    response: z.object({
      items: z.array(activityEntry),
      /** Present when more pages follow. */
      next_page_token: z.optional(z.string()),
      /** Whose activity the caller sees: of an administrator of the environment all, of others their own. */
      sees: z.enum(['all', 'own']),
      /** Entries that the caller sees whose outcome is unknown, whatever the filters. */
      unknown_count: z.int(),
    }),
    errors: ['unauthenticated', 'invalid-request', 'not-found'],
  }),
  get: defineEndpoint(at.activity.get, {
    summary: 'One entry of the audit trail',
    params: z.strictObject({ environment: environmentId, sequence: z.string() }),
    response: activityEntry,
    errors: ['unauthenticated', 'not-found'],
  }),
  verify: defineEndpoint(at.activity.verify, {
    summary: 'Verify the hash chain of the whole audit trail',
    params: environmentParams,
    response: verification,
    errors: ['unauthenticated', 'forbidden', 'not-found'],
  }),
  export: defineEndpoint(at.activity.export, {
    summary: 'The audit trail as NDJSON, oldest first, one entry per line',
    params: environmentParams,
    query: z.strictObject(filters),
    response: activityEntry,
    stream: true,
    errors: ['unauthenticated', 'invalid-request', 'not-found'],
  }),
  settle: defineEndpoint(at.activity.settle, {
    summary: 'Read the service again and record the outcome of a change',
    params: z.strictObject({ environment: environmentId, sequence: z.string() }),
    /** Its outcome stays `unknown` where reading again could not tell. */
    response: activityEntry,
    errors: ['unauthenticated', 'not-connected', 'forbidden', 'not-found', 'invalid-request'],
  }),
}));
