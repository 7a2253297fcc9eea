/** What of it is to be done: something that was asked for by itself, the rest, or nothing more. */
export type TurnsState = 'soon' | 'rest' | 'idle';

/**
 * Work on many things by their ids, a few at a time: what was asked for by itself comes before the rest.
 * @param parallel how many are under way at once
 * @param work handles its own failures
 * @param onState hears what is to be done whenever that changes
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
    /** Asks for one, before the rest. */
    soon: (id: string): void => {
      if (underWay.has(id)) return;
      first.add(id);
      goOn();
    },
    /** Asks for the rest, in their order. */
    rest: (ids: readonly string[]): void => {
      later = new Set(ids.filter((id) => !underWay.has(id)));
      isOnRest = true;
      goOn();
    },
    /** Gives up the rest; what is under way is finished. */
    stop,
    /** Gives up everything that has not begun. */
    end: (): void => {
      first.clear();
      stop();
    },
  };
}
