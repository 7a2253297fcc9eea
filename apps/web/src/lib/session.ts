import type { Endpoints } from '@gatehouse/api-types/console/endpoints';
import type { Problem } from '@gatehouse/api-types/console/problem';
import type { Session } from '@gatehouse/api-types/console/session';
import { consoleHeader, personHeader, type ResponseOf } from '@gatehouse/api-types/contract';
import { leaveWithoutAsking } from './dirty-guard.ts';

export type SignedOutReason = Exclude<NonNullable<Problem['signedOut']>, 'other-person'>;

/** The user that this page has belonged to since it was loaded; stays set after the session has ended. */
let owner: Session['person'] | undefined;

/** Whether a user was ever signed in on this page: from then on, signing in again happens in place. */
export function hasOwner(): boolean {
  return owner !== undefined;
}

/** Headers of every request: that it is from the console, and for which user, once known. */
export function pageHeaders(): Record<string, string> {
  return {
    [consoleHeader.name]: consoleHeader.value,
    ...(owner && { [personHeader]: encodeURI(owner.id) }),
  };
}

/**
 * Records whose session the server reported. If it is another user's, the page is reloaded: a user never
 * inherits someone else's edit.
 * @returns false if the page is being left for that reason.
 */
export function adoptSession(session: Session): boolean {
  if (owner !== undefined && owner.id !== session.person.id) {
    void startAnew('/');
    return false;
  }
  owner = session.person;
  return true;
}

/** Why no user is signed in, found when the page was loaded. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';
  readonly reason: SignedOutReason;

  constructor(reason: SignedOutReason) {
    super(`Nobody is signed in: ${reason}.`);
    this.reason = reason;
  }
}

/** The session in an answer. @throws SignedOut if there is none */
export function foundSession(found: ResponseOf<Endpoints['session']['find']>): Session {
  if (found.session === null) throw new SignedOut(found.signed_out ?? 'none');
  return found.session;
}

/**
 * Discards all loaded and edited data, and loads `path`.
 * @returns never settles, because the page is being left
 */
export function startAnew(path: string): Promise<never> {
  leaveWithoutAsking();
  window.location.replace(path);
  return new Promise(() => {});
}
