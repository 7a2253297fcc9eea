import { setTimeout as sleep } from 'node:timers/promises';
import type { Forward } from './forward.ts';
import { progressOf } from './progress.ts';
import { receiverOf } from './receive.ts';
import { pauseAfter, retryDefault } from './retry.ts';
import { NoPrimary } from './types.ts';
import type { FollowOptions, Following } from './types.ts';

/** Follows a primary until closed: connects, applies what arrives, and reconnects whenever the connection ends. */
export function follow(options: FollowOptions): Following {
  const { credentials, log, store, clock, retryMs = retryDefault } = options;
  const { addresses } = credentials;
  const stop = new AbortController();
  const { signal } = stop;
  const progress = progressOf(store, clock);
  const receiver = receiverOf(options, progress);
  let forward: Forward | undefined;

  const run = async (): Promise<void> => {
    // Loaded on demand, because loading takes longer than the start of a server without replication.
    const { attempt } = await import('./attempt.ts');
    if (addresses.length === 0) progress.failed("The primary's address is unknown.", false);
    let index = 0;
    let failures = 0;
    while (!signal.aborted && addresses.length > 0) {
      const address = addresses[index % addresses.length] ?? '';
      const onReady = (link: Forward): void => {
        forward = link;
        log.info('following the primary', { address });
      };
      progress.trying(address);
      const end = await attempt({ address, options, progress, receiver, signal, onReady });
      forward = undefined;
      if (signal.aborted) return;
      if (progress.why !== end.why) log.warn('not following the primary', { address, reason: end.why });
      progress.failed(end.why, end.denied);
      if (end.held) failures = 0;
      else index += 1;
      // All addresses are tried before a pause.
      if (!end.held && index % addresses.length !== 0) continue;
      await pause(pauseAfter(failures, end.denied, retryMs, Math.random()), signal);
      failures += 1;
    }
  };
  const running = run();

  return {
    state: () => progress.state(),
    async forward(request) {
      if (forward === undefined) {
        throw new NoPrimary(progress.why ?? "The primary isn't connected yet.", 'no');
      }
      return forward(request);
    },
    async close() {
      stop.abort();
      await running;
    },
  };
}

/** Waits for a time or until the signal is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
