/** What an `HttpError` carries beside its status. */
export interface HttpErrorInit {
  /** Header fields of the answer, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Anything that the service's wire form wants to show; never a secret. */
  readonly details?: unknown;
  readonly cause?: unknown;
}

/**
 * An error whose status, code and message may be told to the caller. Each service turns it into its own
 * wire form; every other error becomes a plain 500 that tells nothing.
 */
export class HttpError extends Error {
  override readonly name: string = 'HttpError';
  /** HTTP status of the answer, 400–599. */
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
