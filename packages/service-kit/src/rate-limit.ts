import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { clientAddress, networkOf } from './client-address.ts';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';
import { HttpError } from './http-error.ts';

export interface RateLimit {
  /** Most requests at once; at least 1. */
  readonly burst: number;
  /** Requests per second in the long run; above 0. */
  readonly perSecond: number;
}

/** The decision about one request. `fullInMs`: time until the bucket is full again without further requests. */
export type RateDecision =
  | { readonly allowed: true; readonly remaining: number; readonly fullInMs: number }
  | { readonly allowed: false; readonly retryAfterMs: number; readonly fullInMs: number };

/** A token bucket per key; forgets the keys that were idle longest when there are too many. */
export type RateLimiter = ReturnType<typeof rateLimiter>;

/** Creates a limiter in memory. @param maxKeys most buckets kept at once; 100,000 unless given */
export function rateLimiter(limit: RateLimit, clock: Clock = systemClock, maxKeys: number = 100_000) {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    /**
     * Takes a token from `key`'s bucket, or returns when the next one is due.
     * @param cost the number of tokens; those that the bucket doesn't have delay the next request
     */
    take(key: string, cost = 1): RateDecision {
      const now = clock.monotonic();
      const bucket = buckets.get(key) ?? { tokens: limit.burst, at: now };
      bucket.tokens = Math.min(limit.burst, bucket.tokens + ((now - bucket.at) / 1000) * limit.perSecond);
      bucket.at = now;
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > maxKeys) {
        const idlest = buckets.keys().next();
        if (!idlest.done) buckets.delete(idlest.value);
      }
      const fullInMs = (): number => Math.ceil(((limit.burst - bucket.tokens) / limit.perSecond) * 1000);
      // The tolerance covers rounding errors of refilling in steps, so that a due token is not late.
      if (bucket.tokens >= 1 - 1e-9) {
        bucket.tokens -= cost;
        return {
          allowed: true,
          remaining: Math.max(0, Math.floor(bucket.tokens + 1e-9)),
          fullInMs: fullInMs(),
        };
      }
      const retryAfterMs = Math.ceil(((1 - bucket.tokens) / limit.perSecond) * 1000);
      return { allowed: false, retryAfterMs, fullInMs: fullInMs() };
    },
    giveBack(key: string, cost = 1): void {
      const bucket = buckets.get(key);
      if (bucket !== undefined) bucket.tokens = Math.min(limit.burst, bucket.tokens + cost);
    },
    /** Refills `key`'s bucket. */
    reset(key: string): void {
      buckets.delete(key);
    },
  };
}

export interface LimitRateOptions {
  readonly limiter: RateLimiter;
  /** Whose bucket a request takes from; undefined for no limit. */
  readonly key: (req: Request) => string | undefined;
}

/** The key of the address that a request comes from; undefined when a Unix socket's client names none. */
export function addressKey(req: Request): string | undefined {
  const address = clientAddress(req);
  return address && `address ${networkOf(address)}`;
}

/**
 * Whose allowance a request takes from: that of its valid token, or else of its address. Reads and other requests of an
 * address count separately, so that reads don't prevent writes.
 * @param tokenId undefined without a valid token: invalid ones must not each have their own allowance
 * @returns undefined if it isn't limited, like `addressKey`
 */
export function requestKey(req: Request, tokenId?: string): string | undefined {
  if (tokenId !== undefined) return `token ${tokenId}`;
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  const address = addressKey(req);
  return address && `${isRead ? 'reads' : 'writes'} of ${address}`;
}

/** Guesses of one account's password from one address: ten at once, then one every 30 seconds. */
export const signInRate: RateLimit = { burst: 10, perSecond: 1 / 30 };

/** A guess of a password or a code, counted as wrong unless a method is called. */
interface Guess {
  /** It was right: also clears the account's wrong guesses from this address. */
  right(): Promise<void>;
  /** It was not checked. */
  notChecked(): void;
}

/** Accounts that sent a right password or code from an address, by keys that reveal neither. */
export interface KnownAddresses {
  has(key: string): boolean;
  add(key: string): Promise<void>;
}

export interface GuessLimit extends RateLimit {
  /**
   * What is also limited, to three times as many: the guesses of all accounts from one address, for secrets too long to
   * be guessed from many addresses, or those of one account from all addresses, for short ones.
   */
  readonly total: 'address' | 'account';
  /** What is counted, such as `sign-ins`. */
  readonly what: string;
}

/**
 * Limits guesses per account and address, and in total from addresses that the account isn't known from: guesses from elsewhere don't lock out users
 * who have signed in from their address.
 * @returns a function that counts a guess, and throws HttpError 429 `rate_limited` for one that comes too early
 */
export function guessLimiter(
  { burst, perSecond, total, what }: GuessLimit,
  clock: Clock,
  known: KnownAddresses,
): (account: string, address: string) => Guess {
  const limiters = {
    total: rateLimiter({ burst: 3 * burst, perSecond: 3 * perSecond }, clock),
    own: rateLimiter({ burst, perSecond }, clock),
  };
  return (account, address) => {
    const network = networkOf(address);
    const own = JSON.stringify([account, network]);
    const key = createHash('sha256').update(own).digest('base64url');
    const isKnown = known.has(key);
    const all = { address: network, account }[total];
    const ofAll = isKnown ? undefined : limiters.total.take(all);
    if (ofAll?.allowed === false)
      throw tooMany(ofAll, `${what} ${total === 'address' ? 'from' : 'for'} this ${total}`);
    const giveBack = (): void => {
      if (!isKnown) limiters.total.giveBack(all);
    };
    const ofOwn = limiters.own.take(own);
    if (!ofOwn.allowed) {
      giveBack();
      throw tooMany(ofOwn, `${what} for this account`);
    }
    return {
      async right() {
        giveBack();
        limiters.own.reset(own);
        await known.add(key);
      },
      notChecked() {
        giveBack();
        limiters.own.giveBack(own);
      },
    };
  };
}

/** Refuses requests over the limit with HttpError 429 `rate_limited` and `Retry-After` in whole seconds. */
export function limitRate(options: LimitRateOptions): RequestHandler {
  return (req, _res, next) => {
    const key = options.key(req);
    const decision = key === undefined ? undefined : options.limiter.take(key);
    if (decision === undefined || decision.allowed) {
      next();
      return;
    }
    next(tooMany(decision, 'requests'));
  };
}

/** The error for a refused request: HttpError 429 `rate_limited` with `Retry-After` in whole seconds. */
export function tooMany({ retryAfterMs }: { readonly retryAfterMs: number }, what: string): HttpError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const when = seconds === 1 ? '1 second' : `${seconds} seconds`;
  return new HttpError(429, 'rate_limited', `Too many ${what}. Try again in ${when}.`, {
    headers: { 'Retry-After': String(seconds) },
  });
}
