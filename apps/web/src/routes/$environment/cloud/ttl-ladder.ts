/** Computes how long temporary credentials last, and which setting decides. */
import { secondsOf, type CloudCredentialType } from '@gatehouse/api-types/console/cloud-values';
import { durationInWords } from '#lib/duration.ts';

/** The default if neither the request nor the role sets a TTL, in seconds. */
export const usualTtl = 3600;

/** The provider's maximum, in seconds; IAM users have none. */
export const providerCaps: Readonly<Partial<Record<CloudCredentialType, number>>> = {
  assumed_role: 12 * 3600,
  federation_token: 36 * 3600,
};

/** The provider's maximum as in its documentation: `36 hours`; empty if none. */
export function capInHours(type: CloudCredentialType): string {
  const cap = providerCaps[type];
  return cap === undefined ? '' : `${String(cap / 3600)} hours`;
}

/** The provider's minimum, in seconds. */
const providerLeast = 900;

/** Why the provider doesn't allow a role's TTL; undefined if it does. */
export function ttlWarning(type: CloudCredentialType, ttl: string): string | undefined {
  const [cap, seconds] = [providerCaps[type], secondsOf(ttl) ?? 0];
  if (cap === undefined || seconds === 0) return undefined;
  if (seconds > cap) return `Longer than the provider allows. The maximum is ${capInHours(type)}.`;
  return seconds < providerLeast
    ? `Shorter than the provider allows. The minimum is ${durationInWords(providerLeast)}.`
    : undefined;
}

export interface TtlRequest {
  readonly type: CloudCredentialType;
  /** As typed, such as `2h`; empty or absent if not requested. */
  readonly requested?: string | undefined;
  /** Seconds; 0 if not set. */
  readonly defaultTtl: number;
  /** Seconds; 0 if not set. */
  readonly maxTtl: number;
}

export interface TtlRung {
  readonly id: 'requested' | 'default' | 'maximum' | 'provider';
  /** Undefined if not set. */
  readonly seconds: number | undefined;
  /** Whether it decides. */
  readonly wins: boolean;
}

export interface Ladder {
  /** From the request down to the provider's limit. */
  readonly rungs: readonly TtlRung[];
  /** The effective lifetime, in seconds. */
  readonly seconds: number;
  /** Below the provider's minimum, so it refuses. */
  readonly isTooShort: boolean;
}

/** How temporary credentials get their lifetime; undefined for IAM users, which last as long as their lease. */
export function ttlLadder({ type, requested = '', defaultTtl, maxTtl }: TtlRequest): Ladder | undefined {
  const cap = providerCaps[type];
  if (cap === undefined) return undefined;
  const asked = secondsOf(requested);
  const isAsked = requested.trim() !== '' && asked !== undefined && asked > 0;
  const wanted = isAsked ? asked : defaultTtl > 0 ? defaultTtl : usualTtl;
  const limit = maxTtl > 0 ? maxTtl : Infinity;
  const seconds = Math.min(wanted, limit, cap);
  const winner =
    seconds === wanted ? (isAsked ? 'requested' : 'default') : seconds === limit ? 'maximum' : 'provider';
  const rung = (id: TtlRung['id'], value: number | undefined): TtlRung => ({
    id,
    seconds: value,
    wins: id === winner,
  });
  return {
    rungs: [
      rung('requested', isAsked ? asked : undefined),
      rung('default', defaultTtl > 0 ? defaultTtl : isAsked ? undefined : usualTtl),
      rung('maximum', maxTtl > 0 ? maxTtl : undefined),
      rung('provider', cap),
    ],
    seconds,
    isTooShort: seconds < providerLeast,
  };
}
