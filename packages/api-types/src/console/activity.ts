/**
 * The audit trail. It records everything that changes a record, reveals a secret, signs in or is denied: before the
 * attempt and again with the outcome, with paths but without values, in a chain of hashes.
 */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/activity.ts';
import { decisions } from './decisions.ts';
import { problemCodes } from './problem.ts';
import { searchWords } from './search.ts';
import { environmentId, serviceName } from './service.ts';

/** `unknown`: the service gave no outcome, or the console stopped before it. `pending`: in progress. */
export const activityOutcomes = ['succeeded', 'failed', 'refused', 'unknown', 'pending'] as const;
export type ActivityOutcome = (typeof activityOutcomes)[number];

/** Precedes the login name of a user who recorded an outcome, in an entry's `problem`. */
export const saidBy = 'said-by=';

export const activityEntry = z.object({
  /** The entry's position in the chain, from 1; also its ID. */
  sequence: z.int(),
  time: z.string(),
  environment: z.string(),
  /** Null for the console's own actions. */
  service: z.nullable(serviceName),
  person: z.object({
    /** Empty if nobody is signed in, as in a failed sign-in. */
    id: z.string(),
    name: z.string(),
    login_name: z.string(),
  }),
  /** Network address of the user's machine. */
  address: z.string(),
  /** One of `activityActions`, or `request.read` for a read that was denied. */
  action: z.string(),
  resource: z.object({
    kind: z.string(),
    /** Empty if the record has none yet, as in a failed creation. */
    id: z.string(),
    /** The name at that time; empty if unknown. */
    name: z.string(),
  }),
  /**
   * The sent or requested fields in dotted form (`data.<name>` for a secret's), and the request's filters as
   * `name=value`. Of a written secret whose values could be compared: `removed=`, `added=` and `changed=` with the
   * field, or `unchanged=data`. `unchanged=record` if nothing was sent, because the record already was as requested. Of a locked out person: `disabled=true`, or `ended-sessions=`,
   * `paused-moves=`, `stopped-deliveries=`, `cancelled-sessions=` and `revoked-tokens=` with their numbers.
   */
  paths: z.array(z.string()),
  /** How the user decided conflicts before the write. */
  decisions,
  /** Null if there is none, as for creations and actions. */
  revision_before: z.nullable(z.string()),
  revision_after: z.nullable(z.string()),
  outcome: z.enum(activityOutcomes),
  /** When the outcome was recorded; null until then. */
  outcome_time: z.nullable(z.string()),
  /**
   * The code of the returned problem; `not-kept=` with field names if those fields were not stored; `said-by=` with the
   * login name of a user who recorded the outcome.
   */
  problem: z.nullable(z.string()),
  request_id: z.string(),
  /** Whether `activity.settle` can be called: the outcome is unknown, and the service can be read again. */
  can_settle: z.boolean(),
  /** Hash of this entry's last row. */
  hash: z.string(),
});
export type ActivityEntry = z.output<typeof activityEntry>;

/** A changed field. A value is text or JSON text, null if there was none. Of long texts, 1,000 characters. */
export const changedValue = z.object({
  path: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
});
export type ChangedValue = z.output<typeof changedValue>;

const environmentParams = z.strictObject({ environment: environmentId });

/** Most bars of a histogram. */
export const activityMostBars = 60;

/** Most rows of one page. */
export const activityPageLimit = 500;

const time = z.string().check(
  z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/),
  z.refine((text) => !Number.isNaN(Date.parse(text))),
);

const filters = {
  /** Each word is part of the user, the record's name, path or ID, the action, a field, the address or the request. */
  q: z.optional(searchWords),
  /** Part of a person's name, login name or ID. The ID contains that of the account: `production/access/u_…`. */
  person: z.optional(z.string()),
  service: z.optional(z.enum([...serviceName.options, 'console'])),
  /** Kind of the resource, for example `target`. */
  kind: z.optional(z.string()),
  /** One action, or several separated by commas. */
  action: z.optional(z.string()),
  /** Exact ID of a resource. */
  resource_id: z.optional(
    z.string().check(z.minLength(1, 'Enter the ID of a resource, or leave out the parameter.')),
  ),
  outcome: z.optional(z.enum(activityOutcomes)),
  /** The code of the returned problem, such as `conflict` or `forbidden` for refused calls. */
  problem: z.optional(z.enum(problemCodes)),
  request_id: z.optional(z.string()),
  /** RFC 3339; inclusive. */
  from: z.optional(time),
  /** RFC 3339; exclusive. */
  to: z.optional(time),
};

/** A fault in one row of the chain. */
export const chainFault = z.object({
  sequence: z.int(),
  /**
   * `changed`: its hash doesn't match its content. `missing`: the row doesn't exist. `moved`: it doesn't contain the
   * hash of the row before it. `key-missing`: its key can't be opened. `cut`: rows are missing at the end of the trail.
   * `added`: it is outside the chain, before the first row or after the last one.
   */
  fault: z.enum(['changed', 'missing', 'moved', 'key-missing', 'cut', 'added']),
});

export const verification = z.object({
  intact: z.boolean(),
  /** Number of verified rows. An entry has one row for the intent and one for each outcome. */
  rows: z.int(),
  /** The last row's hash. Keep a copy elsewhere to detect later that earlier rows were replaced. */
  head: z.object({ sequence: z.int(), hash: z.string() }),
  /** The first 100 faults. */
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
      /** Returns only your own entries, even if you see everyone's. */
      mine: z.optional(z.stringbool()),
      page_size: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(activityPageLimit))),
      page_token: z.optional(z.string()),
    }),
    response: z.object({
      items: z.array(activityEntry),
      /** Present when more pages follow. */
      next_page_token: z.optional(z.string()),
      /** Whose activity the caller sees: everyone's for an administrator of the environment, otherwise their own. */
      sees: z.enum(['all', 'own']),
      /** Number of visible entries with an unknown outcome, regardless of the filters. */
      unknown_count: z.int(),
    }),
    errors: ['unauthenticated', 'invalid-request', 'not-found'],
  }),
  get: defineEndpoint(at.activity.get, {
    summary: 'One entry of the audit trail',
    params: z.strictObject({ environment: environmentId, sequence: z.string() }),
    response: z.extend(activityEntry, {
      /** Null if they aren't kept for this action, or no longer. */
      values: z.nullable(z.array(changedValue)),
    }),
    errors: ['unauthenticated', 'not-found'],
  }),
  histogram: defineEndpoint(at.activity.histogram, {
    summary: 'The number of entries over time, in equal ranges',
    params: environmentParams,
    query: z.strictObject({
      ...filters,
      /** Minutes that the caller's clock is ahead of UTC, so that days begin at the caller's midnight. */
      utc_offset: z.optional(z.coerce.number().check(z.int(), z.gte(-1_440), z.lte(1_440))),
    }),
    response: z.object({
      /** The start of the first range; without the filter `from`, it contains the environment's first entry. */
      from: z.string(),
      /** The length of each range, in seconds. */
      step: z.int(),
      /** The number of entries in each range, at most `activityMostBars` of them; the last contains `to`, or now. */
      counts: z.array(z.int()),
    }),
    errors: ['unauthenticated', 'invalid-request', 'not-found'],
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
    /** `said`: what the user has found out. It is recorded, with who said it, if reading again doesn't tell. */
    body: z.optional(z.strictObject({ said: z.enum(['succeeded', 'failed']) })),
    /** A known outcome stays as it is, and an unknown one if reading again doesn't tell and nothing was said. */
    response: activityEntry,
    errors: ['unauthenticated', 'not-connected', 'no-access', 'forbidden', 'not-found', 'invalid-request'],
  }),
}));
