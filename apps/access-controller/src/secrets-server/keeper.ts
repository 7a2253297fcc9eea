import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import type { Due } from '../store/vault-tokens.ts';

/** Tokens, and leases, that are looked after at the same time; of one server; and of all whose last one took long. */
const atOnce = 64;
const ofServerAtOnce = 4;
const ofSlowAtOnce = 8;
/** Servers that are remembered as slow: those are forgotten first that have been for longest. */
const mostSlow = 10_000;

interface KeeperParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Its signal begins nothing more. */
  readonly limits: { readonly signal?: AbortSignal };
}

/**
 * Looks after what is due. A round waits for nothing that is under way, and servers take turns: one that hangs, or a number of
 * them, holds up no others.
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
  const slow = new Set<string>();
  /** What this round has not begun yet, by server. */
  let waiting = new Map<string, Due[]>();

  const isFull = (server: string): boolean => {
    if ((places.get(server) ?? 0) >= ofServerAtOnce) return true;
    if (!slow.has(server)) return false;
    return [...places].reduce((sum, [name, count]) => sum + (slow.has(name) ? count : 0), 0) >= ofSlowAtOnce;
  };
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
    slow.delete(server);
    if (performance.now() - begin < slowMs) return;
    slow.add(server);
    const [first] = slow;
    if (slow.size > mostSlow && first !== undefined) slow.delete(first);
  };
  const fill = (): void => {
    for (const [server, items] of waiting) {
      while (items.length > 0 && !isFull(server)) {
        if (underWay.size >= atOnce || signal?.aborted === true) return;
        const item = items.shift();
        if (item === undefined || underWay.has(item.id)) continue;
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
      if (items.length === 0) waiting.delete(server);
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
