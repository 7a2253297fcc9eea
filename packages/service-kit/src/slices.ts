import { HttpError } from './http-error.ts';

/** Longest slice of work that blocks the event loop, in milliseconds. */
const sliceMs = 5;

/**
 * Turns of the event loop after a slice. Each turn accepts one connection, so with only long turns new connections
 * would wait. An idle turn takes about 20 µs.
 */
const turnsBetween = 16;

/** How long those turns may take in all, in milliseconds: other work may make each of them long. */
const betweenMs = 10;

/** Slices in a row for signed-in users while strangers wait. Without a turn for strangers, nobody could sign in. */
const mostInARow = 3;

/** How long requests may occupy one turn of the event loop before further ones wait, in milliseconds. */
const turnMs = 10;

/** Whom work is done for: a signed-in user, or a stranger at an address. */
export interface Asker {
  readonly name: string;
  readonly isKnown: boolean;
}

/** Callbacks that begin the waiting slices, by asker, in the order of their turns. */
type Line = Map<string, readonly (() => void)[]>;

const people: Line = new Map();
const strangers: Line = new Map();
let inARow = 0;
/** When the last slice began. */
let began = 0;

/** When the first request of this turn began. */
let turnBegan: number | undefined;

/**
 * Whether requests have occupied this turn of the event loop long enough, or others wait, so that a further one should
 * wait in `Slices`: a turn reads from all connections, and thousands of short requests block others like a long one. A
 * request that overtook those that wait would delay them by its own work. To be asked before each request's work.
 */
export function isTurnOver(): boolean {
  if (people.size + strangers.size > 0) return true;
  const now = performance.now();
  if (turnBegan !== undefined) return now - turnBegan > turnMs;
  turnBegan = now;
  setImmediate(() => {
    turnBegan = undefined;
  });
  return false;
}

function beginNext(): void {
  const line = people.size > 0 && (strangers.size === 0 || inARow < mostInARow) ? people : strangers;
  inARow = line === people ? inARow + 1 : 0;
  for (const [asker, [begin, ...others]] of line) {
    // An asker that had a turn moves behind the others.
    line.delete(asker);
    if (others.length > 0) line.set(asker, others);
    begin?.();
    break;
  }
  began = performance.now();
  if (people.size + strangers.size > 0) setImmediate(afterSlice);
  else inARow = 0;
}

/** After a short slice the next one begins immediately. */
function afterSlice(): void {
  if (performance.now() - began < sliceMs / 2) beginNext();
  else inTurns(turnsBetween, performance.now() + betweenMs);
}

/** Begins the next slice after `left` turns, or after the turn in which the time `until` has come. */
function inTurns(left: number, until: number): void {
  setImmediate(() => (left === 1 || performance.now() >= until ? beginNext() : inTurns(left - 1, until)));
}

/**
 * Long work for one request, done in slices with turns of the event loop between them, whatever the number of such
 * requests. The work ends when the client leaves. Askers take turns, however many requests each has, and strangers get
 * one slice in four while users wait.
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
   * Lets others continue when the slice is over. Call before each small part of the work.
   * @throws HttpError 499 when the client has left
   */
  async giveWay(): Promise<void> {
    if (performance.now() - this.#began < sliceMs) return;
    if (people.size + strangers.size === 0)
      inTurns(this.#began === Number.NEGATIVE_INFINITY ? 1 : turnsBetween, performance.now() + betweenMs);
    const line = this.asker.isKnown ? people : strangers;
    const key = this.asker.name;
    const { promise, resolve } = Promise.withResolvers<void>();
    line.set(key, [...(line.get(key) ?? []), resolve]);
    await promise;
    if (this.#hasLeft()) throw new HttpError(499, 'client_left', 'The client left before the answer.');
    this.#began = performance.now();
  }
}
