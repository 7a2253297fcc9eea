import type { ProblemCode } from '@gatehouse/api-types/console/problem';
/** What may go wrong with a registry that somebody named, in words for that person. Texts of the registry are never told. */
import { errorCode } from '@gatehouse/service-kit/error-code';
import { errors } from 'undici';
import { ProblemError, type ProblemInit } from '#ground/problem.ts';
import { NotPublic } from '#upstreams/destinations.ts';
import { retryAfterSeconds } from '#upstreams/retry-after.ts';

/** A source could not be read. */
export class SourceError extends ProblemError {
  override readonly name = 'SourceError';
  /** What it answered with; undefined where it did not answer. */
  readonly sourceStatus: number | undefined;

  constructor(code: ProblemCode, detail: string, init: ProblemInit & { readonly status?: number } = {}) {
    super(code, detail, init);
    this.sourceStatus = init.status;
  }
}

/** An address that is refused, and why. */
export type Refusal = 'scheme' | 'network' | 'port' | 'user' | 'not an address' | 'nowhere' | 'too many';

const reasons: Readonly<Record<Refusal, string>> = {
  scheme: 'is not https. Name its origin in moves.sources of the configuration if it is right',
  network:
    'is on a network that is not public. Name its origin in moves.sources of the configuration if the console may read from it',
  port: 'has a port that the console does not call: take 443, or one from 1024 on',
  user: 'has a user name or a password in it',
  'not an address': 'is not an address',
  nowhere: 'is nowhere',
  'too many': 'leads on more than five times',
};

/** @param isRedirect whether a registry led there, rather than a person */
export function refused(why: Refusal, isRedirect: boolean, cause?: unknown): SourceError {
  const subject = isRedirect ? 'The source leads to an address that' : 'The address of the source';
  const detail = `${subject} ${reasons[why]}.`;
  if (isRedirect) return new SourceError('bad-answer', detail, { cause });
  // A form shows it beside the field.
  return new SourceError('invalid-request', detail, {
    cause,
    fields: [{ path: 'address', message: detail }],
  });
}

/** What an answer of 400 or more stands for. */
export interface FailedAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Whether the source itself answered, and not a store that it led to. */
  readonly own: boolean;
  /** Whether a token went with the request. */
  readonly withToken: boolean;
}

/** @param now milliseconds since the epoch */
export function answeredError(
  { status, retryAfter, own, withToken }: FailedAnswer,
  now: number,
): SourceError {
  const who = own ? 'The source' : 'The server that the source points to';
  if (status === 429 || (status === 503 && retryAfter !== undefined))
    return new SourceError('rate-limited', `${who} asks to wait: it receives too many requests.`, {
      status,
      retryAfterSeconds: retryAfterSeconds(retryAfter, now),
    });
  if (status === 401 || status === 403) {
    if (!own)
      return new SourceError('not-found', `${who} does not hand it out (status ${status}).`, { status });
    return new SourceError(
      'forbidden',
      withToken
        ? `${who} refuses the token (status ${status}): it may have ended, or may not read this.`
        : `${who} does not answer this without a token (status ${status}). Give one that may read it.`,
      { status },
    );
  }
  // No token goes there.
  if ((status === 404 || status === 410) && !own)
    return new SourceError('not-found', `${who} does not have this (status ${status}).`, { status });
  if (status === 404 || status === 410)
    return new SourceError(
      'not-found',
      withToken
        ? `${who} does not have this, or the token may not read it.`
        : `${who} does not have this, or it is private and needs a token.`,
      { status },
    );
  if (status >= 500)
    return new SourceError('service-unavailable', `${who} failed to answer (status ${status}).`, { status });
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

/** What broke a connection. @param isRedirect as for `refused` */
export function brokenError(error: unknown, isRedirect: boolean): SourceError {
  if (error instanceof SourceError) return error;
  const code = errorCode(error);
  if (error instanceof NotPublic) return refused('network', isRedirect, error);
  const told = (problem: ProblemCode, detail: string): SourceError =>
    new SourceError(problem, detail, { cause: error });
  if (error instanceof errors.ConnectTimeoutError)
    return told('service-timeout', 'The source did not accept the connection in time.');
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError)
    return told('service-timeout', 'The source did not answer in time.');
  if (error instanceof errors.HeadersOverflowError)
    return told('bad-answer', 'The source answered with more header fields than the console reads.');
  if (error instanceof errors.HTTPParserError || error instanceof errors.ResponseContentLengthMismatchError)
    return told('bad-answer', 'The source answered something that is not HTTP.');
  if (code !== undefined && unreachable.has(code))
    return told('service-unavailable', 'The source can’t be reached. Check its address.');
  if (
    code !== undefined &&
    /^(?:CERT_|ERR_TLS_|ERR_SSL_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code)
  )
    return told(
      'service-unavailable',
      'The certificate of the source is not trusted. Give its authority as moves.ca in the configuration if it is right.',
    );
  return told('service-unavailable', 'The connection to the source was lost.');
}
