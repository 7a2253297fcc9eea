/**
 * The remaining time limit of a role change for its external calls: files, the primary's API, and its cluster
 * addresses.
 */
export type Patience = ReturnType<typeof patienceOf>;

/**
 * Starts the time limit.
 * @param eachMs per call, in milliseconds
 * @param allMs for all calls together, in milliseconds
 */
export function patienceOf(eachMs: number, allMs: number) {
  const end = performance.now() + allMs;
  return {
    eachMs,
    /** The remaining time for all calls in milliseconds; 0 when it is over. */
    left: (): number => Math.max(0, end - performance.now()),
  };
}

/**
 * The time limit of the next of several calls in milliseconds, which leaves equal shares for the others.
 * @param others the number of calls after the next one
 */
export function shareOf({ eachMs, left }: Patience, others = 0): number {
  return Math.ceil(Math.min(eachMs, left() / (others + 1)));
}
