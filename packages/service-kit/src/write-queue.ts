import { AsyncLocalStorage } from 'node:async_hooks';

/** Whom work is done for. */
interface Sender {
  readonly name: string;
}

interface Condition {
  readonly judge: () => unknown;
  /** Whether it is met for good once the work has changed something. */
  readonly isForFirst: boolean;
  /** Whether the work has changed something since it was first judged. */
  hasChanged: boolean;
}

interface Work {
  readonly askerOf: () => Sender;
  /** What its writes require, in the order in which it was judged. */
  readonly conditions: Set<Condition>;
}

const current = new AsyncLocalStorage<Work>();

/**
 * Does work whose writes to stores wait in its asker's line. The writes of other work wait in one line of the process.
 * @param askerOf called for each write
 */
export function writeFor<Result>(askerOf: () => Sender, work: () => Result): Result {
  return current.run({ askerOf, conditions: new Set() }, work);
}

/**
 * Judges a condition of the current work, such as its sender's right: now, after each pause of `Slices` up to the first
 * change, and again within the transaction of each of its later writes, which is undone if `judge` throws. Others may
 * have changed the right meanwhile.
 * @param judge reads what is stored at the time
 * @returns the present judgment
 */
export function requireInWrites<Judgment>(judge: () => Judgment): Judgment {
  const judgment = judge();
  current.getStore()?.conditions.add({ judge, isForFirst: false, hasChanged: false });
  return judgment;
}

/**
 * Judges a condition of the current work again after each pause of `Slices` and within the transactions of its writes,
 * up to the first one that changes something: later ones complete what that one began, and it may itself have changed
 * what is judged.
 * @param judge throws if the condition is no longer met
 */
export function requireInFirstWrite(judge: () => void): void {
  current.getStore()?.conditions.add({ judge, isForFirst: true, hasChanged: false });
}

/**
 * Judges the conditions of the current work again, unless it has changed something since: that may have ended what they
 * require, and its answer reports what was done.
 * @throws what their `judge` throws, and the preparation of one that is `Unprepared`
 */
export async function judgeAfterPause(): Promise<void> {
  const conditions = [...(current.getStore()?.conditions ?? [])].filter(({ hasChanged }) => !hasChanged);
  if (conditions.length === 0) return;
  await tryPrepared(() => {
    for (const { judge } of conditions) judge();
  });
}

/** How often work is tried whose preparation others keep undoing. */
const mostAttempts = 5;

/**
 * Thrown by the `judge` of a condition that first requires more work than a transaction has time for. The write is
 * undone before its work begins, and tried again once `prepare` has settled, at most a few times; so is the judgment
 * after a pause.
 */
export class Unprepared extends Error {
  override readonly name = 'Unprepared';
  /** Thrown after the last attempt. */
  readonly givenUp: Error;
  readonly prepare: () => Promise<void>;

  constructor(givenUp: Error, prepare: () => Promise<void>) {
    super('not prepared');
    this.givenUp = givenUp;
    this.prepare = prepare;
  }
}

/**
 * Tries what judges the conditions of the current work before it does anything, and prepares what they require.
 * @throws what `attempt` and the preparation throw
 */
export async function tryPrepared<Result>(attempt: () => Result | Promise<Result>): Promise<Result> {
  for (let left = mostAttempts - 1; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Unprepared)) throw error;
      if (left === 0) throw error.givenUp;
      // Pauses too, before what is required can be judged.
      await withoutConditions(error.prepare);
    }
  }
}

/** Does work of the process itself, whatever work has begun it. */
export function asProcess<Result>(work: () => Result): Result {
  return current.exit(work);
}

/** Does work in its asker's line whose writes don't depend on what the current work requires: it follows from a fact. */
export function withoutConditions<Result>(work: () => Result): Result {
  const of = current.getStore();
  return of === undefined ? work() : writeFor(of.askerOf, work);
}

/** The conditions of the current work, for later. */
export function currentConditions() {
  const conditions = current.getStore()?.conditions ?? new Set<Condition>();
  return {
    /** Judges all of them again. */
    judge: (): void => {
      for (const { judge } of conditions) judge();
    },
    /** To be called when the work has changed something. */
    begun: (): void => {
      for (const condition of conditions) {
        if (condition.isForFirst) conditions.delete(condition);
        else condition.hasChanged = true;
      }
    },
  };
}

/** The name of the asker that the current work is done for; empty for work of the process. */
export function currentAsker(): string {
  return current.getStore()?.askerOf().name ?? '';
}

/** Waiting writes. Askers take turns, however many writes one of them has; an asker's writes stay in order. */
export class WriteQueue<Write> {
  /** By asker, in the order of their turns. */
  readonly #lines = new Map<string, Write[]>();

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  /** Adds a write of the current work. */
  add(write: Write): void {
    const asker = currentAsker();
    const line = this.#lines.get(asker);
    if (line === undefined) this.#lines.set(asker, [write]);
    else line.push(write);
  }

  /** Removes the next write; undefined if none waits. */
  take(): Write | undefined {
    for (const [asker, line] of this.#lines) {
      // An asker that had a turn moves behind the others.
      this.#lines.delete(asker);
      const write = line.shift();
      if (line.length > 0) this.#lines.set(asker, line);
      return write;
    }
    return undefined;
  }
}
