/** Errors of a registry that a user named, in words for that user. The registry's texts are never shown. */
import { wantedLimit } from '@gatehouse/api-types/console/moves';
import type { ProblemCode } from '@gatehouse/api-types/console/problem';
import { errorCode } from '@gatehouse/service-kit/error-code';
import { tlsFault } from '@gatehouse/service-kit/tls-fault';
import { errors } from 'undici';
import { ProblemError, type ProblemInit } from '#ground/problem.ts';
import { NotPublic } from '#upstreams/destinations.ts';
import { retryAfterSeconds } from '#upstreams/retry-after.ts';

/** A source couldn't be read. */
export class SourceError extends ProblemError {
  override readonly name = 'SourceError';
  /** The status of its answer; undefined without an answer. */
  readonly sourceStatus: number | undefined;

  constructor(code: ProblemCode, detail: string, init: ProblemInit & { readonly status?: number } = {}) {
    super(code, detail, init);
    this.sourceStatus = init.status;
  }
}

/** A refused address, with the reason. */
export type Refusal = 'scheme' | 'network' | 'port' | 'user' | 'not an address' | 'nowhere' | 'too many';

const reasons: Readonly<Record<Exclude<Refusal, keyof typeof badRedirects>, string>> = {
  scheme: "isn't https. If it is right, add its origin to moves.sources in the configuration",
  network:
    'is on a private network. If the console may read from it, add its origin to moves.sources in the configuration',
  port: "has a port that the console doesn't call. Use port 443, or a port from 1024 up",
  user: 'contains a user name or password',
  'not an address': 'is not an address',
};

const badRedirects = {
  nowhere: 'The source sends a redirect without an address.',
  'too many': 'The source redirects more than five times.',
} as const;

/** @param isRedirect whether a registry led there, rather than a user */
export function refused(why: Refusal, isRedirect: boolean, cause?: unknown): SourceError {
  if (why === 'nowhere' || why === 'too many')
    return new SourceError('bad-answer', badRedirects[why], { cause });
  const subject = isRedirect ? 'The source redirects to an address that' : 'The address of the source';
  const detail = `${subject} ${reasons[why]}.`;
  if (isRedirect) return new SourceError('bad-answer', detail, { cause });
  // A form shows it beside the field.
  return new SourceError('invalid-request', detail, {
    cause,
    fields: [{ path: 'address', message: detail }],
  });
}

/** The error of an answer of 400 or more. */
export interface FailedAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Whether the source itself answered, and not a store that it led to. */
  readonly own: boolean;
  /** Whether a token was sent. */
  readonly withToken: boolean;
}

/** @param now milliseconds since the epoch */
export function answeredError(
  { status, retryAfter, own, withToken }: FailedAnswer,
  now: number,
): SourceError {
  const who = own ? 'The source' : 'The server that the source points to';
  if (status === 429 || (status === 503 && retryAfter !== undefined))
    return new SourceError(
      'rate-limited',
      `${who} is receiving too many requests. Wait a moment, then try again.`,
      {
        status,
        retryAfterSeconds: retryAfterSeconds(retryAfter, now),
      },
    );
  if (status === 401 || status === 403) {
    if (!own)
      return new SourceError(
        'not-found',
        `${who} refused to send the file (status ${status}). The link may have expired: retry this item.`,
        { status },
      );
    return new SourceError(
      'forbidden',
      withToken
        ? `${who} refused the token (status ${status}). It may have expired, or may not have the right to read this.`
        : `${who} requires a token for this (status ${status}). Enter one that can read it.`,
      { status },
    );
  }
  // No token is sent there.
  if ((status === 404 || status === 410) && !own)
    return new SourceError('not-found', `${who} doesn't have this (status ${status}).`, { status });
  if (status === 404 || status === 410)
    return new SourceError(
      'not-found',
      withToken
        ? `${who} doesn't have this, or the token can't read it.`
        : `${who} doesn't have this, or it is private and requires a token.`,
      { status },
    );
  if (status >= 500)
    return new SourceError('service-unavailable', `${who} returned an error (status ${status}).`, { status });
  return new SourceError('bad-answer', `${who} refused the request (status ${status}).`, { status });
}

const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
]);

/** The error of a broken connection. @param isRedirect as in `refused` */
export function brokenError(error: unknown, isRedirect: boolean): SourceError {
  if (error instanceof SourceError) return error;
  const code = errorCode(error);
  if (error instanceof NotPublic) return refused('network', isRedirect, error);
  const told = (problem: ProblemCode, detail: string): SourceError =>
    new SourceError(problem, detail, { cause: error });
  if (error instanceof errors.ConnectTimeoutError)
    return told('service-timeout', "The source didn't accept the connection in time.");
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError)
    return told('service-timeout', "The source didn't respond in time.");
  if (error instanceof errors.ResponseExceededMaxSizeError)
    return told('bad-answer', "The source's response comes in more pieces than the console reads.");
  if (error instanceof errors.HeadersOverflowError)
    return told('bad-answer', "The source's response has more headers than the console reads.");
  if (error instanceof errors.HTTPParserError || error instanceof errors.ResponseContentLengthMismatchError)
    return told('bad-answer', 'The source sent an invalid HTTP response.');
  if (code !== undefined && unreachable.has(code))
    return told('service-unavailable', "The source can't be reached. Check its address.");
  const fault = tlsFault(error);
  if (fault !== undefined)
    return told(
      'service-unavailable',
      `The source can't be reached securely: ${fault}. If its address and certificate are right, set moves.ca in the configuration to a file with its CA certificate.`,
    );
  return told('service-unavailable', 'The connection to the source was lost.');
}

/** @throws SourceError for a list of more boxes or modules than a move takes */
export function checkListed(count: number, noun: string): void {
  if (count <= wantedLimit) return;
  throw new SourceError(
    'payload-too-large',
    `The source lists more than ${wantedLimit.toLocaleString('en')} ${noun}, which is more than a move takes. Name the ones to move.`,
  );
}
