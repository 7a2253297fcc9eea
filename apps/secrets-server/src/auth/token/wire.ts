import { wireTime } from '../../core/time.ts';
import type { Token } from '../../domain/token/token.ts';

/** The `auth` member of an answer. @param text the token; empty to withhold the token @param ttl seconds left */
export function wireAuth(token: Token, text: string, ttl: number): Readonly<Record<string, unknown>> {
  return {
    client_token: text,
    accessor: token.accessor,
    policies: token.policies,
    token_policies: token.policies,
    metadata: token.meta,
    lease_duration: ttl,
    renewable: token.lifetime.renewable && token.expireTime !== null,
    entity_id: token.person?.accountId ?? '',
    token_type: 'service',
    orphan: token.parent === null,
    mfa_requirement: null,
    num_uses: Math.max(0, token.numUses),
  };
}

/**
 * The data of a token lookup. The parent's hash is left out, because it would help to get at the parent.
 * @param text the token; empty to withhold the token
 */
export function wireToken(token: Token, text: string, now: number): Readonly<Record<string, unknown>> {
  const { lifetime, expireTime, lastRenewalTime } = token;
  return {
    accessor: token.accessor,
    creation_time: Math.floor(token.createdTime / 1000),
    creation_ttl: lifetime.ttl,
    display_name: token.displayName,
    entity_id: token.person?.accountId ?? '',
    expire_time: expireTime === null ? null : wireTime(expireTime),
    explicit_max_ttl: lifetime.explicitMaxTtl,
    id: text,
    issue_time: wireTime(token.createdTime),
    ...(lastRenewalTime !== null && {
      last_renewal: wireTime(lastRenewalTime),
      last_renewal_time: Math.floor(lastRenewalTime / 1000),
    }),
    meta: token.meta,
    ...(token.namespace !== '' && { namespace_path: token.namespace }),
    num_uses: token.numUses,
    orphan: token.parent === null,
    path: token.path,
    ...(lifetime.period > 0 && { period: lifetime.period }),
    policies: token.policies,
    renewable: lifetime.renewable && expireTime !== null,
    ttl: ttlOf(token, now),
    type: 'service',
  };
}

/** Seconds until the token expires; 0 for a token that does not expire. */
export function ttlOf({ expireTime }: Token, now: number): number {
  return expireTime === null ? 0 : Math.max(0, Math.round((expireTime - now) / 1000));
}
