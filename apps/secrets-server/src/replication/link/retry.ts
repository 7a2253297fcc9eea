/** Pauses between attempts, in milliseconds. */
export interface RetryPauses {
  readonly first: number;
  readonly most: number;
}

/** Unless other ones are given. */
export const retryDefault: RetryPauses = { first: 500, most: 30_000 };

/**
 * How long to wait, in milliseconds, until a primary is tried again: twice as long each time, and at once the longest for
 * one that refuses this cluster, for that does not pass by itself.
 * @param failures attempts since the last that worked, without this one
 * @param random from 0 to 1: up to half of the pause, so that not all who lost a primary come back at once
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
