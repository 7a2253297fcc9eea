import { WriteQueue } from '../write-queue.ts';

/**
 * Holds the next write to any store of this process until another write to the same store is queued, which comes
 * first: what was judged first is then written last.
 * @returns once that write is held
 */
export function holdNextWrite(): Promise<void> {
  const queues = WriteQueue.prototype;
  const add = Object.getOwnPropertyDescriptor(queues, 'add')?.value as (write: unknown) => void;
  const { promise, resolve } = Promise.withResolvers<void>();
  let held: { readonly queue: WriteQueue<unknown>; readonly write: unknown } | undefined;
  queues.add = function addInTurn(this: WriteQueue<unknown>, write: unknown): void {
    if (held === undefined) {
      held = { queue: this, write };
      resolve();
      return;
    }
    add.call(this, write);
    if (this !== held.queue) return;
    queues.add = add;
    add.call(this, held.write);
  };
  return promise;
}
