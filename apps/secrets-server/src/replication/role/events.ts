import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { Refusal } from '../../core/refusal.ts';
import type { EventKind, ReplicationRecords } from '../../store/replication/records/record-store.ts';
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
   * Makes a transition, one at a time, and keeps what became of it. When that can't be kept, the answer says so.
   * @param work answers what the caller is to know
   * @throws what the work throws, and nothing else
   */
  make(operation: string, by: string, work: () => Promise<readonly string[]>): Promise<readonly string[]>;
  /** The same of an activation, of whose answer nothing is kept. */
  keepActivation<Result>(operation: string, by: string, work: () => Promise<Result>): Promise<Result>;
  /** Waits its turn among transitions; nothing is kept of it. */
  between<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** What the caller is told of a change that is not in the log. */
const notKept =
  "This change was made, but couldn't be recorded in the log of role changes. See the server's log.";

/** Opens the log. @param mode the part that the cluster has at the moment */
export function transitionLog(
  records: ReplicationRecords,
  clock: Clock,
  log: Pick<Log, 'error'>,
  mode: () => Role['mode'],
): Transitions {
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  };
  /** Answers whether it is kept: what was done is done all the same. */
  const note = async (kind: EventKind, transition: Transition): Promise<boolean> => {
    try {
      await records.addEvent(kind, clock.now(), transition);
      return true;
    } catch (error) {
      log.error('role change not recorded', {
        route: transition.operation,
        reason: transition.outcome,
        error,
      });
      return false;
    }
  };

  const attempt = <Result>(
    kind: EventKind,
    { operation, by }: Pick<Transition, 'operation' | 'by'>,
    work: () => Promise<Result>,
    warningsOf: (result: Result) => readonly string[],
  ): Promise<{ readonly result: Result; readonly isKept: boolean }> =>
    inTurn(async () => {
      const from = mode();
      const keep = (told: Pick<Transition, 'outcome' | 'why' | 'warnings'>): Promise<boolean> =>
        note(kind, { operation, by, from, to: mode(), ...told });
      let result: Result;
      try {
        result = await work();
      } catch (error) {
        const refused = error instanceof Refusal;
        await keep({
          outcome: refused ? 'refused' : 'failed',
          why: refused ? error.message : "internal error; see the server's log",
          warnings: [],
        });
        throw error;
      }
      return { result, isKept: await keep({ outcome: 'done', why: '', warnings: warningsOf(result) }) };
    });

  return {
    list: () => records.events().map(({ id, time, event }) => ({ ...(event as Transition), id, time })),
    between: inTurn,
    async make(operation, by, work) {
      const made = await attempt('transition', { operation, by }, work, (warnings) => warnings);
      return made.isKept ? made.result : [...made.result, notKept];
    },
    async keepActivation(operation, by, work) {
      return (await attempt('activation', { operation, by }, work, () => [])).result;
    },
  };
}
