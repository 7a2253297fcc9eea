import type { Log } from '@gatehouse/service-kit/log';
import { atMost } from './pause.ts';

/**
 * @param steps run one after the other, whatever became of the previous ones
 * @param patienceMs how long the next step waits for one that hangs, if not as long as usual. It isn't started again
 *   before it ends.
 */
export function createUpkeep(steps: readonly (() => unknown)[], log: Log, patienceMs?: number) {
  const working = new Set<() => unknown>();
  let closed = false;
  let current: Promise<void> | undefined;
  const round = async (some: readonly (() => unknown)[]): Promise<void> => {
    for (const step of some) {
      if (closed) return;
      if (working.has(step)) continue;
      working.add(step);
      const work = Promise.try(step)
        .catch((error: unknown) => log.error('upkeep', { error }))
        .finally(() => working.delete(step));
      await atMost(work, patienceMs);
    }
  };
  return {
    /** Runs all steps, or only some, or waits for the round in progress: rounds don't queue behind a slow one. */
    run: (some = steps): Promise<void> => (current ??= round(some).finally(() => (current = undefined))),
    /** Waits for the step in progress. No more are started. */
    async close(): Promise<void> {
      closed = true;
      await current;
    },
  };
}
