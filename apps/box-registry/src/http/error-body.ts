import { HttpError } from '@gatehouse/service-kit/http';
import { Refusal, TwoFactorNeeded } from '../domain/refusal.ts';
import type { RefusalKind } from '../domain/refusal.ts';

/** The body of every error answer. */
export interface ErrorBody {
  readonly errors: readonly string[];
  readonly success: false;
}

const statuses: Readonly<Record<RefusalKind, number>> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not found': 404,
  'method not allowed': 405,
  'two-factor needed': 406,
  unprocessable: 422,
  'too many attempts': 429,
  busy: 503,
};

/** Turns a refusal into an HTTP error for the shared error handler. Returns other values unchanged. */
export function toHttp(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  return new HttpError(statuses[error.kind], error.kind, error.message, {
    details: error,
    ...((error.kind === 'too many attempts' || error.kind === 'busy') && {
      headers: { 'Retry-After': '60' },
    }),
  });
}

/** The wire form of an HTTP error. */
export function errorBody(error: HttpError): unknown {
  const { details } = error;
  const errors = details instanceof Refusal ? details.errors : [error.message];
  const body: ErrorBody = { errors, success: false };
  return details instanceof TwoFactorNeeded
    ? { two_factor: { default_delivery_method: 'app', delivery_methods: details.deliveryMethods }, ...body }
    : body;
}
