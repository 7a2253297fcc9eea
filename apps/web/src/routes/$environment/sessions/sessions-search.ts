/** What the address says about the list of sessions. */
import type { AccessSessionStatus } from '@gatehouse/api-types/console/access-sessions';
import { on, oneOf, order, recordId, searchOf, words, type SearchOf } from '#lib/search.ts';

// Written out: every page reads the address, and none but this one needs the contract's schemas for it.
export const sessionStatuses = [
  'pending',
  'active',
  'canceling',
  'terminated',
] as const satisfies readonly AccessSessionStatus[];

export const sessionsSearch = searchOf(
  {
    /** Words to search for. */
    q: words,
    status: oneOf(...sessionStatuses),
    /** The person's own alone. */
    mine: on,
    /** Ids: of one target alone, of one person alone. */
    target: recordId,
    user: recordId,
    /** With those that ended. */
    ended: on,
    sort: order,
    /** The session whose panel is open. */
    session: recordId,
  },
  // Those that ended can be asked for by their state alone.
  (values) => (values.status === 'terminated' ? { ...values, ended: true as const } : values),
);
export type SessionsSearch = SearchOf<typeof sessionsSearch>;
