import { HttpError } from './http-error.ts';

/** How long a slice of work keeps everybody else waiting, in milliseconds. */
const sliceMs = 5;

/**
 * Turns of the event loop after a slice: each accepts one connection, so that newcomers would wait where all turns are long.
 * Without work they take some 20 µs each.
 */
const turnsBetween = 16;

/** Slices for people who are signed in, in a row, while strangers wait: without their turn nobody could sign in. */
const mostInARow = 3;

/** Whom work is done for: a person who is signed in, or a stranger at an address. */
export interface Asker {
  readonly name: string;
  readonly isKnown: boolean;
}

/** What begins the slices that wait, by asker, in the order of their turns. */
type Line = Map<unknown, readonly (() => void)[]>;

const people: Line = new Map();
const strangers: Line = new Map();
let inARow = 0;
/** When the last slice began. */
let began = 0;

function beginNext(): void {
  const line = people.size > 0 && (strangers.size === 0 || inARow < mostInARow) ? people : strangers;
  inARow = line === people ? inARow + 1 : 0;
  for (const [asker, [begin, ...others]] of line) {
    // Whoever had a turn is behind everyone else who waits.
    line.delete(asker);
    if (others.length > 0) line.set(asker, others);
    begin?.();
    break;
  }
  began = performance.now();
  if (people.size + strangers.size > 0) setImmediate(afterSlice);
  else inARow = 0;
}

/** After a short slice the next one begins at once. */
function afterSlice(): void {
  if (performance.now() - began < sliceMs / 2) beginNext();
  else inTurns(turnsBetween);
}

/** Begins the next slice after so many turns. */
function inTurns(left: number): void {
  setImmediate(() => (left === 1 ? beginNext() : inTurns(left - 1)));
}

/**
 * Work for one request that takes long: done in slices, one after the other with turns of the event loop between them, however
 * many requests have such work, and no more of them once the client has left. Askers take turns, however many requests
 * each has, and strangers get one slice of four while people wait.
 */
export class Slices {
  readonly #hasLeft: () => boolean;
  readonly asker: Asker | undefined;
  /** The first slice waits for its turn as well: many short works at once would keep everybody waiting as long as one long one. */
  #began = Number.NEGATIVE_INFINITY;

  /**
   * @param hasLeft whether the client that the work is for has left
   * @param asker whom it is for; a person who has no other such work unless given
   */
  constructor(hasLeft: () => boolean, asker?: Asker) {
    this.#hasLeft = hasLeft;
    this.asker = asker;
  }

  /**
   * Lets others go on when the slice is over; to be called before each small part of the work.
   * @throws HttpError 499 when the client has left
   */
  async giveWay(): Promise<void> {
    if (performance.now() - this.#began < sliceMs) return;
    if (people.size + strangers.size === 0)
      inTurns(this.#began === Number.NEGATIVE_INFINITY ? 1 : turnsBetween);
    const line = this.asker?.isKnown === false ? strangers : people;
    const key = this.asker?.name ?? this;
    const { promise, resolve } = Promise.withResolvers<void>();
    line.set(key, [...(line.get(key) ?? []), resolve]);
    await promise;
    if (this.#hasLeft()) throw new HttpError(499, 'client_left', 'The client left before the answer.');
    this.#began = performance.now();
  }
}
