/** The search parameters of the list of sessions. */
import type { AccessSessionStatus } from '@gatehouse/api-types/console/access-sessions';
import { on, oneOf, order, recordId, searchOf, time, words, type SearchOf } from '#lib/search.ts';

// Repeated here, because every page parses the address, and only this one needs the contract's schemas.
export const sessionStatuses = [
  'pending',
  'active',
  'canceling',
  'terminated',
] as const satisfies readonly AccessSessionStatus[];

export const sessionsSearch = searchOf(
  {
    q: words,
    status: oneOf(...sessionStatuses),
    /** Only your own. */
    mine: on,
    /** IDs: only one target's, only one user's. */
    target: recordId,
    user: recordId,
    /** Includes ended ones. */
    ended: on,
    /** When they started. */
    from: time,
    to: time,
    sort: order,
    /** The session whose panel is open. */
    session: recordId,
  },
  // The terminated state includes ended sessions.
  (values) => (values.status === 'terminated' ? { ...values, ended: true as const } : values),
);
export type SessionsSearch = SearchOf<typeof sessionsSearch>;
