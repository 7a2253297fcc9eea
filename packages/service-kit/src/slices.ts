import { setImmediate as nextTurn } from 'node:timers/promises';
import { networkOf } from './client-address.ts';
import { clientLeft } from './http-error.ts';
import { turns } from './turns.ts';
import { judgeAfterPause } from './write-queue.ts';

/** Longest slice of work that blocks the event loop, in milliseconds. */
const sliceMs = 5;

/**
 * Turns of the event loop after a slice. Each turn accepts one connection, so with only long turns new connections
 * would wait. An idle turn takes about 20 µs.
 */
const turnsBetween = 16;

/** How long those turns may take in all, in milliseconds: other work may make each of them long. */
const betweenMs = 10;

/**
 * Most slices that begin in one turn: other work may make each turn long, such as images that arrive. One of a stranger
 * ends the turn.
 */
const mostInTurn = 4;

/** Slices in a row for signed-in users while strangers wait. Without a turn for strangers, nobody could sign in. */
const mostInARow = 3;

/** How long requests may occupy one turn of the event loop before further ones wait, in milliseconds. */
const turnMs = 10;

/**
 * How long requests and transfers may occupy one turn before transfers wait for the next, in milliseconds. A request
 * takes several turns, so this is a fraction of what transfers delay it by.
 */
const transferMs = 4;

/** Whom work is done for: a signed-in user, or a stranger at an address. */
export interface Asker {
  readonly name: string;
  readonly isKnown: boolean;
}

/**
 * Whom a request's work is done for.
 * @param id of the user; undefined for a stranger
 * @param network of the client. Its strangers take turns in lines by service and kind of request, so that nobody waits
 *   for long reads to sign in.
 */
export function askerOf(
  id: string | undefined,
  network: string,
  service: string,
  { method }: { readonly method?: string | undefined },
): Asker {
  if (id !== undefined) return { name: id, isKnown: true };
  const kind = method === 'GET' || method === 'HEAD' ? 'read' : 'write';
  return { name: `${service} ${kind} ${network}`, isKnown: false };
}

/** A slice that waits for its turn. */
interface Waiting {
  readonly begin: () => void;
  /** Whether its work has had a slice, and holds memory since. */
  readonly isUnderWay: boolean;
}

/** The waiting slices by asker, in the order of their turns. */
type Line = Map<string, Waiting[]>;

/** Most works of one asker that are under way while further ones wait: each keeps in memory what it has read. */
const mostUnderWay = 4;

const people: Line = new Map();
const strangers: Line = new Map();
let inARow = 0;
/** Whether callbacks of the event loop are pending that begin the waiting slices. */
let isServing = false;

/** When the first request or piece of a transfer of this turn began. */
let turnBegan: number | undefined;

/**
 * Whether requests have occupied this turn of the event loop long enough, or others wait, so that a further one should
 * wait in `Slices`: a turn reads from all connections, and thousands of short requests block others like a long one. A
 * request that overtook those that wait would delay them by its own work. To be asked before each request's work.
 */
export function isTurnOver(): boolean {
  return people.size + strangers.size > 0 || turnAge() > turnMs;
}

/** How long ago the first request or piece of a transfer of this turn began, in milliseconds. */
function turnAge(): number {
  const now = performance.now();
  if (turnBegan === undefined) {
    turnBegan = now;
    setImmediate(() => {
      turnBegan = undefined;
    });
  }
  return now - turnBegan;
}

/**
 * Waits until this turn of the event loop has time for a piece of a large body. Without waiting, a turn would read up
 * to 2 MB from each connection, and hash, store or encrypt it, before others are served.
 */
export async function transferTurn(): Promise<void> {
  while (turnAge() > transferMs) await nextTurn();
}

/** Passes on the pieces of a large body, as many in each turn of the event loop as leave time for others. */
export async function* paced<Piece>(body: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  for await (const piece of body) {
    await transferTurn();
    yield piece;
  }
}

/** Begins the next slice. @returns whether it was a stranger's */
function beginNext(): boolean {
  const line = people.size > 0 && (strangers.size === 0 || inARow < mostInARow) ? people : strangers;
  inARow = line === people ? inARow + 1 : 0;
  for (const [asker, waiting] of line) {
    // An asker that had a turn moves behind the others.
    line.delete(asker);
    const next = takeNext(waiting);
    if (waiting.length > 0) line.set(asker, waiting);
    next?.begin();
    break;
  }
  if (people.size + strangers.size === 0) inARow = 0;
  return line === strangers;
}

/** Takes the next slice of one asker: the first, or the first of a work under way if enough of them are. */
function takeNext(waiting: Waiting[]): Waiting | undefined {
  const underWay = waiting.filter(({ isUnderWay }) => isUnderWay);
  const index = underWay.length < mostUnderWay ? 0 : waiting.findIndex(({ isUnderWay }) => isUnderWay);
  return waiting.splice(index, 1)[0];
}

/** Begins slices in the next turn until they have taken half a slice, and then lets others continue. */
function beginTurn(): void {
  isServing = true;
  let began = 0;
  let isOver = false;
  setImmediate(() => {
    began = performance.now();
  });
  // The work of a slice follows its callback, so the callback after it knows how long that took.
  for (let slice = 0; slice < mostInTurn; slice += 1)
    setImmediate(() => {
      isOver ||= performance.now() - began >= sliceMs / 2 || (slice > 0 && people.size === 0);
      isOver ||= beginNext();
    });
  setImmediate(() => {
    isServing = people.size + strangers.size > 0;
    if (!isServing) return;
    if (performance.now() - began < sliceMs / 2) beginTurn();
    else inTurns(turnsBetween - 1, performance.now() + betweenMs);
  });
}

/** Begins the next slices after `left` turns and one more, or after the turn in which the time `until` has come. */
function inTurns(left: number, until: number): void {
  isServing = true;
  setImmediate(() => (left === 1 || performance.now() >= until ? beginTurn() : inTurns(left - 1, until)));
}

/**
 * Long work for one request, done in slices with turns of the event loop between them, whatever the number of such
 * requests. The work ends when the client leaves. Askers take turns, however many requests each has, with a few of an
 * asker's works under way at a time; strangers get one slice in four while users wait.
 */
export class Slices {
  readonly #hasLeft: () => boolean;
  /** Whom the work is for. */
  readonly asker: Asker;
  /** The first slice waits for a turn too, because many short tasks would block the event loop like a long one. */
  #began = Number.NEGATIVE_INFINITY;

  /** @param hasLeft whether the client has left */
  constructor(hasLeft: () => boolean, asker: Asker) {
    this.#hasLeft = hasLeft;
    this.asker = asker;
  }

  /**
   * Lets others continue when the slice is over, and judges the conditions of the current work again afterwards. Call
   * before each small part of the work.
   * @throws HttpError 499 when the client has left; what the conditions throw that are no longer met
   */
  async giveWay(): Promise<void> {
    if (performance.now() - this.#began < sliceMs) return;
    if (!isServing) {
      if (this.#began === Number.NEGATIVE_INFINITY) beginTurn();
      else inTurns(turnsBetween - 1, performance.now() + betweenMs);
    }
    const line = this.asker.isKnown ? people : strangers;
    const key = this.asker.name;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = line.get(key) ?? [];
    waiting.push({ begin: resolve, isUnderWay: this.#began !== Number.NEGATIVE_INFINITY });
    line.set(key, waiting);
    await promise;
    if (this.#hasLeft()) throw clientLeft();
    this.#began = performance.now();
    await judgeAfterPause();
  }
}

const probeInTurn = turns({
  atOnce: 1,
  mostOwn: Number.POSITIVE_INFINITY,
  mostWaiting: Number.POSITIVE_INFINITY,
});

/**
 * Lets a health probe wait for its turn if the turn of the event loop is over. All probes together take turns like one
 * signed-in user, so a monitor is answered before strangers, and thousands of probes delay a user by one slice. Among
 * them, networks take turns, so that no other network's probes make a monitor wait long.
 * @param address of the client; undefined if unknown
 * @param hasLeft whether the client has left
 * @throws HttpError 499 when the client has left
 */
export async function probeTurn(address: string | undefined, hasLeft: () => boolean): Promise<void> {
  if (!isTurnOver()) return;
  const slices = new Slices(hasLeft, { name: 'health probes', isKnown: true });
  await probeInTurn(networkOf(address ?? ''), () => slices.giveWay());
}
