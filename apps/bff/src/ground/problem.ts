import {
  problemStatus,
  type ConflictDetails,
  type FailedSource,
  type FieldProblem,
  type Problem,
  type ProblemCode,
  type TwoFactor,
} from '@gatehouse/api-types/console/problem';
import type { signedOutReason } from '@gatehouse/api-types/console/problem';
import type { ServiceName } from '@gatehouse/api-types/console/service';
import { HttpError } from '@gatehouse/service-kit/http';
import type * as z from 'zod/mini';

/** Why there is no session. */
export type SignedOutReason = z.output<typeof signedOutReason>;

/** What a problem may contain besides its code and text. */
export interface ProblemInit {
  readonly service?: ServiceName;
  readonly environment?: string;
  readonly fields?: readonly FieldProblem[];
  readonly retryAfterSeconds?: number;
  readonly signedOut?: Problem['signedOut'];
  readonly conflict?: ConflictDetails;
  readonly failedSource?: FailedSource;
  readonly twoFactor?: TwoFactor;
  readonly account?: Problem['account'];
  /** The path's methods, for the `Allow` header of a 405. */
  readonly allow?: readonly string[];
  /** For the audit trail: what was done differently than requested. Never answered. */
  readonly done?: { readonly revision: string; readonly problem: string };
  /** For the audit trail: whether the change may have been made, although this was answered. Never answered. */
  readonly mayBeDone?: boolean;
  /** For the log; never answered. */
  readonly cause?: unknown;
}

/** An operation failed in a way that the page recognizes by the code. All of it may be shown to the user. */
export class ProblemError extends HttpError {
  override readonly name: string = 'ProblemError';
  declare readonly code: ProblemCode;
  readonly init: ProblemInit;

  /**
   * @param code selects the page's behavior
   * @param detail what happened, why, and what to do, for the user; never a service's text
   */
  constructor(code: ProblemCode, detail: string, init: ProblemInit = {}) {
    super(problemStatus[code], code, detail, { headers: headersOf(code, init), cause: init.cause });
    this.init = init;
  }
}

/** Whether the change of an operation that failed may have been made. An unexpected error leaves that unknown. */
export function mayBeDone(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return true;
  return error.code === 'outcome-unknown' || error.init.mayBeDone === true;
}

function headersOf(code: ProblemCode, { retryAfterSeconds, allow }: ProblemInit): Record<string, string> {
  return {
    // Each further attempt costs its sender a connection.
    ...((code === 'host-refused' || code === 'origin-refused') && { Connection: 'close' }),
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(Math.ceil(retryAfterSeconds)) }),
    ...(allow !== undefined && { Allow: allow.join(', ') }),
  };
}

const titles: Readonly<Record<ProblemCode, string>> = {
  'invalid-request': 'The request is not valid',
  unauthenticated: 'Not signed in',
  'sign-in-failed': 'Sign-in failed',
  'two-factor-required': 'A second-factor code is required',
  'two-factor-unsupported': "The console doesn't support the required second factor",
  'not-connected': 'Not connected to the service',
  'no-access': 'No role in the service',
  'confirmation-required': 'Confirm your password',
  forbidden: 'Not allowed',
  'origin-refused': "The request didn't come from the console",
  'host-refused': 'Host name not allowed',
  'not-found': 'Not found',
  'method-not-allowed': 'Method not allowed',
  conflict: 'Conflict with the stored record',
  'revision-required': 'The revision is missing',
  'payload-too-large': 'Too large',
  'unsupported-media-type': 'Unsupported media type',
  'rate-limited': 'Too many requests',
  'service-unavailable': 'The service is unavailable',
  'service-sealed': 'The service is sealed',
  'service-standby': 'The service is on standby',
  'service-timeout': "The service didn't respond in time",
  'bad-answer': 'Unexpected response from the service',
  'outcome-unknown': 'Outcome unknown',
  'storage-full': 'No space left',
  internal: 'The console failed',
};

function codeOf(error: HttpError): ProblemCode {
  switch (error.status) {
    case 413:
      return 'payload-too-large';
    case 415:
      return 'unsupported-media-type';
    case 429:
      return 'rate-limited';
    case 503:
      return 'service-unavailable';
    case 507:
      return 'storage-full';
    default:
      return error.status < 500 ? 'invalid-request' : 'internal';
  }
}

/** The body of a problem's answer (RFC 9457), whatever refused the request. */
export function problemBody(error: HttpError, requestId: string): Problem {
  const code = error instanceof ProblemError ? error.code : codeOf(error);
  const { service, environment, fields, signedOut, conflict, failedSource, twoFactor, account }: ProblemInit =
    error instanceof ProblemError ? error.init : {};
  const retryAfter = error.headers['Retry-After'];
  return {
    type: `urn:gatehouse:problem:${code}`,
    title: titles[code],
    status: error.status,
    detail: error.message,
    code,
    requestId,
    ...(service !== undefined && { service }),
    ...(environment !== undefined && { environment }),
    ...(fields !== undefined && { fields: [...fields] }),
    ...(retryAfter !== undefined && { retryAfterSeconds: Number(retryAfter) }),
    ...(signedOut !== undefined && { signedOut }),
    ...(conflict !== undefined && { conflict }),
    ...(failedSource !== undefined && { failedSource }),
    ...(twoFactor !== undefined && { twoFactor }),
    ...(account !== undefined && { account }),
  };
}

/** Whether a service or source couldn't be reached now, and may answer later. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof ProblemError &&
    ['service-unavailable', 'service-timeout', 'rate-limited'].includes(error.code)
  );
}
