import { withParameters, writeInParts } from '@gatehouse/service-kit/store';
import type { Store, Writer } from '@gatehouse/service-kit/store';
import { withoutConditions } from '@gatehouse/service-kit/write-queue';
import { sql } from 'kysely';
import { closingTime, dueTime, keptAfterEnd, settled, statusOf } from '../domain/session/session.ts';
import type { Session } from '../domain/session/session.ts';
import { countChanges, lastChange } from './changes.ts';
import { listingOf } from './listing.ts';
import type { Condition, Listing } from './listing.ts';
import { changeResource, removeResources, resourceStore } from './resources.ts';
import type { ResourceTable } from './resources.ts';
import type { Schema, SessionTable } from './schema.ts';

/** The column with what a session depends on. */
type Support = 'user_id' | 'target_id' | 'host_id' | 'host_set_id';

/**
 * SQL for a source of pending and active sessions by what they depend on, and for its condition, which must be added.
 * Names the index, because SQLite knows of others that also have ended sessions.
 */
export const pendingOrActive = (column: Support): string =>
  `session INDEXED BY session_living_${column.slice(0, -'_id'.length)}`;
export const isPendingOrActive = "status IN ('pending', 'active')";

export type SessionStore = ReturnType<typeof sessionStore>;

export const sessionTable: ResourceTable<SessionTable, Session> = {
  table: 'session',
  what: 'Session',
  ofUser: true,
  container: { table: 'scope', column: 'project_id', what: 'project', idOf: (session) => session.projectId },
  toRow: (session, change) => ({
    id: session.id,
    project_id: session.projectId,
    target_id: session.targetId,
    user_id: session.userId,
    auth_token_id: session.authTokenId,
    host_id: session.hostId,
    host_set_id: session.hostSetId,
    type: session.type,
    endpoint: session.endpoint,
    created_time: session.createdTime,
    updated_time: session.updatedTime,
    expiration_time: session.expirationTime,
    version: session.version,
    connection_limit: session.connectionLimit,
    termination_reason: session.terminationReason,
    status: statusOf(session),
    states: JSON.stringify(session.states),
    due_time: dueTime(session),
    change,
  }),
  toItems: (_reader, rows) =>
    rows.map((row) => ({
      id: row.id,
      projectId: row.project_id,
      targetId: row.target_id,
      userId: row.user_id,
      authTokenId: row.auth_token_id,
      hostId: row.host_id,
      hostSetId: row.host_set_id,
      type: row.type,
      endpoint: row.endpoint,
      createdTime: row.created_time,
      updatedTime: row.updated_time,
      expirationTime: row.expiration_time,
      version: row.version,
      connectionLimit: row.connection_limit,
      terminationReason: row.termination_reason,
      states: JSON.parse(row.states) as Session['states'],
    })),
};

/** Most sessions that are changed or deleted before others may continue. */
const changedAtOnce = 50;

/** Most ended sessions that one call deletes. */
const mostDeleted = 2_000;

export function sessionStore(store: Store<Schema>) {
  const sessions = resourceStore(store, sessionTable);
  const due = sql
    .raw<{ id: string; version: number }>(
      `SELECT id, version FROM session WHERE due_time <= ? ORDER BY due_time LIMIT ?`,
    )
    .compile(store.build);
  const ended = sql
    .raw<{ id: string }>(
      `SELECT id FROM session WHERE status = 'terminated' AND updated_time <= ? ORDER BY updated_time LIMIT ?`,
    )
    .compile(store.build);
  const living = sql
    .raw<{ user_id: string }>(
      `SELECT DISTINCT user_id FROM ${pendingOrActive('user_id')} WHERE ${isPendingOrActive}`,
    )
    .compile(store.build);
  return {
    get: (id: string): Session | undefined => sessions.get(id),
    /** @throws Refusal `not found or stale`, and the errors of `change` */
    change: (id: string, version: number, change: (current: Session) => Session): Promise<Session> =>
      sessions.change(id, version, change),

    /** Lists the sessions of one user if `userId` is set, and terminated sessions only if `terminated`. */
    listing({
      userId,
      terminated,
    }: {
      readonly userId: string | undefined;
      readonly terminated: boolean;
    }): Listing<Session> {
      const living: Condition = { sql: `status <> 'terminated'`, parameters: [] };
      return listingOf<SessionTable, Session>(store, {
        table: 'session',
        container: 'project_id',
        ...(userId !== undefined && { userId }),
        ...(!terminated && { shown: living }),
        toItems: (rows) => sessionTable.toItems(store, rows),
      });
    },

    /**
     * Stores the state changes of sessions that are due at `now`, many in several writes, whatever the current work
     * requires. Await this before reading sessions.
     */
    async settle(now: number): Promise<void> {
      if (store.get(withParameters(due, now, 1)) === undefined) return;
      await withoutConditions(() =>
        writeInParts(store, (tx, isOver) => {
          while (!isOver()) {
            const found = tx.all(withParameters(due, now, changedAtOnce));
            if (found.length === 0) return true;
            for (const { id, version } of found)
              changeResource(tx, sessionTable, id, version, (current) => settled(current, now));
          }
          return false;
        }),
      );
    },

    /**
     * Deletes sessions that ended some time ago, many in several writes, but not all. Their leases are revoked since
     * they ended, whether or not the sessions exist.
     */
    async removeEnded(now: number): Promise<void> {
      const until = now - keptAfterEnd;
      if (store.get(withParameters(ended, until, 1)) === undefined) return;
      let left = mostDeleted;
      await writeInParts(store, (tx, isOver) => {
        while (!isOver()) {
          const ids = tx.all(withParameters(ended, until, Math.min(changedAtOnce, left))).map(({ id }) => id);
          if (ids.length === 0) return true;
          left -= removeResources(tx, sessionTable, ids, now);
        }
        return false;
      });
    },

    /** The users with pending or active sessions. */
    users: (): string[] => store.all(living).map(({ user_id }) => user_id),

    /** Cancels all sessions of a user, many in several writes. */
    cancelOfUser: (userId: string, now: number): Promise<void> =>
      cancelInParts(store, 'user_id', userId, now),
  };
}

/** Cancels the sessions that depend on a record, many in several writes. */
export function cancelInParts(store: Store<Schema>, column: Support, id: string, now: number): Promise<void> {
  return writeInParts(store, (tx, isOver) => {
    while (!isOver()) if (cancelSessions(tx, column, [id], now, changedAtOnce) < changedAtOnce) return true;
    return false;
  });
}

/**
 * Cancels the sessions that depend on removed records, in the caller's transaction. Does the same as `canceled`, but
 * in one statement, since there may be many. Sessions whose time is over end automatically.
 * @param most how many sessions, all unless given
 * @returns how many were canceled
 */
export function cancelSessions(
  tx: Writer<Schema>,
  column: Support,
  ids: readonly string[],
  now: number,
  most = -1,
): number {
  const which = `${column} IN (SELECT value FROM json_each(?1)) AND ${isPendingOrActive} AND due_time > ?2`;
  const first = lastChange(tx);
  const cancel = sql
    .raw(
      `UPDATE session SET
         status = 'canceling', updated_time = ?2, due_time = min(?2 + ?3, expiration_time), version = version + 1,
         change = ?4 + numbered.number,
         states = '[' || json_object('status', 'canceling', 'startTime', ?2, 'endTime', NULL) || ',' ||
           substr(json_set(states, '$[0].endTime', ?2), 2)
       FROM (
         SELECT id, row_number() OVER () AS number FROM (SELECT id FROM ${pendingOrActive(column)} WHERE ${which} LIMIT ?5)
       ) AS numbered
       WHERE session.id = numbered.id`,
    )
    .compile(tx.build);
  const count = tx.run(withParameters(cancel, JSON.stringify(ids), now, closingTime, first, most));
  countChanges(tx, count);
  return count;
}
