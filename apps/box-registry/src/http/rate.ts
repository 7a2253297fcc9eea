import type { Clock } from '@gatehouse/service-kit/clock';
import { rateLimiter, requestKey, tooMany } from '@gatehouse/service-kit/rate-limit';
import type { RateLimit } from '@gatehouse/service-kit/rate-limit';
import type { Request, RequestHandler } from 'express';
import { senderOf } from './caller.ts';
import type { Context } from './context.ts';

/**
 * Limits requests per valid token, or else per address, and reports the remaining number in every answer to them.
 * Doesn't limit sign-ins, nor the client of a Unix socket if it doesn't name its own client.
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
    if (decision.allowed) next();
    else next(tooMany(decision, 'requests'));
  };
}

/** Sign-ins, which have their own limits: others at the same address must not prevent them. */
const signIns: ReadonlySet<string> = new Set(['/api/v1/authenticate', '/api/v1/two-factor/request-code']);

function keyOf(req: Request, context: Pick<Context, 'tokens' | 'accounts'>): string | undefined {
  if (req.method === 'POST' && signIns.has(req.path)) return undefined;
  return requestKey(req, senderOf(context, req)?.token.id);
}
