import type { Clock } from '@gatehouse/service-kit/clock';
import { Refusal } from '../core/refusal.ts';
import type { ReplicationRecords } from '../store/replication/record-store.ts';
import type { Role } from './role.ts';

/** A change of a cluster's part in replication, or an attempt at one. */
export interface Transition {
  /** The operation, such as `primary/demote`. */
  readonly operation: string;
  /** Who asked for it, by their token's display name. */
  readonly by: string;
  readonly from: Role['mode'];
  readonly to: Role['mode'];
  readonly outcome: 'done' | 'refused' | 'failed';
  /** Of a refusal or a failure; empty otherwise. */
  readonly why: string;
  readonly warnings: readonly string[];
}

/** A transition as it is read. */
export interface KeptTransition extends Transition {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** The log of transitions. */
export interface Transitions {
  /** Newest first. */
  list(): readonly KeptTransition[];
  /**
   * Makes a transition, one at a time, and keeps what became of it.
   * @param work answers what the caller is to know
   * @throws what the work throws
   */
  make(operation: string, by: string, work: () => Promise<readonly string[]>): Promise<readonly string[]>;
  /** The same of work that answers something else, of which nothing is kept. */
  keep<Result>(operation: string, by: string, work: () => Promise<Result>): Promise<Result>;
  /** Waits its turn among transitions; nothing is kept of it. */
  between<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Opens the log. @param mode the part that the cluster has at the moment */
export function transitionLog(
  records: ReplicationRecords,
  clock: Clock,
  mode: () => Role['mode'],
): Transitions {
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  };
  const note = (transition: Transition): Promise<void> => records.addEvent(clock.now(), transition);

  const attempt = <Result>(
    operation: string,
    by: string,
    work: () => Promise<Result>,
    warningsOf: (result: Result) => readonly string[],
  ): Promise<Result> =>
    inTurn(async () => {
      const from = mode();
      try {
        const result = await work();
        const warnings = warningsOf(result);
        await note({ operation, by, from, to: mode(), outcome: 'done', why: '', warnings });
        return result;
      } catch (error) {
        const refused = error instanceof Refusal;
        await note({
          operation,
          by,
          from,
          to: mode(),
          outcome: refused ? 'refused' : 'failed',
          why: refused ? error.message : "internal error; see the server's log",
          warnings: [],
        });
        throw error;
      }
    });

  return {
    list: () => records.events().map(({ id, time, event }) => ({ ...(event as Transition), id, time })),
    between: inTurn,
    make: (operation, by, work) => attempt(operation, by, work, (warnings) => warnings),
    keep: (operation, by, work) => attempt(operation, by, work, () => []),
  };
}
