import type { Clock } from '@gatehouse/service-kit/clock';
import { HttpError } from '@gatehouse/service-kit/http';
import { addressKey, rateLimiter } from '@gatehouse/service-kit/rate-limit';
import type { RateLimit } from '@gatehouse/service-kit/rate-limit';
import type { Request, RequestHandler } from 'express';
import { callerOf, presentedToken } from './caller.ts';
import type { Context } from './context.ts';

/**
 * Limits requests by their valid token, or by the address they come from, and says in every answer what is left. A Unix
 * socket has no address: its one client limits its own callers.
 */
export function limitRequests(
  limit: RateLimit,
  clock: Clock,
  context: Pick<Context, 'tokens' | 'accounts'>,
): RequestHandler {
  const limiter = rateLimiter(limit, clock);
  return (req, res, next) => {
    const key = keyOf(req, context);
    if (key === undefined) {
      next();
      return;
    }
    const decision = limiter.take(key);
    const fullAt = Math.ceil((clock.now() + decision.fullInMs) / 1000);
    res.setHeader('X-RateLimit-Limit', limit.burst);
    res.setHeader('X-RateLimit-Remaining', decision.allowed ? decision.remaining : 0);
    res.setHeader('X-RateLimit-Reset', fullAt);
    if (decision.allowed) {
      next();
      return;
    }
    const seconds = String(Math.max(1, Math.ceil(decision.retryAfterMs / 1000)));
    next(
      new HttpError(429, 'rate_limited', `Too many requests: try again in ${seconds} seconds`, {
        headers: { 'Retry-After': seconds },
      }),
    );
  };
}

function keyOf(req: Request, context: Pick<Context, 'tokens' | 'accounts'>): string | undefined {
  const presented = presentedToken(req);
  // Tokens that are made up must not each have an allowance.
  const caller = presented === undefined ? undefined : callerOf(context, presented);
  if (caller !== undefined) return `token ${caller.token.id}`;
  return addressKey(req);
}
