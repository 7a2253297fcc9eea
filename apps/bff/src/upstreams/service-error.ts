import type { ProblemCode } from '@gatehouse/api-types/console/problem';
import type { ServiceName } from '@gatehouse/api-types/console/service';
import { ProblemError, type ProblemInit } from '#ground/problem.ts';
import { retryAfterSeconds } from './retry-after.ts';

/**
 * What became of a request that failed: it was not sent; it was answered; or it was sent and nothing usable came
 * back, so that the service may have done what it asked.
 */
export type Delivery = 'not-sent' | 'answered' | 'unknown';

/** A service could not be asked, or did not do what it was asked. */
export class ServiceError extends ProblemError {
  override readonly name: string = 'ServiceError';
  readonly delivery: Delivery;
  /** The service's HTTP status, where it answered one. */
  readonly serviceStatus: number | undefined;

  constructor(
    code: ProblemCode,
    detail: string,
    init: ProblemInit & { readonly service: ServiceName; readonly environment: string },
    outcome: { readonly delivery: Delivery; readonly status?: number },
  ) {
    super(code, detail, init);
    this.delivery = outcome.delivery;
    this.serviceStatus = outcome.status;
  }
}

/** The answer 429. @param header Retry-After @param now milliseconds since the epoch */
export function rateLimited(
  { service, environment }: { readonly service: ServiceName; readonly environment: string },
  header: string | string[] | undefined,
  now: number,
): ServiceError {
  const seconds = retryAfterSeconds(typeof header === 'string' ? header : undefined, now);
  return new ServiceError(
    'rate-limited',
    'The service is receiving too many requests. Wait a moment, then try again.',
    { service, environment, retryAfterSeconds: seconds },
    { delivery: 'answered', status: 429 },
  );
}

/** Whether an error is a service's answer with one of these statuses. */
export function isAnswer(error: unknown, ...statuses: readonly number[]): error is ServiceError {
  return (
    error instanceof ServiceError &&
    error.serviceStatus !== undefined &&
    statuses.includes(error.serviceStatus)
  );
}
