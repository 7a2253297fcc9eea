import { AsyncLocalStorage } from 'node:async_hooks';
import type { Asker } from './slices.ts';

const current = new AsyncLocalStorage<() => Asker>();

/**
 * Does work whose writes to stores wait in its asker's line. The writes of other work wait in one line of the process.
 * @param askerOf called for each write
 */
export function writeFor<Result>(askerOf: () => Asker, work: () => Result): Result {
  return current.run(askerOf, work);
}

/** The name of the asker that the current work is done for; empty for work of the process. */
export function currentAsker(): string {
  return current.getStore()?.().name ?? '';
}

/** Waiting writes. Askers take turns, however many writes one of them has; an asker's writes stay in order. */
export class WriteQueue<Write> {
  /** By asker, in the order of their turns. */
  readonly #lines = new Map<string, Write[]>();

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  /** Adds a write of the current work. */
  add(write: Write): void {
    const asker = currentAsker();
    const line = this.#lines.get(asker);
    if (line === undefined) this.#lines.set(asker, [write]);
    else line.push(write);
  }

  /** Removes the next write; undefined if none waits. */
  take(): Write | undefined {
    for (const [asker, line] of this.#lines) {
      // An asker that had a turn moves behind the others.
      this.#lines.delete(asker);
      const write = line.shift();
      if (line.length > 0) this.#lines.set(asker, line);
      return write;
    }
    return undefined;
  }
}
