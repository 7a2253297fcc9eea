import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@connectrpc/connect';
import type { Progress } from './progress.ts';
import type { Replication } from './replication.gen.ts';
import type { FollowOptions } from './types.ts';

/** What `sendHeartbeats` needs. */
interface HeartbeatOptions {
  readonly client: Client<typeof Replication>;
  readonly options: FollowOptions;
  readonly progress: Progress;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly heartbeatMs: number;
}

/** How often within a heartbeat it is looked whether there is something new to report. */
const looks = 5;

/** Tells the primary how far this cluster is, and learns how far it is itself. Rejects when that ends. */
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
      // It may stand behind a large record; whether the primary is there shows by the stream.
      { signal },
    );
    // The primary's time is taken to be that of the middle.
    const clockSkewMs = (sentAt + clock.now()) / 2 - answer.serverTimeMs;
    progress.heard(answer, { durationMs: clock.monotonic() - began, clockSkewMs });
    for (let look = 0; look < looks; look += 1) {
      await sleep(heartbeatMs / looks, undefined, { signal });
      if (store.position().seq !== seq || store.whole() !== whole) break;
    }
  }
}
