import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { clientAddress, networkOf } from './client-address.ts';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';
import { HttpError } from './http-error.ts';

/** A token bucket: `burst` requests at once, refilled at `perSecond`. */
export interface RateLimit {
  /** Requests that may come at once; at least 1. */
  readonly burst: number;
  /** Requests a second in the long run; above 0. */
  readonly perSecond: number;
}

/** The answer to one request. `fullInMs`: when the bucket is full again, if nothing else is taken. */
export type RateDecision =
  | { readonly allowed: true; readonly remaining: number; readonly fullInMs: number }
  | { readonly allowed: false; readonly retryAfterMs: number; readonly fullInMs: number };

/** Counts requests by key. Forgets the keys that were idle longest when there are too many. */
export type RateLimiter = ReturnType<typeof rateLimiter>;

/**
 * A limiter in memory.
 * @param maxKeys most buckets kept at once; 100,000 unless given
 */
export function rateLimiter(limit: RateLimit, clock: Clock = systemClock, maxKeys: number = 100_000) {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    /** Takes one token of `key`'s bucket, or says when there will be one. */
    take(key: string): RateDecision {
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
      // Refilling in steps loses a hair to rounding; a token that is due must not be late for it.
      if (bucket.tokens >= 1 - 1e-9) {
        bucket.tokens = Math.max(0, bucket.tokens - 1);
        return { allowed: true, remaining: Math.floor(bucket.tokens + 1e-9), fullInMs: fullInMs() };
      }
      const retryAfterMs = Math.ceil(((1 - bucket.tokens) / limit.perSecond) * 1000);
      return { allowed: false, retryAfterMs, fullInMs: fullInMs() };
    },
    /** Gives `key` one token back. */
    giveBack(key: string): void {
      const bucket = buckets.get(key);
      if (bucket !== undefined) bucket.tokens = Math.min(limit.burst, bucket.tokens + 1);
    },
    /** Gives `key` its full bucket back. */
    reset(key: string): void {
      buckets.delete(key);
    },
  };
}

/** What `limitRate` needs. */
export interface LimitRateOptions {
  readonly limiter: RateLimiter;
  /** Whose bucket a request takes from; undefined for one that is not limited. */
  readonly key: (req: Request) => string | undefined;
}

/** The address that a request comes from; undefined where the client of a Unix socket does not say. */
export function addressKey(req: Request): string | undefined {
  const address = clientAddress(req);
  return address && `address ${networkOf(address)}`;
}

/** Guesses of one account's password from one address: ten at once, then one every 30 seconds. */
export const signInRate: RateLimit = { burst: 10, perSecond: 1 / 30 };

/** A guess of a password that is counted as a wrong one until something else is called. */
interface Guess {
  /** It was right: the account's wrong ones from this address are forgotten too. */
  right(): Promise<void>;
  /** It was neither right nor wrong. */
  notChecked(): void;
}

/** Accounts that signed in from an address before, by keys that tell neither. */
export interface KnownAddresses {
  has(key: string): boolean;
  add(key: string): Promise<void>;
}

/**
 * Slows down whoever guesses passwords: by account and address together, and for all accounts of an address by three times
 * as much. Nobody is locked out by guesses from elsewhere, nor by made-up names from an address that they signed in from
 * before. What it answers counts a guess, and throws HttpError 429 `rate_limited` for one that comes too early.
 */
export function guessLimiter(
  { burst, perSecond }: RateLimit,
  clock: Clock,
  known: KnownAddresses,
): (account: string, address: string) => Guess {
  const limiters = {
    address: rateLimiter({ burst: 3 * burst, perSecond: 3 * perSecond }, clock),
    account: rateLimiter({ burst, perSecond }, clock),
  };
  return (account, address) => {
    const network = networkOf(address);
    const ofAccount = JSON.stringify([account, network]);
    const key = createHash('sha256').update(ofAccount).digest('base64url');
    const isKnown = known.has(key);
    const byAddress = isKnown ? undefined : limiters.address.take(network);
    if (byAddress?.allowed === false) throw tooMany(byAddress, 'sign-ins from this address');
    const giveBack = (): void => {
      if (!isKnown) limiters.address.giveBack(network);
    };
    const byAccount = limiters.account.take(ofAccount);
    if (!byAccount.allowed) {
      giveBack();
      throw tooMany(byAccount, 'sign-ins to this account');
    }
    return {
      async right() {
        giveBack();
        limiters.account.reset(ofAccount);
        await known.add(key);
      },
      notChecked() {
        giveBack();
        limiters.account.giveBack(ofAccount);
      },
    };
  };
}

/** Refuses requests over the limit: HttpError 429 `rate_limited` with `Retry-After` in whole seconds. */
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

/** The refusal of what comes too early: HttpError 429 `rate_limited` with `Retry-After` in whole seconds. */
export function tooMany({ retryAfterMs }: { readonly retryAfterMs: number }, what: string): HttpError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const when = seconds === 1 ? '1 second' : `${seconds} seconds`;
  return new HttpError(429, 'rate_limited', `Too many ${what}. Try again in ${when}.`, {
    headers: { 'Retry-After': String(seconds) },
  });
}
