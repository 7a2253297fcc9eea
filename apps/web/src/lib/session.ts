import type { Endpoints } from '@gatehouse/api-types/console/endpoints';
import type { Problem } from '@gatehouse/api-types/console/problem';
import type { Session } from '@gatehouse/api-types/console/session';
import { consoleHeader, personHeader, type ResponseOf } from '@gatehouse/api-types/contract';
import { leaveWithoutAsking } from './dirty-guard.ts';

export type SignedOutReason = Exclude<NonNullable<Problem['signedOut']>, 'other-person'>;

/** Who this page belongs to since it was loaded; it outlives the session itself. */
let owner: Session['person'] | undefined;

/** True once somebody was seen to be signed in: from then on signing in again happens in place. */
export function hasOwner(): boolean {
  return owner !== undefined;
}

/** What every request of the page says of it: that it is the console's and, once that is known, whose. */
export function pageHeaders(): Record<string, string> {
  return {
    [consoleHeader.name]: consoleHeader.value,
    ...(owner && { [personHeader]: encodeURI(owner.id) }),
  };
}

/**
 * Takes note of whose session the server answered. When it is somebody else's than the page, the page starts over:
 * an edit is never inherited by another person.
 * @returns false when the page is being left for that reason.
 */
export function adoptSession(session: Session): boolean {
  if (owner !== undefined && owner.id !== session.person.id) {
    void startAnew('/');
    return false;
  }
  owner = session.person;
  return true;
}

/** Why nobody is signed in, as it was found when the page was loaded. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';
  readonly reason: SignedOutReason;

  constructor(reason: SignedOutReason) {
    super(`Nobody is signed in: ${reason}.`);
    this.reason = reason;
  }
}

/**
 * The session that was found.
 * @throws SignedOut when there is none
 */
export function foundSession(found: ResponseOf<Endpoints['session']['find']>): Session {
  if (found.session === null) throw new SignedOut(found.signed_out ?? 'none');
  return found.session;
}

/**
 * Leaves everything behind, what was loaded and what was edited, and loads `path` afresh.
 * @returns what never settles: the page is being left
 */
export function startAnew(path: string): Promise<never> {
  leaveWithoutAsking();
  window.location.replace(path);
  return new Promise(() => {});
}
