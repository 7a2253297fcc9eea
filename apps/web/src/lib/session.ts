import type { Problem } from '@gatehouse/api-types/console/problem';
import type { Session } from '@gatehouse/api-types/console/session';
import { leaveWithoutAsking } from './dirty-guard.ts';
import { queryClient } from './query-client.ts';

export type SignedOutReason = NonNullable<Problem['signedOut']>;

export const sessionKey = ['session'] as const;

/** Who this page belongs to since it was loaded; it outlives the session itself. */
let owner: Session['person'] | undefined;

/** True once somebody was seen to be signed in: from then on being signed out is mended in place. */
export function hasOwner(): boolean {
  return owner !== undefined;
}

/**
 * Keeps the session that the server answered. When it belongs to somebody else than the page, everything that the
 * page holds is dropped and it starts anew: an edit is never inherited by another person.
 * @returns false when the page is being left for that reason.
 */
export function adoptSession(session: Session): boolean {
  if (owner !== undefined && owner.id !== session.person.id) {
    startAnew('/');
    return false;
  }
  owner = session.person;
  queryClient.setQueryData(sessionKey, session);
  return true;
}

/** Leaves everything behind, unsaved edits too, and loads `path` afresh. */
export function startAnew(path: string): void {
  leaveWithoutAsking();
  queryClient.clear();
  window.location.replace(path);
}
