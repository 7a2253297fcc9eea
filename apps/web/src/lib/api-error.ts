import type { Problem, ProblemCode } from '@gatehouse/api-types/console/problem';

/** What went wrong before the console's server could say anything: no network, no server, or an answer that is not ours. */
export type TransportCode = 'offline' | 'unreachable' | 'unreadable';

export type ApiErrorCode = ProblemCode | TransportCode;

/** Every failure of `call`, by the code that a caller switches on. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  /** What the server said; absent when it said nothing that can be read. */
  readonly problem: Problem | undefined;

  constructor(code: ApiErrorCode, problem?: Problem, options?: ErrorOptions) {
    super(problem?.detail ?? code, options);
    this.code = code;
    this.problem = problem;
  }
}

/** True for an `ApiError` with one of the codes. */
export function isApiError(error: unknown, ...codes: readonly ApiErrorCode[]): error is ApiError {
  return error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));
}

/** Whether a write that failed may have been made all the same: it was sent, and nobody told how it ended. */
export function isUnknownOutcome(error: unknown): boolean {
  return isApiError(error, 'outcome-unknown', 'unreachable', 'offline', 'unreadable', 'internal');
}
