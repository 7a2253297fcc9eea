import { AsyncLocalStorage } from 'node:async_hooks';

const holding = new AsyncLocalStorage<() => boolean>();

/**
 * Runs work that only the process with a lease may do. Once the lease may have ended, the work's requests to services
 * change nothing.
 * @param isHeld whether the process has the lease; within other such work, it must have both
 */
export function whileHeld<Result>(isHeld: () => boolean, work: () => Result): Result {
  const isOuterHeld = holding.getStore();
  return holding.run(() => isHeld() && (isOuterHeld?.() ?? true), work);
}

/** Why a request that changes something wasn't sent, in words for the user. */
export const interrupted =
  'This console was interrupted during the work, and another one may have continued it. Look at the current state and try again.';

/** Whether the current work may change anything: it needs no lease, or the process surely has it. */
export function isHeld(): boolean {
  return holding.getStore()?.() ?? true;
}
