import { setImmediate as nextTurn } from 'node:timers/promises';
import { HttpError } from './http-error.ts';

/** How long a slice of work keeps everybody else waiting, in milliseconds. */
const sliceMs = 5;

/** Settled when the last slice that is waited for may begin. */
let lastSlice: Promise<unknown> = Promise.resolve();

/**
 * Work for one request that takes long: done in slices, of which one is done in each turn of the event loop, however
 * many requests have such work, and no more of them once the client has left.
 */
export class Slices {
  readonly #hasLeft: () => boolean;
  /** The first slice waits for its turn as well: many short works at once would keep everybody waiting as long as one long one. */
  #began = Number.NEGATIVE_INFINITY;

  /** @param hasLeft whether the client that the work is for has left */
  constructor(hasLeft: () => boolean) {
    this.#hasLeft = hasLeft;
  }

  /**
   * Lets others go on when the slice is over; to be called before each small part of the work.
   * @throws HttpError 499 when the client has left
   */
  async giveWay(): Promise<void> {
    if (performance.now() - this.#began < sliceMs) return;
    lastSlice = lastSlice.then(() => nextTurn());
    await lastSlice;
    if (this.#hasLeft()) throw new HttpError(499, 'client_left', 'The client left before the answer.');
    this.#began = performance.now();
  }
}
