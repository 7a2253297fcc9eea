/** Waits between attempts, in milliseconds: doubled after each, up to the longest. */
export interface Retry {
  readonly first: number;
  readonly longest: number;
}

/** What is taken back from somewhere else is tried again after ten seconds, and every hour in the end. */
export const slowRetry: Retry = { first: 10_000, longest: 3_600_000 };

/** When it is tried again. @param attempts that failed before the last one @param now milliseconds since the epoch */
export function retryTime({ first, longest }: Retry, attempts: number, now: number): number {
  return now + Math.min(longest, first * 2 ** attempts);
}
