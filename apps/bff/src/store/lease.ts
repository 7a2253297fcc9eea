/**
 * Work that one process does at a time. The process that has it says so every few seconds, whether the work moves or waits
 * for an answer. After a minute without a word another process takes it, and what the former one writes changes nothing.
 */
import type { Clock } from '@gatehouse/service-kit/clock';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import type { Log } from '@gatehouse/service-kit/log';
import type { CompiledQuery, RawBuilder, SqlBool, UpdateObject } from 'kysely';
import { pause } from '#ground/pause.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** How long a process has work to itself without saying that it is still at it, in milliseconds. */
export const lease = 60_000;
/** How often it says so, in milliseconds. */
const usualHeartbeat = 5_000;

export interface HeartbeatParts {
  readonly log: Log;
  /** Milliseconds between two heartbeats, where they differ from the usual ones. */
  readonly heartbeatMs?: number;
}

/**
 * Extends a lease until it is ended or lost.
 * @param extend answers whether this process still has the work
 * @param lost called once, when it no longer has it
 * @returns ends it, and waits for the last statement
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

/** What one process has of a table whose rows name their worker, and have a token for as long as there is work. */
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
    /** What a row gets that this process takes. */
    taken,
    /** Extends the lease. @returns whether this process still has the row */
    extend,
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
            // A file of its own has one process: nobody else is at it.
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
    /** Keeps a claimed row. @param abort aborted when the row was stopped, or taken, elsewhere @returns ends it */
    keep: (id: string, abort: AbortController): (() => Promise<void>) =>
      heartbeat(
        () => extend(id),
        () => abort.abort(new Error('stopped, or taken by another process')),
        parts,
      ),
    /** Lets all rows go, and takes none from then on: others need not wait for the end of their leases. */
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
 * Changes the row with this id where it is in one of these states.
 * @param worker the process that has it, where the change is part of its work
 * @param only what other rows have to be then, also those that a transaction changes now that changes this row too
 * @param along further statements of the transaction; each must require that the row was changed
 * @returns whether it was, and that process still has it
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
  // A batch begins again where the row was changed since it began: one statement would look at other rows as they were.
  return (await database.batch([update.compile(), ...along]))[0] === 1;
}
