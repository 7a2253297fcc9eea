/**
 * What the BFF answers when an operation fails: RFC 9457 problem details with a `code` that the page switches on.
 * No problem ever holds the body of a service's answer; `detail` is written by the console.
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

/** The HTTP status of each problem. */
export const problemStatus: Readonly<Record<ProblemCode, number>> = {
  'invalid-request': 400,
  unauthenticated: 401,
  'sign-in-failed': 401,
  'two-factor-required': 401,
  'two-factor-unsupported': 401,
  'not-connected': 424,
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

/** One refused field: `path` in dotted form as in the request body, for example `attributes.default_port`. */
export const fieldProblem = z.object({ path: z.string(), message: z.string() });
export type FieldProblem = z.output<typeof fieldProblem>;

/** What a conflict is about. `kind` is the resource in the service's own words, for example `target`. */
export const resourceRef = z.object({
  environment: z.string(),
  service: serviceName,
  kind: z.string(),
  id: z.string(),
});

/** Why a guarded write was refused: the record was changed, removed, or (for a create) is there already. */
export const conflictReason = z.enum(['modified', 'deleted', 'created']);
export type ConflictReason = z.output<typeof conflictReason>;

export const conflictDetails = z.object({
  resource: resourceRef,
  reason: conflictReason,
  expectedRevision: z.nullable(z.string()),
  currentRevision: z.nullable(z.string()),
  /** The record as it is stored now, in the resource's own schema; null when it was deleted. */
  current: z.nullable(z.unknown()),
  /** The record at the expected revision where the service keeps history; else null: the page's snapshot is the base. */
  base: z.nullable(z.unknown()),
  changedBy: z.nullable(z.string()),
  /** Whether that is the caller: in another window, or in another browser. */
  isYours: z.optional(z.boolean()),
  changedAt: z.nullable(z.string()),
});
export type ConflictDetails = z.output<typeof conflictDetails>;

/** The library that gave no credential for a session, and why, in the controller's words: `sealed`, `token-expired`, … */
export const failedSource = z.object({
  library_id: z.string(),
  credential_store_id: z.string(),
  reason: z.string(),
});
export type FailedSource = z.output<typeof failedSource>;

/** How a code of the second factor can be had (with code `two-factor-required`): `app` is an authenticator. */
export const twoFactor = z.object({
  default_delivery_method: z.string(),
  delivery_methods: z.array(z.string()),
  /** Whether a code was given, and was wrong or used. */
  refused: z.boolean(),
});
export type TwoFactor = z.output<typeof twoFactor>;

/** Why there is no session. */
export const signedOutReason = z.enum(['none', 'idle', 'expired', 'ended']);

export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** What happened, why, and what to do, in words for a person. */
  detail: z.string(),
  code: z.enum(problemCodes),
  requestId: z.string(),
  /** The service and environment whose answer (or silence) this is about. */
  service: z.optional(serviceName),
  environment: z.optional(z.string()),
  fields: z.optional(z.array(fieldProblem)),
  retryAfterSeconds: z.optional(z.number()),
  /**
   * With code `unauthenticated`: why there is no session, or that there is one, but of another person than the page
   * (`personHeader`).
   */
  signedOut: z.optional(z.enum([...signedOutReason.options, 'other-person'])),
  conflict: z.optional(conflictDetails),
  failedSource: z.optional(failedSource),
  twoFactor: z.optional(twoFactor),
  /** Whose password or token is to be entered again at the service: see `session.confirm`. */
  account: z.optional(z.object({ login_name: z.string(), method: signInMethod })),
});
export type Problem = z.output<typeof problem>;
