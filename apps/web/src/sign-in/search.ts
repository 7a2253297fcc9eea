import { isLocalPath } from '#lib/local-path.ts';
import type { SignedOutReason } from '#lib/session.ts';

export interface SignInSearch {
  /** Where to return after signing in: a path of this console. */
  readonly return?: string;
  /** Why the user is signed out. */
  readonly reason?: SignedOutReason;
}

const reasons = ['none', 'idle', 'expired', 'ended'] as const;

/** Reads the search parameters, without return addresses outside the console. */
export function parseSignInSearch(search: Readonly<Record<string, unknown>>): SignInSearch {
  const target = search['return'];
  const reason = reasons.find((known) => known === search['reason']);
  return {
    ...(typeof target === 'string' && isLocalPath(target) && { return: target }),
    ...(reason !== undefined && { reason }),
  };
}
