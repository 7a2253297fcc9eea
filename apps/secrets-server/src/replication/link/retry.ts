/** The pauses between attempts, in milliseconds. */
export interface RetryPauses {
  readonly first: number;
  readonly most: number;
}

/** The default pauses. */
export const retryDefault: RetryPauses = { first: 500, most: 30_000 };

/**
 * How long to wait before the next attempt, in milliseconds. The pause doubles each time; after a refusal it is the
 * maximum, because refusals don't pass by waiting.
 * @param failures consecutive failures before this one
 * @param random from 0 to 1; shortens the pause by up to half, so that not all secondaries reconnect at once
 */
export function pauseAfter(
  failures: number,
  denied: boolean,
  { first, most }: RetryPauses,
  random: number,
): number {
  const longest = denied ? most : Math.min(most, first * 2 ** failures);
  return longest * (1 - random / 2);
}
