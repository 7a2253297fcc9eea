import { WriteQueue } from '../write-queue.ts';

/**
 * Holds the next write to any store of this process until other writes to the same store are queued, which come
 * first: what was judged first is then written last.
 * @param others how many
 * @param earlier how many of this process's come before the one to be held
 * @returns once that write is held
 */
export function holdNextWrite(others = 1, earlier = 0): Promise<void> {
  const queues = WriteQueue.prototype;
  const add = Object.getOwnPropertyDescriptor(queues, 'add')?.value as (write: unknown) => void;
  const { promise, resolve } = Promise.withResolvers<void>();
  let left = others;
  let before = earlier;
  let held: { readonly queue: WriteQueue<unknown>; readonly write: unknown } | undefined;
  queues.add = function addInTurn(this: WriteQueue<unknown>, write: unknown): void {
    if (held === undefined && (before -= 1) >= 0) {
      add.call(this, write);
      return;
    }
    if (held === undefined) {
      held = { queue: this, write };
      resolve();
      return;
    }
    add.call(this, write);
    if (this !== held.queue || (left -= 1) > 0) return;
    queues.add = add;
    add.call(this, held.write);
  };
  return promise;
}
