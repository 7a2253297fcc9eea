import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import type { Due } from '../store/vault-tokens.ts';

/** Tokens, or leases, that are looked after at the same time, besides those that take long. */
const atOnce = 512;
/** Of these, those of one server that answers quickly; of another one there is one. */
const ofServerAtOnce = 4;
/** Of these, those of all servers that don't answer quickly, or of which nothing is known. */
const ofOthersAtOnce = 256;
/** Of these, those of servers that are slow. */
const ofSlowAtOnce = 8;
/** Those that take long, and hold up nothing else. */
const longAtOnce = 1_024;
/** Begun in one round: however soon somebody's tokens are due again, it costs no more. */
const inRound = 400;
/** Of these, left to servers that don't answer quickly, so that those that do hold up none. */
const ofOthersInRound = 150;
/** A server answers quickly within so many milliseconds. */
const quickMs = 250;
/** For how long is known how a server answered, in milliseconds. */
const knownForMs = 600_000;
/** Servers of which is known how they answer: those are forgotten first that have been for longest. */
const mostKnown = 10_000;

const lanes = ['quick', 'other', 'slow'] as const;
type Lane = (typeof lanes)[number];

/** How a server has answered lately, in milliseconds. */
interface Known {
  /** The longest time that anything took. */
  readonly worst: number;
  /** All of it together. */
  readonly used: number;
  /** Until when it is known, on the monotonic clock. */
  readonly until: number;
}

interface KeeperParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Its signal begins nothing more. */
  readonly limits: { readonly signal?: AbortSignal };
}

/**
 * Looks after what is due. A round waits for nothing that is under way. Of the servers that answer alike, those come first that
 * have taken the least time lately: neither those that hang, nor those that are asked again and again, hold up others.
 * @param slowMs from so many milliseconds on a work takes long, and its server is slow
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
  const inLane = { quick: 0, other: 0, slow: 0 };
  let takingLong = 0;
  const servers = new Map<string, Known>();
  /** What this round has not begun yet, by server: of those that may have another place, by how they answer, and the others. */
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
    servers.delete(server);
    servers.set(server, {
      worst: Math.max(worst, ms),
      used: used + ms,
      until: ms >= worst ? clock.monotonic() + knownForMs : until,
    });
    const [first] = servers.keys();
    if (servers.size > mostKnown && first !== undefined) servers.delete(first);
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

  /** How many of a round are kept for lanes after this one. */
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
      // It may have been done, or changed, since the round began.
      if (item?.dueTime != null && item.dueTime <= clock.now()) await work(item);
    } catch (error) {
      // One that cannot be looked after must not keep the others from it.
      log.warn('token or lease not checked', { error, resourceId: id });
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
        // Whoever has a turn is behind the others.
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
      const usedOf = (server: string): number => knownOf(server)?.used ?? 0;
      const due = [...Map.groupBy(store.due(clock.now()), ({ server }) => server)];
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
