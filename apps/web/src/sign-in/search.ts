import type { SignedOutReason } from '#lib/session.ts';

export interface SignInSearch {
  /** Where to go afterwards: a path of this console. */
  readonly return?: string;
  /** Why the person is here. */
  readonly reason?: SignedOutReason;
}

const reasons = ['none', 'idle', 'expired', 'ended'] as const;

/** Reads the search parameters; a return address that leads out of the console is dropped. */
export function parseSignInSearch(search: Readonly<Record<string, unknown>>): SignInSearch {
  const target = search['return'];
  const reason = reasons.find((known) => known === search['reason']);
  return {
    ...(typeof target === 'string' && isLocalPath(target) && { return: target }),
    ...(reason !== undefined && { reason }),
  };
}

/** One slash, then anything but a second one: `//host` and `/\host` are other sites to a browser. */
function isLocalPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path) && !/[\p{Cc}\\]/u.test(path);
}
