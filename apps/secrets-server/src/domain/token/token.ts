import type { Role } from '@gatehouse/service-kit/accounts';
import type { TokenEntry } from '../../core/identity.ts';

/** A token's record. The token's own text is not stored; only its owner has it. */
export interface Token extends TokenEntry {
  /** Keyed hash of the token. */
  readonly hash: string;
  /** Hash of the parent token, with which this token is revoked; null for an orphan. */
  readonly parent: string | null;
  /** The path that created the token, such as `auth/token/create`. */
  readonly path: string;
  readonly meta: Readonly<Record<string, string>> | null;
  /** In milliseconds since the epoch, like all times here. */
  readonly createdTime: number;
  /** Null for a token that does not expire. */
  readonly expireTime: number | null;
  readonly lastRenewalTime: number | null;
  /** Uses left after the current one; 0 for unlimited, -1 if the current use is the last. */
  readonly numUses: number;
  readonly lifetime: TokenLifetime;
  /**
   * The account or the accessor of the token with which the chain of creations began, for which this token's requests
   * take turns and count. It stays that of the creator for an orphan.
   */
  readonly owner: string;
  /**
   * The accessor of the first token between the owner's own one and this one, with which this token's creations count;
   * missing if there is none.
   */
  readonly branch?: string | undefined;
  /** The person who signed in. The token is void if their password or role no longer matches. */
  readonly person: TokenPerson | null;
}

/** A token's lifetime settings in seconds; 0 for none. */
export interface TokenLifetime {
  /** The initial lifetime. */
  readonly ttl: number;
  /** The maximum since creation, regardless of renewals. */
  readonly explicitMaxTtl: number;
  /** The lifetime that each renewal sets, without a maximum unless `explicitMaxTtl` is set. */
  readonly period: number;
  readonly renewable: boolean;
}

/** The account, password version and role of a sign-in. */
export interface TokenPerson {
  readonly accountId: string;
  readonly passwordVersion: number;
  readonly role: Role;
}

/** The default and maximum lifetime of tokens: 32 days, in seconds. */
export const systemTtl = 768 * 3600;

export interface GrantedTime {
  /** Seconds from now. */
  readonly ttl: number;
  readonly warnings: readonly string[];
}

/**
 * The lifetime of a token that is created or renewed at `now`.
 * @param wished the requested seconds; 0 for the lifetime that the token was created with
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

/** Normalizes a token's policy names: lower case, unique, sorted; root excludes all others. */
export function tokenPolicies(names: readonly string[], addDefault: boolean): string[] {
  const clean = new Set(names.map((name) => name.trim().toLowerCase()).filter((name) => name !== ''));
  if (clean.has('root')) return ['root'];
  if (addDefault) clean.add('default');
  return [...clean].toSorted();
}

/** Whether the caller presented a token of this store, not a wrapping token, and was not forwarded by a secondary. */
export function isToken(entry: TokenEntry | undefined): entry is Token {
  return entry !== undefined && 'lifetime' in entry;
}
