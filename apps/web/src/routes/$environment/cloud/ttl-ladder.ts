/** How long temporary credentials last: which of several times counts. */
import { secondsOf, type CloudCredentialType } from '@gatehouse/api-types/console/cloud-values';
import { durationInWords } from '#lib/duration.ts';

/** What counts where neither the request nor the role says anything, in seconds. */
export const usualTtl = 3600;

/** What the provider issues at most, in seconds; IAM users have none. */
export const providerCaps: Readonly<Partial<Record<CloudCredentialType, number>>> = {
  assumed_role: 12 * 3600,
  federation_token: 36 * 3600,
};

/** The provider's limit as its own papers say it: `36 hours`; empty where there is none. */
export function capInHours(type: CloudCredentialType): string {
  const cap = providerCaps[type];
  return cap === undefined ? '' : `${String(cap / 3600)} hours`;
}

/** What the provider issues at least, in seconds. */
const providerLeast = 900;

/** What the provider makes of a time of a role, in a sentence; undefined where it issues that. */
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
  /** As a person writes it, such as `2h`; empty or absent where none is asked for. */
  readonly requested?: string | undefined;
  /** Seconds; 0 where the role has none. */
  readonly defaultTtl: number;
  /** Seconds; 0 where the role has none. */
  readonly maxTtl: number;
}

export interface TtlRung {
  readonly id: 'requested' | 'default' | 'maximum' | 'provider';
  /** Undefined where nothing is set there. */
  readonly seconds: number | undefined;
  /** Whether it decides. */
  readonly wins: boolean;
}

export interface Ladder {
  /** From what is asked for down to what nobody can exceed. */
  readonly rungs: readonly TtlRung[];
  /** How long the credentials last, in seconds. */
  readonly seconds: number;
  /** Shorter than what the provider issues: it refuses. */
  readonly isTooShort: boolean;
}

/** Where the time of temporary credentials comes from; undefined for IAM users, which last as long as their lease. */
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
