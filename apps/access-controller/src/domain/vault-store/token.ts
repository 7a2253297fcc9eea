import { newId } from '@gatehouse/service-kit/ids';

/** What a secrets server says about a token. Durations are seconds. */
export interface TokenFacts {
  readonly renewable: boolean;
  readonly orphan: boolean;
  /** 0 for a token that is not periodic. */
  readonly period: number;
  /** Time left; 0 for a token that never expires. */
  readonly ttl: number;
}

/**
 * What a token is to its store: in use; in use while its renewal, which is due, has not succeeded yet; replaced by another one
 * and kept for the leases that it issued; revoked at the server; run out.
 */
export type TokenStatus = 'current' | 'renewing' | 'maintaining' | 'revoked' | 'expired';

/** A token of a store, as it is kept. Times are milliseconds since the epoch. */
export interface StoreToken {
  readonly id: string;
  readonly status: TokenStatus;
  /** The connection with its secrets, encrypted for this token alone. */
  readonly sealed: Uint8Array;
  /** The host of the connection: what is done at one host takes turns. */
  readonly server: string;
  /** When it runs out unless it is renewed. */
  readonly expirationTime: number;
  /** When to renew it next, or to try again; null when there is nothing to be done any more. */
  readonly dueTime: number | null;
  /** How often a renewal has failed since the last one that did not. */
  readonly failures: number;
}

/** The shortest period that a token may have, in seconds: each token is renewed every ten seconds at most. */
const leastPeriod = 30;

/** A token is renewed no sooner after a renewal, in milliseconds. */
const soonestMs = 10_000;

/** Why a store cannot use a token; undefined when it can. */
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

/** What a token of a store has to be allowed at the secrets server, by path. */
export const tokenNeeds: Readonly<Record<string, string>> = {
  'auth/token/lookup-self': 'read',
  'auth/token/renew-self': 'update',
  'auth/token/revoke-self': 'update',
  'sys/leases/renew': 'update',
  'sys/leases/revoke': 'update',
};

/** What a token lacks of its needs, in words; undefined when it lacks nothing. @param capabilities by path */
export function capabilityFault(capabilities: ReadonlyMap<string, readonly string[]>): string | undefined {
  const lacks = Object.entries(tokenNeeds).filter(([path, need]) => {
    const has = capabilities.get(path) ?? [];
    return !has.includes('root') && !has.includes(need);
  });
  if (lacks.length === 0) return undefined;
  const list = lacks.map(([path, need]) => `${need} on ${path}`).join(', ');
  return `The token's policies don't allow ${list}.`;
}

/** A token that is taken into use. @param ttl seconds */
export function newStoreToken(
  sealFor: (id: string) => Pick<StoreToken, 'sealed' | 'server'>,
  ttl: number,
  now: number,
): StoreToken {
  const id = newId('vtok');
  return { id, ...sealFor(id), ...renewedTimes(ttl, now, soonestMs), status: 'current', failures: 0 };
}

/** A token that was renewed: the next renewal is due when half of the time is over. @param ttl seconds */
export function renewed(token: StoreToken, ttl: number, now: number): StoreToken {
  const status = token.status === 'maintaining' ? 'maintaining' : 'current';
  return { ...token, ...renewedTimes(ttl, now, soonestMs), status, failures: 0 };
}

/** Whether two readings of a token are of the same connection. */
export function isSealedAlike(one: Pick<StoreToken, 'sealed'>, other: Pick<StoreToken, 'sealed'>): boolean {
  return Buffer.compare(one.sealed, other.sealed) === 0;
}

/** A token whose renewal got no usable answer: it is tried again, sooner the less time there is. */
export function notRenewed(token: StoreToken, now: number): StoreToken {
  if (now >= token.expirationTime) return died(token, now);
  const failures = token.failures + 1;
  const status = token.status === 'maintaining' ? 'maintaining' : 'renewing';
  return { ...token, status, failures, dueTime: Math.min(now + retryDelay(failures), token.expirationTime) };
}

/** A token that the secrets server does not know any more. */
export function died(token: StoreToken, now: number): StoreToken {
  // It was replaced meanwhile: that it is gone is found out by whoever looks after it then.
  if (token.status === 'maintaining') return { ...token, dueTime: now };
  return { ...token, status: now >= token.expirationTime ? 'expired' : 'revoked', dueTime: null };
}

/** What a token is to a store at a time: one whose time is over has expired, whether that was noticed or not. */
export function statusAt(token: StoreToken, now: number): TokenStatus {
  const alive = token.status === 'current' || token.status === 'renewing';
  return alive && now >= token.expirationTime ? 'expired' : token.status;
}

/** How long to wait after a failure, in milliseconds: from a second, doubling, to a minute. */
export function retryDelay(failures: number): number {
  return Math.min(60_000, 1000 * 2 ** Math.min(failures - 1, 10));
}

/**
 * The next renewal is due when half of the time is over, but not sooner than after a while: however short a time a server gives,
 * it is not asked all the time.
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
