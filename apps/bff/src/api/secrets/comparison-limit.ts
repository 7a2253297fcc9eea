import { turns } from '@gatehouse/service-kit/turns';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import type { ServiceCall } from '#session/service-token.ts';

/** Parsing a large version can't be interrupted, so only one comparison of a user runs at a time. */
const inTurn = turns({ atOnce: Infinity, ownAtOnce: 1, mostOwn: Infinity, mostWaiting: Infinity });

/** Runs a comparison when the user's earlier ones have ended. */
export function compareInTurn<Result>(
  { session, caller }: ServiceCall,
  work: () => Promise<Result>,
): Promise<Result> {
  return inTurn(session.account, work, caller.signal);
}

/**
 * Counts a comparison with values that the user may not see, because many comparisons are guesses.
 * @throws ProblemError `rate-limited`
 */
export function countComparison({ comparisons }: Context, { session }: ServiceCall): void {
  const decision = comparisons.take(session.account);
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
