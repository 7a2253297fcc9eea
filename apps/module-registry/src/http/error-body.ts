import { BadArchive, ReaderBusy } from '@gatehouse/module-archive/bad-archive';
import { HttpError } from '@gatehouse/service-kit/http';
import { Refusal } from '../domain/refusal.ts';
import type { RefusalKind } from '../domain/refusal.ts';

const statuses: Readonly<Record<RefusalKind, number>> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not found': 404,
  conflict: 409,
  changed: 412,
  unprocessable: 422,
};

/** Turns a refusal or a bad archive into an HTTP error for the shared error handler. Returns other values unchanged. */
export function toHttp(error: unknown): unknown {
  if (error instanceof BadArchive)
    return new HttpError(error.isTooLarge ? 413 : 422, 'bad_archive', error.message);
  if (error instanceof ReaderBusy)
    return new HttpError(error.isOwn ? 429 : 503, 'busy', error.message, {
      headers: { 'Retry-After': String(error.retryAfterSeconds) },
    });
  if (!(error instanceof Refusal)) return error;
  return new HttpError(statuses[error.kind], error.kind, error.message, { details: error });
}

/** The wire form of an HTTP error. */
export function errorBody(error: HttpError): unknown {
  const { details } = error;
  return { errors: details instanceof Refusal ? details.errors : [error.message] };
}
