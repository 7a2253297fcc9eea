import { slowRetry } from '../../identity/retry.ts';
import type { Retry } from '../../identity/retry.ts';

/** How patient cloud engines are. */
export interface CloudTimes {
  /** How often expired leases, and expired tokens with them, are looked for, in milliseconds. */
  readonly sweep: number;
  /** Of what could not be undone. */
  readonly retry: Retry;
  /**
   * Milliseconds after which what is not at the provider will not turn up there any more: it may still carry out what a
   * process asked it that is gone, and what it carried out shows late.
   */
  readonly settled: number;
  /** Waits before a new key is tried again that the provider does not take yet, in milliseconds. */
  readonly keyTrials: readonly number[];
}

/** As the provider needs it. */
export const cloudTimes: CloudTimes = {
  sweep: 1000,
  retry: slowRetry,
  settled: 120_000,
  keyTrials: [1000, 2000, 4000, 4000],
};
