import { vi } from 'vitest';
import { WriteQueue, currentAsker } from '../write-queue.ts';

/**
 * Runs work, and returns the names of the askers in whose lines the stores' writes waited, without the process: its own
 * writes come at any time.
 */
export async function writeLinesOf(work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const lines = new Set<string>();
  const add = Object.getOwnPropertyDescriptor(WriteQueue.prototype, 'add')?.value as (write: unknown) => void;
  const adding = vi.spyOn(WriteQueue.prototype, 'add').mockImplementation(function (
    this: WriteQueue<unknown>,
    write,
  ) {
    lines.add(currentAsker());
    add.call(this, write);
  });
  try {
    await work();
    lines.delete('');
    return lines;
  } finally {
    adding.mockRestore();
  }
}
