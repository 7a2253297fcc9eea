import { newId } from '@gatehouse/service-kit/ids';

/** A secrets server's description of a token. Durations are in seconds. */
export interface TokenFacts {
  readonly renewable: boolean;
  readonly orphan: boolean;
  /** 0 if the token isn't periodic. */
  readonly period: number;
  /** The remaining time; 0 for a token that never expires. */
  readonly ttl: number;
}

/**
 * A token's status in its store: in use; in use, but its due renewal has not succeeded yet; replaced, but kept for
 * its leases; revoked at the server; expired.
 */
export type TokenStatus = 'current' | 'renewing' | 'maintaining' | 'revoked' | 'expired';

/** A stored token of a credential store. Times are in milliseconds since the epoch. */
export interface StoreToken {
  readonly id: string;
  readonly status: TokenStatus;
  /** The connection with its secrets, encrypted for this token only. */
  readonly sealed: Uint8Array;
  /** The host of the connection. Requests to one host take turns. */
  readonly server: string;
  /** When the token expires if it isn't renewed. */
  readonly expirationTime: number;
  /** When to renew the token next, or to retry; null if nothing is left to do. */
  readonly dueTime: number | null;
  /** Failed renewals since the last successful one. */
  readonly failures: number;
}

/** The shortest accepted period of a token, in seconds. A token is renewed at most every ten seconds. */
const leastPeriod = 30;

/** The shortest time between renewals of a token, in milliseconds. */
const soonestMs = 10_000;

/** Why a store can't use a token; undefined if it can. */
export function tokenFault(facts: TokenFacts): string | undefined {
  const lacks = [
    ...(facts.renewable ? [] : ['renewable']),
    ...(facts.period > 0 ? [] : ['periodic']),
    ...(facts.orphan ? [] : ['an orphan']),
  ];
  const example = 'Create one with, for example, "vault token create -orphan -period=24h -policy=…".';
  if (lacks.length > 0)
    return `The token must be renewable, periodic and an orphan; it is not ${lacks.join(' and not ')}. ${example}`;
  if (facts.period < leastPeriod)
    return `The token's period is ${facts.period} s and must be ${leastPeriod} s or more. ${example}`;
  return undefined;
}

/** The capabilities that a store's token needs at the secrets server, by path. */
export const tokenNeeds: Readonly<Record<string, string>> = {
  'auth/token/lookup-self': 'read',
  'auth/token/renew-self': 'update',
  'auth/token/revoke-self': 'update',
  'sys/leases/renew': 'update',
  'sys/leases/revoke': 'update',
};

/** A sentence about the capabilities that a token lacks; undefined if it has all. @param capabilities by path */
export function capabilityFault(capabilities: ReadonlyMap<string, readonly string[]>): string | undefined {
  const lacks = Object.entries(tokenNeeds).filter(([path, need]) => {
    const has = capabilities.get(path) ?? [];
    return !has.includes('root') && !has.includes(need);
  });
  if (lacks.length === 0) return undefined;
  const list = lacks.map(([path, need]) => `${need} on ${path}`).join(', ');
  return `The token's policies don't allow ${list}.`;
}

/** A token that a store begins to use. @param ttl seconds */
export function newStoreToken(
  sealFor: (id: string) => Pick<StoreToken, 'sealed' | 'server'>,
  ttl: number,
  now: number,
): StoreToken {
  const id = newId('vtok');
  return { id, ...sealFor(id), ...renewedTimes(ttl, now, soonestMs), status: 'current', failures: 0 };
}

/** A token after a renewal. @param ttl seconds */
export function renewed(token: StoreToken, ttl: number, now: number): StoreToken {
  const status = token.status === 'maintaining' ? 'maintaining' : 'current';
  return { ...token, ...renewedTimes(ttl, now, soonestMs), status, failures: 0 };
}

/** Whether two records of a token have the same connection. */
export function isSealedAlike(one: Pick<StoreToken, 'sealed'>, other: Pick<StoreToken, 'sealed'>): boolean {
  return Buffer.compare(one.sealed, other.sealed) === 0;
}

/** A token after a failed renewal. The less time remains, the sooner it is tried again. */
export function notRenewed(token: StoreToken, now: number): StoreToken {
  if (now >= token.expirationTime) return died(token, now);
  const failures = token.failures + 1;
  const status = token.status === 'maintaining' ? 'maintaining' : 'renewing';
  return { ...token, status, failures, dueTime: Math.min(now + retryDelay(failures), token.expirationTime) };
}

/** A token that the secrets server no longer knows. */
export function died(token: StoreToken, now: number): StoreToken {
  // The token has been replaced in the meantime; the next check finds out that it is gone.
  if (token.status === 'maintaining') return { ...token, dueTime: now };
  return { ...token, status: now >= token.expirationTime ? 'expired' : 'revoked', dueTime: null };
}

/** A token's status at a time: `expired` after its expiry even if its record doesn't say so yet. */
export function statusAt(token: StoreToken, now: number): TokenStatus {
  const alive = token.status === 'current' || token.status === 'renewing';
  return alive && now >= token.expirationTime ? 'expired' : token.status;
}

/** The delay before retrying after a failure, in milliseconds: one second, doubling up to a minute. */
export function retryDelay(failures: number): number {
  return Math.min(60_000, 1000 * 2 ** Math.min(failures - 1, 10));
}

/**
 * The next renewal is due after half of the time, but not before `soonestMs`: even a server that grants very short
 * times isn't asked constantly.
 * @param ttl seconds
 * @param soonestMs milliseconds
 */
export function renewedTimes(
  ttl: number,
  now: number,
  soonestMs: number,
): { readonly expirationTime: number; readonly dueTime: number } {
  return { expirationTime: now + ttl * 1000, dueTime: now + Math.max(soonestMs, ttl * 500) };
}
