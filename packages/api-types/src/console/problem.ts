/**
 * The BFF's error answer: RFC 9457 problem details with a `code` that the page switches on. A problem never contains
 * the body of a service's answer; the console writes `detail`.
 */
import * as z from 'zod/mini';
import { serviceName, signInMethod } from './service.ts';

export const problemCodes = [
  'invalid-request',
  'unauthenticated',
  'sign-in-failed',
  'two-factor-required',
  'two-factor-unsupported',
  'not-connected',
  'no-access',
  'confirmation-required',
  'forbidden',
  'origin-refused',
  'host-refused',
  'not-found',
  'method-not-allowed',
  'conflict',
  'revision-required',
  'payload-too-large',
  'unsupported-media-type',
  'rate-limited',
  'service-unavailable',
  'service-sealed',
  'service-standby',
  'service-timeout',
  'bad-answer',
  'outcome-unknown',
  'storage-full',
  'internal',
] as const;

export type ProblemCode = (typeof problemCodes)[number];

/** The HTTP status of each problem code. */
export const problemStatus: Readonly<Record<ProblemCode, number>> = {
  'invalid-request': 400,
  unauthenticated: 401,
  'sign-in-failed': 401,
  'two-factor-required': 401,
  'two-factor-unsupported': 401,
  'not-connected': 424,
  'no-access': 403,
  'confirmation-required': 403,
  forbidden: 403,
  'origin-refused': 403,
  'host-refused': 421,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  'revision-required': 428,
  'payload-too-large': 413,
  'unsupported-media-type': 415,
  'rate-limited': 429,
  'service-unavailable': 503,
  'service-sealed': 503,
  'service-standby': 503,
  'service-timeout': 504,
  'bad-answer': 502,
  'outcome-unknown': 502,
  'storage-full': 507,
  internal: 500,
};

/** A refused field; `path` is its dotted name in the request body, for example `attributes.default_port`. */
export const fieldProblem = z.object({ path: z.string(), message: z.string() });
export type FieldProblem = z.output<typeof fieldProblem>;

/** What a conflict is about. `kind` is the service's name for the resource, for example `target`. */
export const resourceRef = z.object({
  environment: z.string(),
  service: serviceName,
  kind: z.string(),
  id: z.string(),
});

/** Why a guarded write was refused: the record was changed or deleted, or (for a create) already exists. */
export const conflictReason = z.enum(['modified', 'deleted', 'created']);
export type ConflictReason = z.output<typeof conflictReason>;

export const conflictDetails = z.object({
  resource: resourceRef,
  reason: conflictReason,
  expectedRevision: z.nullable(z.string()),
  currentRevision: z.nullable(z.string()),
  /** The stored record in the resource's schema; null if it was deleted. */
  current: z.nullable(z.unknown()),
  /**
   * The record at the expected revision if the service keeps history; otherwise null, and the page's snapshot is the
   * base.
   */
  base: z.nullable(z.unknown()),
  changedBy: z.nullable(z.string()),
  /** Whether the caller made that change, in another window or browser. */
  isYours: z.optional(z.boolean()),
  changedAt: z.nullable(z.string()),
});
export type ConflictDetails = z.output<typeof conflictDetails>;

/** The library that provided no credential for a session, and the controller's reason: `sealed`, `token-expired`, … */
export const failedSource = z.object({
  library_id: z.string(),
  credential_store_id: z.string(),
  reason: z.string(),
});
export type FailedSource = z.output<typeof failedSource>;

/** How to get a second-factor code (with code `two-factor-required`): `app` is an authenticator. */
export const twoFactor = z.object({
  default_delivery_method: z.string(),
  delivery_methods: z.array(z.string()),
  /** Whether a code was sent but was wrong or already used. */
  refused: z.boolean(),
});
export type TwoFactor = z.output<typeof twoFactor>;

/** Why the caller has no session. */
export const signedOutReason = z.enum(['none', 'idle', 'expired', 'ended']);

export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** What happened, why, and what to do, as text for the user. */
  detail: z.string(),
  code: z.enum(problemCodes),
  requestId: z.string(),
  /** The service and environment that answered, or failed to answer. */
  service: z.optional(serviceName),
  environment: z.optional(z.string()),
  fields: z.optional(z.array(fieldProblem)),
  retryAfterSeconds: z.optional(z.number()),
  /**
   * With code `unauthenticated`: why there is no session, or that the session belongs to another person than the page
   * (`personHeader`).
   */
  signedOut: z.optional(z.enum([...signedOutReason.options, 'other-person'])),
  conflict: z.optional(conflictDetails),
  failedSource: z.optional(failedSource),
  twoFactor: z.optional(twoFactor),
  /** The account whose password or token must be entered again: see `session.confirm`. */
  account: z.optional(z.object({ login_name: z.string(), method: signInMethod })),
});
export type Problem = z.output<typeof problem>;
