/** The pauses between attempts in milliseconds, doubled each time up to the longest. */
export interface Retry {
  readonly first: number;
  readonly longest: number;
}

/** The pauses between attempts to revoke at another system: ten seconds at first, one hour at most. */
export const slowRetry: Retry = { first: 10_000, longest: 3_600_000 };

/**
 * The time of the next attempt.
 * @param attempts the number of failures before the last one
 * @param now milliseconds since the epoch
 */
export function retryTime({ first, longest }: Retry, attempts: number, now: number): number {
  return now + Math.min(longest, first * 2 ** attempts);
}
