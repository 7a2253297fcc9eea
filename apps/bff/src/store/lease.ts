/**
 * Work that one process does at a time. The process extends its lease every few seconds, even while the work waits for
 * an answer. A minute after the last extension another process takes the work, and writes of the former one change
 * nothing.
 */
import type { Clock } from '@gatehouse/service-kit/clock';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import type { Log } from '@gatehouse/service-kit/log';
import { sql, type CompiledQuery, type RawBuilder, type SqlBool, type UpdateObject } from 'kysely';
import { whileHeld } from '#ground/held.ts';
import { pause } from '#ground/pause.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** How long a process has work to itself without extending the lease, in milliseconds. */
export const lease = 60_000;
/** How long work waits for the console that has what it needs, in milliseconds. */
const absence = 3_600_000;
/** How often a lease is extended, in milliseconds. */
const usualHeartbeat = 5_000;
/** How long before its end a lease counts as lost, in milliseconds: what was sent before arrives in this time. */
const arrival = 5_000;

export interface HeartbeatParts {
  readonly log: Log;
  readonly clock: Clock;
  /** Milliseconds between two heartbeats; the usual ones unless given. */
  readonly heartbeatMs?: number;
}

/** A lease that work needs. */
interface Lease {
  /** How long ago the process asked for it, in milliseconds. */
  readonly age: () => number;
  /** How long it lasts without being extended, in milliseconds. */
  readonly lastsMs: number;
  /** Resolves to whether this process still has it. */
  readonly extend: () => Promise<boolean>;
  /** Called once, when it no longer has it. */
  readonly lost: () => void;
}

/**
 * Does work, and extends its lease until the work is done or the lease is lost. A process that is suspended loses it
 * without learning that, so the work's requests to services change nothing once the lease may have ended.
 * @returns the result of `work`, after the last statement
 */
export async function underLease<Result>(
  { age, lastsMs, extend, lost }: Lease,
  { log, clock, heartbeatMs = usualHeartbeat }: HeartbeatParts,
  work: () => Promise<Result>,
): Promise<Result> {
  const ended = new AbortController();
  let ageNow: (() => number) | undefined = age;
  let isDone = false;
  const beating = (async () => {
    for (;;) {
      await pause(heartbeatMs, ended.signal);
      if (ended.signal.aborted) return;
      const extended = stopwatch(clock);
      try {
        if (await extend()) {
          ageNow = extended;
          continue;
        }
      } catch (error) {
        log.warn('lease not extended', { error });
        continue;
      }
      ageNow = undefined;
      lost();
      return;
    }
  })();
  try {
    return await whileHeld(() => isDone || (ageNow !== undefined && ageNow() < lastsMs - arrival), work);
  } finally {
    ended.abort();
    await beating;
    // What the work has left running needs no lease.
    isDone = true;
  }
}

/**
 * Starts to measure time by two clocks: one may stop while the machine is suspended, the other be set back.
 * @returns the milliseconds since then
 */
export function stopwatch(clock: Clock): () => number {
  const [wall, monotonic] = [clock.now(), clock.monotonic()];
  return () => Math.max(clock.now() - wall, clock.monotonic() - monotonic);
}

/** Whose sessions gave work its tokens, or whose work it is. */
export interface WorkOf {
  readonly sessionIds: readonly string[];
  readonly personIds: readonly string[];
}

/** A process's rows of a table whose rows name their worker, and have a token while there is work. */
export function createHolder(
  table: 'move' | 'publish_upload',
  parts: HeartbeatParts & { readonly database: Database },
) {
  const { database, clock } = parts;
  const { build } = database;
  const worker = randomBase62(12);
  const claims = new Set<Promise<number>>();
  let isReleased = false;
  const taken = () => ({ worker, lease_until: database.leaseTime(clock, lease) });
  const extend = async (id: string): Promise<boolean> => {
    const own = build.updateTable(table).where('id', '=', id).where('worker', '=', worker);
    return (await database.run(own.set(taken()).compile())) === 1;
  };
  return {
    /** Names this process in its rows. */
    worker,
    /** The columns that this process sets when it takes a row. */
    taken,
    /** Extends the lease. @returns whether this process still has the row */
    extend,
    /** Rows with a token, of any process. */
    rowsOf: ({ sessionIds, personIds }: WorkOf): Promise<readonly { readonly id: string }[]> =>
      database.all(
        build
          .selectFrom(table)
          .select('id')
          .where('sealed_token', 'is not', null)
          .where((eb) =>
            eb.or([eb('session_id', 'in', ['', ...sessionIds]), eb('person_id', 'in', ['', ...personIds])]),
          )
          .compile(),
      ),
    /**
     * Whether a process takes the row even if it can't use the row's token, as another console's key ring or
     * configuration may: none that can has come for so long that the work counts as lost.
     */
    async isForAny(row: { readonly id: string; readonly updated_at: number }): Promise<boolean> {
      if (!database.shared) return true;
      if (row.updated_at > clock.now() - absence) return false;
      const left = build
        .selectFrom(table)
        .select('id')
        .where('id', '=', row.id)
        .where('lease_until', '<=', database.leaseTime(clock, -absence));
      return (await database.get(left.compile())) !== undefined;
    },
    /**
     * Takes a row for this process, unless another one has it.
     * @returns does the row's work, and extends the lease; undefined if another process has the row. Its controller is
     * aborted if the row was stopped, or taken by another process.
     */
    async claim(
      id: string,
    ): Promise<((abort: AbortController, work: () => Promise<void>) => Promise<void>) | undefined> {
      if (isReleased) return undefined;
      const age = stopwatch(clock);
      const claim = database.run(
        build
          .updateTable(table)
          .set(taken())
          .where('id', '=', id)
          .where('sealed_token', 'is not', null)
          .where((eb) =>
            // A database file belongs to one process, so nobody else works on it.
            database.shared
              ? eb.or([
                  eb('worker', 'is', null),
                  eb('worker', '=', worker),
                  eb('lease_until', '<', database.leaseTime(clock)),
                ])
              : eb('id', '=', id),
          )
          .compile(),
      );
      claims.add(claim);
      try {
        if ((await claim) !== 1 || isReleased) return undefined;
      } finally {
        claims.delete(claim);
      }
      return (abort, work) =>
        underLease(
          {
            age,
            // A database file belongs to one process, which keeps its work however long it is suspended.
            lastsMs: database.shared ? lease : Infinity,
            extend: () => extend(id),
            lost: () => abort.abort(new Error('stopped, or taken by another process')),
          },
          parts,
          work,
        );
    },
    /** Releases all rows, and claims none from then on, so that others needn't wait for the leases to end. */
    async release(): Promise<void> {
      isReleased = true;
      await Promise.allSettled(claims);
      await database.run(
        build
          .updateTable(table)
          .set({ worker: null, lease_until: database.leaseTime(clock) })
          .where('worker', '=', worker)
          .compile(),
      );
    },
  };
}

/**
 * The condition of a change that gives a row a session's token: that the session hasn't ended. Its end waits for the
 * change, and so finds the row.
 */
export function hasNotEnded({ shared }: Database, sessionId: string): RawBuilder<SqlBool> {
  const locked = shared ? sql`for share` : sql``;
  return sql`exists (select 1 from session where id = ${sessionId} and ended is null ${locked})`;
}

/**
 * Changes the row with this ID if it is in one of these states.
 * @param worker the process that must have the row; not checked unless given
 * @param only a condition on other rows, checked in the same transaction
 * @param along further statements of the transaction; each must require that the row was changed
 * @returns whether the row was changed
 */
export async function changeIn<Table extends 'move' | 'publish_upload'>(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  table: Table,
  {
    id,
    from,
    worker,
    only,
  }: {
    readonly id: string;
    readonly from: readonly string[];
    readonly worker?: string | null | undefined;
    readonly only?: RawBuilder<SqlBool> | undefined;
  },
  to: UpdateObject<Schema, Table>,
  along: readonly CompiledQuery[] = [],
): Promise<boolean> {
  let update = database.build
    .updateTable<'move' | 'publish_upload'>(table)
    .set({ ...to, updated_at: clock.now() })
    .where('id', '=', id)
    .where('state', 'in', [...from]);
  if (worker !== undefined) update = update.where('worker', '=', worker);
  if (only === undefined && along.length === 0) return (await database.run(update.compile())) === 1;
  if (only !== undefined) update = update.where(only);
  // A batch starts over if the row was changed since it began. A single statement would see other rows as they were.
  return (await database.batch([update.compile(), ...along]))[0] === 1;
}
