import { DEFAULT_MAX_ATTEMPTS, StandardRetryStrategy } from '@smithy/core/retry';
import type { RetryStrategyV2, RetryToken, StandardRetryToken } from '@smithy/types';

/**
 * The SDK's retries, counted for each call by itself. Its own strategy has all calls of a client share a budget, which
 * runs dry while the provider fails often: clearing up would be left without retries when it needs them most.
 * @param retries after the first attempt; -1 for the SDK's own number
 */
export function retriesOfACall(retries: number): RetryStrategyV2 {
  const attempts = retries < 0 ? DEFAULT_MAX_ATTEMPTS : retries + 1;
  const calls = new WeakMap<RetryToken, { strategy: StandardRetryStrategy; token: StandardRetryToken }>();
  const keep = (strategy: StandardRetryStrategy, token: StandardRetryToken): RetryToken => {
    calls.set(token, { strategy, token });
    return token;
  };
  return {
    async acquireInitialRetryToken(scope) {
      const strategy = new StandardRetryStrategy(attempts);
      return keep(strategy, await strategy.acquireInitialRetryToken(scope));
    },
    async refreshRetryTokenForRetry(given, info) {
      const call = calls.get(given);
      if (call === undefined) throw new Error('a retry of an unknown call');
      return keep(call.strategy, await call.strategy.refreshRetryTokenForRetry(call.token, info));
    },
    recordSuccess() {},
  };
}
