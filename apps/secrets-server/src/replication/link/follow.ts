import { setTimeout as sleep } from 'node:timers/promises';
import type { Forward } from './forward.ts';
import { progressOf } from './progress.ts';
import { receiverOf } from './receive.ts';
import { NoPrimary } from './types.ts';
import type { FollowOptions, Following } from './types.ts';

/** Pauses in milliseconds. */
const retryDefault = { first: 500, most: 30_000 } as const;

/** Follows a primary until it is closed: connects, applies what comes, and begins again whenever that ends. */
export function follow(options: FollowOptions): Following {
  const { credentials, log, store, clock, retryMs = retryDefault } = options;
  const { addresses } = credentials;
  const stop = new AbortController();
  const { signal } = stop;
  const progress = progressOf(store, clock);
  const receiver = receiverOf(options, progress);
  let forward: Forward | undefined;

  /** Tries one address. Answers whether it was denied there, and whether it got as far as entries. */
  const tryAddress = async (
    address: string,
  ): Promise<{ readonly denied: boolean; readonly held: boolean }> => {
    // Takes longer to load than a server without replication takes to start.
    const { attempt } = await import('./attempt.ts');
    progress.trying(address);
    const onReady = (link: Forward): void => {
      forward = link;
      log.info('following the primary', { address });
    };
    const { why, denied } = await attempt({ address, options, progress, receiver, signal, onReady });
    forward = undefined;
    const held = progress.seq !== undefined;
    if (signal.aborted) return { denied, held };
    if (progress.state().why !== why) log.warn('not following the primary', { address, reason: why });
    progress.failed(why, denied);
    return { denied, held };
  };

  const run = async (): Promise<void> => {
    if (addresses.length === 0) progress.failed('No address of the primary is known.', false);
    let index = 0;
    let failures = 0;
    while (!signal.aborted && addresses.length > 0) {
      const { denied, held } = await tryAddress(addresses[index % addresses.length] ?? '');
      if (held) failures = 0;
      else index += 1;
      // The addresses are tried one after the other, and only then is there a pause.
      if (!held && index % addresses.length !== 0) continue;
      await pause(denied ? retryMs.most : Math.min(retryMs.most, retryMs.first * 2 ** failures), signal);
      failures += 1;
    }
  };
  const running = run();

  return {
    state: () => progress.state(),
    async forward(request) {
      if (forward === undefined) {
        throw new NoPrimary(progress.state().why ?? 'The primary is not connected yet.', 'no');
      }
      return forward(request);
    },
    async close() {
      stop.abort();
      await running;
    },
  };
}

/** Waits half of a time at least and all of it at most, so that not all come back at once. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms * (0.5 + Math.random() / 2), undefined, { signal });
  } catch {
    // It is to end.
  }
}
