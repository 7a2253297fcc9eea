import { HttpError } from '@gatehouse/service-kit/http';
import { Refusal } from '../domain/refusal.ts';
import type { FieldFault, RefusalKind } from '../domain/refusal.ts';

/** The body of every error answer. */
export interface ErrorBody {
  readonly kind: string;
  readonly message: string;
  readonly details?: { readonly request_fields: readonly FieldFault[] };
}

const wireForms: Readonly<Record<RefusalKind, { readonly status: number; readonly kind: string }>> = {
  'invalid argument': { status: 400, kind: 'InvalidArgument' },
  'failed precondition': { status: 400, kind: 'FailedPrecondition' },
  'duplicate name': { status: 400, kind: 'InvalidArgument' },
  'invalid list token': { status: 400, kind: 'invalid list token' },
  unauthenticated: { status: 401, kind: 'Unauthenticated' },
  'sign-in failed': { status: 401, kind: 'Unauthenticated' },
  forbidden: { status: 403, kind: 'PermissionDenied' },
  'not found': { status: 404, kind: 'NotFound' },
  // Not a conflict: the field's clients know a stale version by this status.
  'not found or stale': { status: 404, kind: 'NotFound' },
  'method not allowed': { status: 405, kind: 'Method Not Allowed' },
};

/** A refusal as the HTTP error that the shared handler answers with. Other values stay as they are. */
export function toHttp(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const { status, kind } = wireForms[error.kind];
  const details = error.fields.length === 0 ? {} : { details: error.fields };
  return new HttpError(status, kind, error.message, details);
}

/** The wire form of an HTTP error. */
export function errorBody(error: HttpError): ErrorBody {
  const { details } = error;
  const kind = kindOf(error);
  if (!Array.isArray(details)) return { kind, message: error.message };
  const fields = details as readonly FieldFault[];
  return { kind, message: error.message, details: { request_fields: fields } };
}

/** Errors of the shared parts carry codes of their own; the field knows these names. */
function kindOf(error: HttpError): string {
  switch (error.status) {
    case 400:
    case 413:
    case 415:
      return error.code === 'FailedPrecondition' || error.code === 'invalid list token'
        ? error.code
        : 'InvalidArgument';
    case 429:
      return 'ResourceExhausted';
    case 500:
      return 'Internal';
    case 503:
    case 507:
      return 'Unavailable';
    default:
      return error.code;
  }
}
