import type { Problem, ProblemCode } from '@gatehouse/api-types/console/problem';

/** Failures before the server could answer: no network, no server, or an answer that isn't the console's. */
export type TransportCode = 'offline' | 'unreachable' | 'unreadable';

export type ApiErrorCode = ProblemCode | TransportCode;

/** Every failure of `call`, with a code for callers to switch on. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  /** The server's problem; undefined if the answer had none. */
  readonly problem: Problem | undefined;

  constructor(code: ApiErrorCode, problem?: Problem, options?: ErrorOptions) {
    super(problem?.detail ?? code, options);
    this.code = code;
    this.problem = problem;
  }
}

/** Whether the error is an `ApiError` with one of the codes; without codes, with any. */
export function isApiError(error: unknown, ...codes: readonly ApiErrorCode[]): error is ApiError {
  return error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));
}

/** Whether a failed write may have been made nevertheless: it was sent, and its outcome is unknown. */
export function isUnknownOutcome(error: unknown): boolean {
  return isApiError(error, 'outcome-unknown', 'unreachable', 'offline', 'unreadable', 'internal');
}
