import type { ProblemCode } from '@gatehouse/api-types/console/problem';
import type { ServiceName } from '@gatehouse/api-types/console/service';
import { interrupted, isHeld } from '#ground/held.ts';
import { ProblemError, type ProblemInit } from '#ground/problem.ts';
import { retryAfterSeconds } from './retry-after.ts';

/**
 * The fate of a failed request: not sent; answered; or unknown, if it was sent without a usable answer, so that the
 * service may have done what it asked for.
 */
export type Delivery = 'not-sent' | 'answered' | 'unknown';

/** A service couldn't be called, or didn't do what the request asked for. */
export class ServiceError extends ProblemError {
  override readonly name: string = 'ServiceError';
  readonly delivery: Delivery;
  /** The service's HTTP status; undefined without an answer. */
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

/** The error for an answer of 429. @param header Retry-After @param now milliseconds since the epoch */
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

/** What a service has; null if it answers that it has none (404). @throws the other errors of `read` */
export async function ifThere<Found>(read: () => Promise<Found>): Promise<Found | null> {
  try {
    return await read();
  } catch (error) {
    if (isAnswer(error, 404)) return null;
    throw error;
  }
}

/** Refuses work whose lease may have ended. @throws ServiceError `service-unavailable` if another console may already do it */
export function refuseUnlessHeld(about: {
  readonly environment: string;
  readonly service: ServiceName;
}): void {
  if (!isHeld()) throw new ServiceError('service-unavailable', interrupted, about, { delivery: 'not-sent' });
}
