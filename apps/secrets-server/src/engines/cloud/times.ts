import { slowRetry } from '../../identity/retry.ts';
import type { Retry } from '../../identity/retry.ts';

/** The intervals and time limits of cloud engines. */
export interface CloudTimes {
  /** The interval of removing expired leases and tokens, in milliseconds. */
  readonly sweep: number;
  /** The pauses between attempts to undo. */
  readonly retry: Retry;
  /**
   * Milliseconds after which a missing object at the provider will not appear any more. A call of a process that has
   * ended may still be executed, and its effect is visible only after a delay.
   */
  readonly settled: number;
  /** The pauses in milliseconds before a new key is tried again that the provider does not accept yet. */
  readonly keyTrials: readonly number[];
}

/** Suits real providers. */
export const cloudTimes: CloudTimes = {
  sweep: 1000,
  retry: slowRetry,
  settled: 120_000,
  keyTrials: [1000, 2000, 4000, 4000],
};
