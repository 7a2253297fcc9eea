/**
 * Work that one process does at a time. The process extends its lease every few seconds, even while the work waits for
 * an answer. A minute after the last extension another process takes the work, and writes of the former one change
 * nothing.
 */
import type { Clock } from '@gatehouse/service-kit/clock';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import type { Log } from '@gatehouse/service-kit/log';
import type { CompiledQuery, RawBuilder, SqlBool, UpdateObject } from 'kysely';
import { pause } from '#ground/pause.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** How long a process has work to itself without extending the lease, in milliseconds. */
export const lease = 60_000;
/** How long work waits for the console that has what it needs, in milliseconds. */
const absence = 3_600_000;
/** How often a lease is extended, in milliseconds. */
const usualHeartbeat = 5_000;

export interface HeartbeatParts {
  readonly log: Log;
  /** Milliseconds between two heartbeats; the usual ones unless given. */
  readonly heartbeatMs?: number;
}

/**
 * Extends a lease until it is ended or lost.
 * @param extend resolves to whether this process still has the work
 * @param lost called once, when it no longer has the work
 * @returns ends the lease, and waits for the last statement
 */
export function heartbeat(
  extend: () => Promise<boolean>,
  lost: () => void,
  { log, heartbeatMs = usualHeartbeat }: HeartbeatParts,
): () => Promise<void> {
  const ended = new AbortController();
  const beating = (async () => {
    for (;;) {
      await pause(heartbeatMs, ended.signal);
      if (ended.signal.aborted) return;
      try {
        if (await extend()) continue;
      } catch (error) {
        log.warn('lease not extended', { error });
        continue;
      }
      lost();
      return;
    }
  })();
  return () => {
    ended.abort();
    return beating;
  };
}

/** A process's rows of a table whose rows name their worker, and have a token while there is work. */
export type Holder = ReturnType<typeof createHolder>;

export function createHolder(
  table: 'move' | 'publish_upload',
  parts: HeartbeatParts & { readonly database: Database; readonly clock: Clock },
) {
  const { database, clock } = parts;
  const { build } = database;
  const worker = randomBase62(12);
  const claims = new Set<Promise<number>>();
  let isReleased = false;
  const taken = () => ({ worker, lease_until: clock.now() + lease });
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
    /**
     * Whether a process takes the row even if it can't use the row's token, as another console's key ring or
     * configuration may: none that can has come for so long that the work counts as lost.
     */
    isForAny: (row: { readonly updated_at: number; readonly lease_until: number }): boolean =>
      !database.shared || Math.max(row.updated_at, row.lease_until) <= clock.now() - absence,
    /** Takes a row for this process, unless another one has it. */
    async claim(id: string): Promise<boolean> {
      if (isReleased) return false;
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
                  eb('lease_until', '<', clock.now()),
                ])
              : eb('id', '=', id),
          )
          .compile(),
      );
      claims.add(claim);
      try {
        return (await claim) === 1 && !isReleased;
      } finally {
        claims.delete(claim);
      }
    },
    /**
     * Extends the lease of a claimed row.
     * @param abort aborted if the row was stopped, or taken by another process
     * @returns ends it
     */
    keep: (id: string, abort: AbortController): (() => Promise<void>) =>
      heartbeat(
        () => extend(id),
        () => abort.abort(new Error('stopped, or taken by another process')),
        parts,
      ),
    /** Releases all rows, and claims none from then on, so that others needn't wait for the leases to end. */
    async release(): Promise<void> {
      isReleased = true;
      await Promise.allSettled(claims);
      await database.run(
        build
          .updateTable(table)
          .set({ worker: null, lease_until: clock.now() })
          .where('worker', '=', worker)
          .compile(),
      );
    },
  };
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
