import { HttpError } from '@gatehouse/service-kit/http';
import { Refusal } from '../domain/refusal.ts';
import type { FieldFault, RefusalKind } from '../domain/refusal.ts';

/** The body of every error answer. */
export interface ErrorBody {
  readonly kind: string;
  readonly message: string;
  readonly details?: ErrorDetails;
}

interface ErrorDetails {
  readonly request_fields?: readonly FieldFault[];
  /** The library that returned no credential for a session. */
  readonly credential_source?: {
    readonly id: string;
    readonly credential_store_id: string;
    readonly reason: string;
  };
}

const wireForms: Readonly<Record<RefusalKind, { readonly status: number; readonly kind: string }>> = {
  'invalid argument': { status: 400, kind: 'InvalidArgument' },
  'failed precondition': { status: 400, kind: 'FailedPrecondition' },
  'credential source failed': { status: 400, kind: 'FailedPrecondition' },
  'duplicate name': { status: 400, kind: 'InvalidArgument' },
  'invalid list token': { status: 400, kind: 'invalid list token' },
  unauthenticated: { status: 401, kind: 'Unauthenticated' },
  'sign-in failed': { status: 401, kind: 'Unauthenticated' },
  forbidden: { status: 403, kind: 'PermissionDenied' },
  'not found': { status: 404, kind: 'NotFound' },
  // 404, not a conflict: Boundary's clients know a stale version by this status.
  'not found or stale': { status: 404, kind: 'NotFound' },
  'method not allowed': { status: 405, kind: 'Method Not Allowed' },
};

/** Turns a refusal into an HTTP error for the shared error handler. Returns other values unchanged. */
export function toHttp(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const { status, kind } = wireForms[error.kind];
  const details = detailsOf(error);
  return new HttpError(status, kind, error.message, details === undefined ? {} : { details });
}

function detailsOf({ fields, source }: Refusal): WireDetails | undefined {
  if (source !== undefined) {
    const { libraryId: id, storeId: credential_store_id, reason } = source;
    return new WireDetails({ credential_source: { id, credential_store_id, reason } });
  }
  return fields.length === 0 ? undefined : new WireDetails({ request_fields: fields });
}

/** Error details from this service, as opposed to those of the shared code. */
class WireDetails {
  readonly wire: ErrorDetails;

  constructor(wire: ErrorDetails) {
    this.wire = wire;
  }
}

/** The wire form of an HTTP error. */
export function errorBody(error: HttpError): ErrorBody {
  const { details } = error;
  const kind = kindOf(error);
  const { message } = error;
  return details instanceof WireDetails ? { kind, message, details: details.wire } : { kind, message };
}

/** The shared code has its own error codes; this maps them to Boundary's names. */
function kindOf(error: HttpError): string {
  switch (error.status) {
    case 400:
    case 413:
    case 415:
      return error.code === 'FailedPrecondition' || error.code === 'invalid list token'
        ? error.code
        : 'InvalidArgument';
    case 403:
      return 'PermissionDenied';
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
