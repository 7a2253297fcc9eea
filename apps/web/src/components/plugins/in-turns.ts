/** The pending work: individual requests, the rest, or nothing. */
export type TurnsState = 'soon' | 'rest' | 'idle';

/**
 * Works on many IDs, a few at a time, with individual requests before the rest.
 * @param parallel the number of concurrent calls
 * @param work must handle its own failures
 * @param onState called when the pending work changes
 */
export function inTurns(
  parallel: number,
  work: (id: string) => Promise<void>,
  onState: (state: TurnsState) => void,
) {
  const first = new Set<string>();
  let later = new Set<string>();
  const underWay = new Set<string>();
  let isOnRest = false;
  let told: TurnsState = 'idle';
  const begin = (id: string): void => {
    first.delete(id);
    later.delete(id);
    underWay.add(id);
    void work(id).finally(() => {
      underWay.delete(id);
      goOn();
    });
  };
  function goOn(): void {
    for (const id of [...first, ...later]) {
      if (underWay.size >= parallel) break;
      if (!underWay.has(id)) begin(id);
    }
    isOnRest &&= later.size + underWay.size > 0;
    const state = isOnRest ? 'rest' : first.size + underWay.size > 0 ? 'soon' : 'idle';
    if (state === told) return;
    told = state;
    onState(state);
  }
  const stop = (): void => {
    later = new Set();
    isOnRest = false;
    goOn();
  };
  return {
    /** Requests one ID, before the rest. */
    soon: (id: string): void => {
      if (underWay.has(id)) return;
      first.add(id);
      goOn();
    },
    /** Requests the rest, in order. */
    rest: (ids: readonly string[]): void => {
      later = new Set(ids.filter((id) => !underWay.has(id)));
      isOnRest = true;
      goOn();
    },
    /** Drops the rest; running work completes. */
    stop,
    /** Drops everything that hasn't begun. */
    end: (): void => {
      first.clear();
      stop();
    },
  };
}
