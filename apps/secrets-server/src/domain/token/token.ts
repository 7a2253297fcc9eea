import type { Role } from '@gatehouse/service-kit/accounts';
import type { TokenEntry } from '../../core/identity.ts';

/** A token's record; the token itself is known to its owner alone. */
export interface Token extends TokenEntry {
  /** Keyed hash of the token. */
  readonly hash: string;
  /** Hash of the token that made it, with which it dies; null for an orphan. */
  readonly parent: string | null;
  /** Where it was made: `auth/token/create`. */
  readonly path: string;
  readonly meta: Readonly<Record<string, string>> | null;
  /** Milliseconds since the epoch, as all times here. */
  readonly createdTime: number;
  /** Null for a token that does not expire. */
  readonly expireTime: number | null;
  readonly lastRenewalTime: number | null;
  /** Uses that are left after this one; 0 is any number, -1 that this was the last. */
  readonly numUses: number;
  readonly lifetime: TokenLifetime;
  /** Whose sign-in it is, and under which password and role: under others it is void. */
  readonly person: TokenPerson | null;
}

/** How long a token lives; all in seconds, 0 is none. */
export interface TokenLifetime {
  /** At first. */
  readonly ttl: number;
  /** From its creation, however often it is renewed. */
  readonly explicitMaxTtl: number;
  /** What every renewal sets, without an end. */
  readonly period: number;
  readonly renewable: boolean;
}

/** Whose sign-in a token is. */
export interface TokenPerson {
  readonly accountId: string;
  readonly passwordVersion: number;
  readonly role: Role;
}

/** How long tokens live that say nothing else, and at most: 32 days, in seconds. */
export const systemTtl = 768 * 3600;

/** What became of a wish for a lifetime. */
export interface GrantedTime {
  /** Seconds from now. */
  readonly ttl: number;
  readonly warnings: readonly string[];
}

/**
 * Seconds that a token lives from `now`, when it is made or renewed.
 * @param wished seconds; 0 for what it was made with
 * @param createdTime milliseconds since the epoch
 */
export function grantTime(
  lifetime: TokenLifetime,
  wished: number,
  createdTime: number,
  now: number,
): GrantedTime {
  const { period, explicitMaxTtl } = lifetime;
  const age = Math.floor((now - createdTime) / 1000);
  const limits = [...(period > 0 ? [] : [systemTtl]), ...(explicitMaxTtl > 0 ? [explicitMaxTtl] : [])];
  const max = limits.length === 0 ? Infinity : Math.min(...limits);
  const wanted = period > 0 ? period : wished > 0 ? wished : lifetime.ttl > 0 ? lifetime.ttl : systemTtl;
  const ttl = Math.max(0, Math.min(wanted, max - age));
  return {
    ttl,
    warnings:
      wanted > max - age && wished > 0
        ? [
            `TTL of "${wanted}s" exceeded the effective max_ttl of "${Math.max(0, max - age)}s"; TTL value is capped accordingly`,
          ]
        : [],
  };
}

/** Policy names as a token bears them: in lower case, each once, in order; root is alone. */
export function tokenPolicies(names: readonly string[], addDefault: boolean): string[] {
  const clean = new Set(names.map((name) => name.trim().toLowerCase()).filter((name) => name !== ''));
  if (clean.has('root')) return ['root'];
  if (addDefault) clean.add('default');
  return [...clean].toSorted();
}

/** Whether the core's entry is a token of the store, and not that of something else that can be presented. */
export function isToken(entry: TokenEntry | undefined): entry is Token {
  return entry !== undefined && 'lifetime' in entry;
}
