/** Optional parts of an `HttpError`. */
export interface HttpErrorInit {
  /** Response headers, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Details for the service's wire format; never a secret. */
  readonly details?: unknown;
  readonly cause?: unknown;
}

/**
 * An error whose status, code and message may be sent to the caller. Each service converts it to its own wire format;
 * any other error becomes a plain 500 without details.
 */
export class HttpError extends Error {
  override readonly name: string = 'HttpError';
  /** HTTP status, 400–599. */
  readonly status: number;
  /** Stable machine-readable code, such as `payload_too_large`. */
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: unknown;

  constructor(status: number, code: string, message: string, init: HttpErrorInit = {}) {
    super(message, init.cause === undefined ? undefined : { cause: init.cause });
    this.status = status;
    this.code = code;
    this.headers = init.headers ?? {};
    this.details = init.details;
  }
}

/** 499: the client left before the answer. */
export function clientLeft(): HttpError {
  return new HttpError(499, 'client_left', 'The client left before the answer.');
}
