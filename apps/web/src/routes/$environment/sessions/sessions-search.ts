/** What the address says about the list of sessions. */
import type { AccessSessionStatus } from '@gatehouse/api-types/console/access-sessions';

export interface SessionsSearch {
  /** Words to search for. */
  readonly q?: string;
  readonly status?: AccessSessionStatus;
  /** The person's own alone. */
  readonly mine?: true;
  /** Ids: of one target alone, of one person alone. */
  readonly target?: string;
  readonly user?: string;
  /** With those that ended. */
  readonly ended?: true;
  /** Column id, with `-` before it for descending. */
  readonly sort?: string;
  /** The session whose panel is open. */
  readonly session?: string;
}

// Written out: every page reads the address, and none but this one needs the contract's schemas for it.
export const sessionStatuses: readonly AccessSessionStatus[] = [
  'pending',
  'active',
  'canceling',
  'terminated',
];

/** Reads the search parameters; what is not understood is left out. */
export function parseSessionsSearch(search: Readonly<Record<string, unknown>>): SessionsSearch {
  const text = (name: string, pattern: RegExp): string | undefined => {
    const value = search[name];
    const written = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    return typeof written === 'string' && pattern.test(written) ? written : undefined;
  };
  const isOn = (name: string): boolean => search[name] === true || search[name] === 'true';
  const id = /^[A-Za-z0-9_]{1,64}$/;
  const q = text('q', /^.{1,256}$/su);
  const status = sessionStatuses.find((known) => known === search['status']);
  const target = text('target', id);
  const user = text('user', id);
  const sort = text('sort', /^-?[a-z_]{1,40}$/);
  const session = text('session', id);
  return {
    ...(q !== undefined && { q }),
    ...(status !== undefined && { status }),
    ...(isOn('mine') && { mine: true as const }),
    ...(target !== undefined && { target }),
    ...(user !== undefined && { user }),
    // Those that ended can be asked for by their state alone.
    ...((isOn('ended') || status === 'terminated') && { ended: true as const }),
    ...(sort !== undefined && { sort }),
    ...(session !== undefined && { session }),
  };
}
