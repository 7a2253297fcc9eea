/** Limits of running and waiting tasks. */
export interface TurnsOptions {
  /** Tasks that run at once. */
  readonly atOnce: number;
  /** Tasks of one owner that run at once; `atOnce` unless given. */
  readonly ownAtOnce?: number;
  /** Further tasks that run at once, each of an owner that has no other running; none unless given. */
  readonly firsts?: number;
  /** Tasks of one owner that may wait. */
  readonly mostOwn: number;
  /** Tasks of all owners that may wait. */
  readonly mostWaiting: number;
  /** Longest wait of a task, in milliseconds; no limit unless given. */
  readonly waitMs?: number;
}

/**
 * Runs a task in its owner's next turn.
 * @param signal cancels the wait
 * @throws NoTurn; the signal's reason; errors of the task
 */
export type InTurn = <Result>(
  owner: string,
  work: () => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>;

/** A task got no turn: too many of its owner (`own`) or of all owners (`all`) wait, or it waited too long (`late`). */
export class NoTurn extends Error {
  override readonly name = 'NoTurn';
  readonly reason: 'own' | 'all' | 'late';

  constructor(reason: 'own' | 'all' | 'late') {
    super(`no turn: ${reason}`);
    this.reason = reason;
  }
}

interface Waiting {
  begin(): void;
  refuse(why: unknown): void;
}

/**
 * Makes owners take turns, however many tasks one of them sends. When all waiting places are taken, a task replaces the
 * newest one of the owner with the most, if its own owner has fewer.
 */
export function turns(options: TurnsOptions): InTurn {
  const { atOnce, ownAtOnce = atOnce, firsts = 0, mostOwn, mostWaiting, waitMs } = options;
  /** Waiting tasks by owner, in the order of their turns. */
  const waiting = new Map<string, Waiting[]>();
  /** Number of running tasks by owner; owners without one are absent. */
  const runningOf = new Map<string, number>();
  let running = 0;
  let waitingOfAll = 0;

  /** Removes a waiting task. @returns whether it was waiting */
  const leave = (owner: string, one: Waiting): boolean => {
    const own = waiting.get(owner) ?? [];
    if (!own.includes(one)) return false;
    const rest = own.filter((other) => other !== one);
    // Sets the value in place, so that the owner keeps its turn.
    waiting.set(owner, rest);
    if (rest.length === 0) waiting.delete(owner);
    waitingOfAll--;
    return true;
  };

  const takePlace = (own: number): void => {
    if (own >= mostOwn) throw new NoTurn('own');
    if (waitingOfAll < mostWaiting) return;
    const [most] = [...waiting].toSorted(([, a], [, b]) => b.length - a.length);
    const newest = most?.[1].at(-1);
    if (most === undefined || newest === undefined || most[1].length <= own + 1) throw new NoTurn('all');
    leave(most[0], newest);
    newest.refuse(new NoTurn('all'));
  };

  const mayRun = (owner: string): boolean => {
    const own = runningOf.get(owner) ?? 0;
    return own < ownAtOnce && running < (own === 0 ? atOnce + firsts : atOnce);
  };
  const count = (owner: string, by: 1 | -1): void => {
    running += by;
    const own = (runningOf.get(owner) ?? 0) + by;
    if (own === 0) runningOf.delete(owner);
    else runningOf.set(owner, own);
  };

  const turnOf = async (owner: string, signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted();
    if (mayRun(owner)) {
      count(owner, 1);
      return;
    }
    takePlace(waiting.get(owner)?.length ?? 0);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Waiting = { begin: resolve, refuse: reject };
    waiting.set(owner, [...(waiting.get(owner) ?? []), one]);
    waitingOfAll++;
    const giveUp = (why: unknown): void => {
      if (leave(owner, one)) one.refuse(why);
    };
    const late = waitMs === undefined ? undefined : setTimeout(() => giveUp(new NoTurn('late')), waitMs);
    const left = (): void => giveUp(signal?.reason);
    signal?.addEventListener('abort', left);
    try {
      await promise;
    } finally {
      clearTimeout(late);
      signal?.removeEventListener('abort', left);
    }
  };

  /** An owner that had a turn moves behind the others. */
  const goBehind = (owner: string): void => {
    const own = waiting.get(owner);
    waiting.delete(owner);
    if (own !== undefined) waiting.set(owner, own);
  };

  const endTurnOf = (owner: string): void => {
    count(owner, -1);
    goBehind(owner);
    for (;;) {
      const next = waiting.keys().find(mayRun);
      const first = next === undefined ? undefined : waiting.get(next)?.[0];
      if (next === undefined || first === undefined) return;
      count(next, 1);
      leave(next, first);
      goBehind(next);
      first.begin();
    }
  };

  return async (owner, work, signal) => {
    await turnOf(owner, signal);
    try {
      return await work();
    } finally {
      endTurnOf(owner);
    }
  };
}

/**
 * Separate turns for each key, such as a record or a server, kept while any of its tasks runs or waits.
 * @returns a function that runs a task in its owner's next turn at a key
 */
export function turnsByKey(
  options: TurnsOptions,
): <Result>(
  key: string,
  owner: string,
  work: () => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result> {
  const lines = new Map<string, { readonly inTurn: InTurn; works: number }>();
  return async (key, owner, work, signal) => {
    const line = lines.get(key) ?? { inTurn: turns(options), works: 0 };
    lines.set(key, line);
    line.works += 1;
    try {
      return await line.inTurn(owner, work, signal);
    } finally {
      line.works -= 1;
      if (line.works === 0) lines.delete(key);
    }
  };
}
