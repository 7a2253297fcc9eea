import { createHash } from 'node:crypto';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import { nameAtServer, type Config } from '#config/config.ts';
import { pause } from '#ground/pause.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Database } from '#store/database.ts';
import { stopwatch, underLease, type HeartbeatParts } from '#store/lease.ts';
import { takeTurnsAmongConsoles, takeTurnsAtServers, type AmongConsoles } from './in-turn.ts';

/** Pause before the next attempt to take a turn from another console, in milliseconds. */
const lookAgainMs = 50;

/**
 * How long a console has a turn without extending it, in milliseconds. Shorter than the lease of a job, because
 * requests wait for it.
 */
const turnLease = 20_000;
/** Longest wait for a turn, in milliseconds. A dead console keeps its turn until its lease ends. */
const mostWaitMs = turnLease + 5_000;

interface Parts extends HeartbeatParts {
  readonly database: Database;
}

/**
 * Makes work on records take turns in all environments, and with other consoles if they share the database.
 * @returns ends this
 */
export function shareTurns(config: Config, parts: Parts): () => void {
  const endAtServers = takeTurnsAtServers((...record) => nameAtServer(config, ...record));
  const endAmongConsoles = parts.database.shared
    ? takeTurnsAmongConsoles(turnsAmongConsoles(parts))
    : undefined;
  return () => {
    endAtServers();
    endAmongConsoles?.();
  };
}

/**
 * Turns among the consoles of a shared database. A console that dies in its turn keeps it until its lease ends.
 * @throws ProblemError `service-unavailable` if the turn doesn't come; errors of `work` or the database
 */
export function turnsAmongConsoles({ database, ...beats }: Parts): AmongConsoles {
  const { build } = database;
  const { clock } = beats;
  /** @returns the age of this console's turn, in milliseconds; undefined if another one has it */
  const take = async (id: string, worker: string): Promise<(() => number) | undefined> => {
    const age = stopwatch(clock);
    const taken = { worker, lease_until: database.leaseTime(clock, turnLease) };
    const insert = build
      .insertInto('turn')
      .values({ id, ...taken })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(taken).where('turn.lease_until', '<', database.leaseTime(clock)),
      );
    return (await database.run(insert.compile())) === 1 ? age : undefined;
  };
  return async (key, work) => {
    // Keys may be longer than an index allows.
    const id = createHash('sha256').update(key).digest('base64url');
    const worker = randomBase62(12);
    const never = new AbortController().signal;
    const begin = performance.now();
    let age = await take(id, worker);
    while (age === undefined) {
      if (performance.now() - begin > mostWaitMs)
        throw new ProblemError(
          'service-unavailable',
          'Another console is still working on this record. Try again in a moment.',
          { retryAfterSeconds: 5 },
        );
      await pause(lookAgainMs, never);
      age = await take(id, worker);
    }
    const own = build.updateTable('turn').where('id', '=', id).where('worker', '=', worker);
    const extend = async (): Promise<boolean> =>
      (await database.run(own.set({ lease_until: database.leaseTime(clock, turnLease) }).compile())) === 1;
    const lost = (): void => beats.log.warn('write lock lost to another console', { resourceId: id });
    try {
      return await underLease({ age, lastsMs: turnLease, extend, lost }, beats, work);
    } finally {
      const end = build.deleteFrom('turn').where('id', '=', id).where('worker', '=', worker);
      // The work is done, so its result counts. The next turn waits for the end of the lease.
      await database
        .run(end.compile())
        .catch((error: unknown) => beats.log.warn('write lock not released', { error }));
    }
  };
}
