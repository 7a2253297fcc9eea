import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';

/**
 * Counts a comparison with values that the user may not see, because many comparisons are guesses.
 * @throws ProblemError `rate-limited`
 */
export function countComparison({ comparisons }: Context, personId: string): void {
  const decision = comparisons.take(personId);
  if (decision.allowed) return;
  const seconds = Math.ceil(decision.retryAfterMs / 1000);
  throw new ProblemError(
    'rate-limited',
    `Too many comparisons. Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
    {
      retryAfterSeconds: seconds,
    },
  );
}
