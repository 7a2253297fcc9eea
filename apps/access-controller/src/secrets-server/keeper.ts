import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import type { Due } from '../store/vault-tokens.ts';

/** Tokens, and leases, that are looked after at the same time: one that hangs costs little more than its connection. */
const atOnce = 512;
/** Of these, those of one server that answers quickly; of another one there is one. */
const ofServerAtOnce = 4;
/** Of these, those of all servers of which it isn't known that they answer quickly, and of those that were slow lately. */
const ofOthersAtOnce = 256;
const ofSlowAtOnce = 8;
/** How long a server counts as slow, in milliseconds, after it was. */
const slowForMs = 600_000;
/** Servers of which is known how they answer: those are forgotten first that have been for longest. */
const mostKnown = 10_000;

interface KeeperParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Its signal begins nothing more. */
  readonly limits: { readonly signal?: AbortSignal };
}

/**
 * Looks after what is due. A round waits for nothing that is under way, and servers take turns: those that hang, or are new, hold
 * up no others.
 * @param slowMs from so many milliseconds on a work took long
 */
export function keeper<Item extends { readonly dueTime: number | null }>(
  { clock, log, limits: { signal } }: KeeperParts,
  store: { due(now: number): readonly Due[]; get(id: string): Item | undefined },
  work: (item: Item) => Promise<void>,
  slowMs = 2_000,
) {
  const underWay = new Map<string, Promise<void>>();
  /** How much is under way, by server. */
  const places = new Map<string, number>();
  /** Until when each server counts as slow, in the milliseconds of `performance.now`; missing while nothing is known of it. */
  const slowUntil = new Map<string, number>();
  /** What this round has not begun yet, by server. */
  let waiting = new Map<string, Due[]>();

  const isSlow = (server: string): boolean => (slowUntil.get(server) ?? 0) > performance.now();
  const isQuick = (server: string): boolean => slowUntil.has(server) && !isSlow(server);
  const keep = async ({ id, server }: Due): Promise<void> => {
    const begin = performance.now();
    try {
      const item = store.get(id);
      // It may have been done, or changed, since the round began.
      if (item?.dueTime != null && item.dueTime <= clock.now()) await work(item);
    } catch (error) {
      // One that cannot be looked after must not keep the others from it.
      log.warn('token or lease not checked', { error, resourceId: id });
    }
    const now = performance.now();
    const isLong = now - begin >= slowMs;
    if (!isLong && isSlow(server)) return;
    slowUntil.delete(server);
    slowUntil.set(server, isLong ? now + slowForMs : 0);
    const [first] = slowUntil.keys();
    if (slowUntil.size > mostKnown && first !== undefined) slowUntil.delete(first);
  };
  const fill = (): void => {
    let [others, slow] = [0, 0];
    const count = (server: string, by: number): void => {
      if (!isQuick(server)) others += by;
      if (isSlow(server)) slow += by;
    };
    for (const [server, own] of places) count(server, own);
    const mayBegin = (server: string): boolean => {
      const own = places.get(server) ?? 0;
      if (isQuick(server)) return own < ofServerAtOnce;
      return own === 0 && others < ofOthersAtOnce && (slow < ofSlowAtOnce || !isSlow(server));
    };
    for (const [server, items] of waiting) {
      if (underWay.size >= atOnce || signal?.aborted === true) return;
      if (!mayBegin(server)) continue;
      const item = items.shift();
      // Whoever has a turn is behind the others.
      waiting.delete(server);
      if (items.length > 0) waiting.set(server, items);
      if (item === undefined || underWay.has(item.id)) continue;
      count(server, 1);
      places.set(server, (places.get(server) ?? 0) + 1);
      underWay.set(
        item.id,
        keep(item).then(() => {
          underWay.delete(item.id);
          const left = (places.get(server) ?? 1) - 1;
          if (left === 0) places.delete(server);
          else places.set(server, left);
          fill();
        }),
      );
    }
  };
  return {
    begin() {
      waiting = Map.groupBy(store.due(clock.now()), ({ server }) => server);
      fill();
    },
    async done() {
      await Promise.all(underWay.values());
    },
  };
}
