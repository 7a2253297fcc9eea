import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@connectrpc/connect';
import type { Progress } from './progress.ts';
import type { Replication } from './replication.gen.ts';
import type { FollowOptions } from './types.ts';

interface HeartbeatOptions {
  readonly client: Client<typeof Replication>;
  readonly options: FollowOptions;
  readonly progress: Progress;
  /** Ends the heartbeats. */
  readonly signal: AbortSignal;
  readonly heartbeatMs: number;
}

/** How often per heartbeat to check for news to report. */
const looks = 5;

/**
 * Reports this cluster's position to the primary, and records the primary's answers. Rejects when the connection ends.
 */
export async function sendHeartbeats({
  client,
  options,
  progress,
  signal,
  heartbeatMs,
}: HeartbeatOptions): Promise<never> {
  const { own, store, clock } = options;
  for (;;) {
    const { seq } = store.position();
    const whole = store.whole();
    const lastEntryTimeMs = store.lastEntryTime();
    const last = progress.lastRoundTrip;
    const sentAt = clock.now();
    const began = clock.monotonic();
    const answer = await client.report(
      {
        clusterId: own().clusterId,
        appliedSeq: seq,
        whole,
        ...(lastEntryTimeMs === undefined ? {} : { lastEntryTimeMs }),
        ...(last === undefined ? {} : { roundTripMs: last.durationMs, clockSkewMs: last.clockSkewMs }),
      },
      // No time limit: a report may wait behind a large record, and the stream already shows whether the primary is
      // there.
      { signal },
    );
    // Assumes that the primary answered at the middle of the round trip. Whole milliseconds, as clients read ages that
    // are computed from it as integers.
    const clockSkewMs = Math.round((sentAt + clock.now()) / 2) - answer.serverTimeMs;
    progress.heard(answer, { durationMs: clock.monotonic() - began, clockSkewMs });
    for (let look = 0; look < looks; look += 1) {
      await sleep(heartbeatMs / looks, undefined, { signal });
      if (store.position().seq !== seq || store.whole() !== whole) break;
    }
  }
}
