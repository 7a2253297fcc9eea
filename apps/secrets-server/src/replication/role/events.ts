import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { Refusal } from '../../core/refusal.ts';
import type { EventKind, ReplicationRecords } from '../../store/replication/records/record-store.ts';
import type { Role } from './role.ts';

/** A transition of a cluster's role, or an attempt. */
export interface Transition {
  /** The operation, such as `primary/demote`. */
  readonly operation: string;
  /** The display name of the caller's token. */
  readonly by: string;
  readonly from: Role['mode'];
  readonly to: Role['mode'];
  readonly outcome: 'done' | 'refused' | 'failed';
  /** The reason of a refusal or failure; otherwise empty. */
  readonly why: string;
  readonly warnings: readonly string[];
}

/** A stored transition. */
export interface KeptTransition extends Transition {
  readonly id: number;
  /** In milliseconds since the epoch. */
  readonly time: number;
}

/** The log of transitions. */
export interface Transitions {
  /** Newest first. */
  list(): readonly KeptTransition[];
  /**
   * Runs a transition, one at a time, and logs its outcome. If that fails, the returned messages say so.
   * @param work returns messages for the user
   * @throws only what `work` throws
   */
  make(operation: string, by: string, work: () => Promise<readonly string[]>): Promise<readonly string[]>;
  /** Like `make`, for an activation, whose result is not logged. */
  keepActivation<Result>(operation: string, by: string, work: () => Promise<Result>): Promise<Result>;
  /** Waits for its turn among transitions without being logged. */
  between<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** The message about a change that could not be logged. */
const notKept =
  "This change was made, but couldn't be recorded in the log of role changes. See the server's log.";

/** Opens the log. @param mode returns the cluster's current mode */
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
  /** Returns whether the event was logged; a failure does not undo the transition. */
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
