import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { retryDelay } from '../domain/vault-store/token.ts';
import type { Due } from '../store/vault-tokens.ts';

/** Most tokens, or leases, checked at the same time, except long-running checks. */
const atOnce = 512;
/** Most of these at one fast server; other servers get one. */
const ofServerAtOnce = 4;
/** Most of these at all servers that aren't fast, or whose speed is unknown. */
const ofOthersAtOnce = 256;
/** Most of these at all slow servers. */
const ofSlowAtOnce = 8;
/** Most long-running checks, which don't count toward the other limits. */
const longAtOnce = 1_024;
/** Most checks begun in one round, however often a user's tokens are due. */
const inRound = 400;
/** Checks in each round that are kept for servers that aren't fast. */
const ofOthersInRound = 150;
/** A server is fast if it answers within this many milliseconds. */
const quickMs = 250;
/** How long the measured speed of a server counts, in milliseconds. */
const knownForMs = 600_000;
/** Most servers with a measured speed, and most postponed items; the oldest are dropped first. */
const mostKnown = 10_000;

/** Sets an entry, as the newest one, and drops the oldest ones beyond a number. */
function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  known.delete(key);
  known.set(key, value);
  const [first] = known.keys();
  if (known.size > mostKnown && first !== undefined) known.delete(first);
}

const lanes = ['quick', 'other', 'slow'] as const;
type Lane = (typeof lanes)[number];

/** The recent durations of a server's checks, in milliseconds. */
interface Known {
  /** The longest check. */
  readonly worst: number;
  /** The sum of all checks. */
  readonly used: number;
  /** When the measurement expires, on the monotonic clock. */
  readonly until: number;
}

interface KeeperParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Once the signal aborts, no further check begins. */
  readonly limits: { readonly signal?: AbortSignal };
}

/**
 * Schedules the checks of due items. A round doesn't wait for pending checks. Among equally fast servers, those that
 * have recently used the least time come first, which keeps hanging or frequently due servers from blocking others.
 * An item whose check throws is checked again later and later; each round logs the first one.
 * @param slowMs the duration, in milliseconds, from which a check is long-running and its server is slow
 */
export function keeper<Item extends { readonly dueTime: number | null }>(
  { clock, log, limits: { signal } }: KeeperParts,
  store: { due(now: number): readonly Due[]; get(id: string): Item | undefined },
  work: (item: Item) => Promise<void>,
  slowMs = 2_000,
) {
  const underWay = new Map<string, Promise<void>>();
  /** The number of pending checks, by server. */
  const places = new Map<string, number>();
  const inLane = { quick: 0, other: 0, slow: 0 };
  let takingLong = 0;
  const servers = new Map<string, Known>();
  /** Items that could not be read or stored, with their failures and when they are tried again (monotonic clock). */
  const postponed = new Map<string, { readonly failures: number; readonly until: number }>();
  let isLogged = false;
  /**
   * Items that this round hasn't begun, by server: `waiting` by lane, for servers with a free place; `full` for the
   * others.
   */
  let waiting = emptyLanes();
  let full = new Map<string, Due[]>();
  let leftInRound = 0;

  const knownOf = (server: string): Known | undefined => {
    const known = servers.get(server);
    return known !== undefined && known.until > clock.monotonic() ? known : undefined;
  };
  const laneOf = (server: string): Lane => {
    const known = knownOf(server);
    if (known === undefined) return 'other';
    if (known.worst >= slowMs) return 'slow';
    return known.worst < quickMs ? 'quick' : 'other';
  };
  const learn = (server: string, ms: number): void => {
    const { worst, used, until } = knownOf(server) ?? { worst: 0, used: 0, until: 0 };
    remember(servers, server, {
      worst: Math.max(worst, ms),
      used: used + ms,
      until: ms >= worst ? clock.monotonic() + knownForMs : until,
    });
  };
  const enqueue = (server: string, items: Due[]): void => {
    if (items.length === 0) return;
    const lane = laneOf(server);
    const most = lane === 'quick' ? ofServerAtOnce : 1;
    ((places.get(server) ?? 0) < most ? waiting[lane] : full).set(server, items);
  };
  const hasPlace = (lane: Lane): boolean =>
    inLane.quick + inLane.other + inLane.slow < atOnce &&
    (lane === 'quick' || inLane.other + inLane.slow < ofOthersAtOnce) &&
    (lane !== 'slow' || inLane.slow < ofSlowAtOnce);

  /** The checks of this round that are kept for the lanes after this one. */
  const reservedFrom = (lane: Lane): number =>
    lane === 'quick' && (waiting.other.size > 0 || waiting.slow.size > 0) ? ofOthersInRound : 0;

  const keep = async ({ id, server }: Due, lane: Lane): Promise<void> => {
    const begin = clock.monotonic();
    inLane[lane] += 1;
    places.set(server, (places.get(server) ?? 0) + 1);
    let isLong = false;
    const timer = setTimeout(() => {
      learn(server, slowMs);
      if (takingLong >= longAtOnce) return;
      isLong = true;
      takingLong += 1;
      inLane[lane] -= 1;
      fill();
    }, slowMs);
    timer.unref();
    try {
      const item = store.get(id);
      // The item may have been checked or changed since the round began.
      if (item?.dueTime != null && item.dueTime <= clock.now()) await work(item);
      postponed.delete(id);
    } catch (error) {
      // A failed check must not stop the checks of other items, nor be repeated or logged each second.
      const failures = (postponed.get(id)?.failures ?? 0) + 1;
      remember(postponed, id, { failures, until: clock.monotonic() + retryDelay(failures) });
      if (!isLogged) log.warn('token or lease not checked', { error, resourceId: id });
      isLogged = true;
    }
    clearTimeout(timer);
    learn(server, clock.monotonic() - begin);
    if (isLong) takingLong -= 1;
    else inLane[lane] -= 1;
  };
  const giveBack = ({ id, server }: Due): void => {
    underWay.delete(id);
    const left = (places.get(server) ?? 1) - 1;
    if (left === 0) places.delete(server);
    else places.set(server, left);
    const items = full.get(server) ?? [];
    full.delete(server);
    enqueue(server, items);
    fill();
  };
  const fill = (): void => {
    for (const lane of lanes) {
      for (const [server, items] of waiting[lane]) {
        if (leftInRound === 0 || signal?.aborted === true) return;
        if (!hasPlace(lane) || leftInRound <= reservedFrom(lane)) break;
        // A server that gets a turn moves behind the others.
        waiting[lane].delete(server);
        const item = items.shift();
        if (item !== undefined && !underWay.has(item.id)) {
          leftInRound -= 1;
          underWay.set(
            item.id,
            keep(item, lane).then(() => giveBack(item)),
          );
        }
        enqueue(server, items);
      }
    }
  };
  return {
    begin() {
      waiting = emptyLanes();
      full = new Map();
      leftInRound = inRound;
      isLogged = false;
      const usedOf = (server: string): number => knownOf(server)?.used ?? 0;
      const ready = store
        .due(clock.now())
        .filter(({ id }) => (postponed.get(id)?.until ?? 0) <= clock.monotonic());
      const due = [...Map.groupBy(ready, ({ server }) => server)];
      for (const [server, items] of due.sort(([one], [other]) => usedOf(one) - usedOf(other)))
        enqueue(server, items);
      fill();
    },
    async done() {
      await Promise.all(underWay.values());
    },
  };
}

const emptyLanes = (): Record<Lane, Map<string, Due[]>> => ({
  quick: new Map(),
  other: new Map(),
  slow: new Map(),
});
