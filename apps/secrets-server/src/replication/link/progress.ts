import type { Clock } from '@gatehouse/service-kit/clock';
import type { ReplicationStore } from '#store/replication/replication-store.ts';
import type { Heartbeat } from './replication.gen.ts';
import type { FollowState } from './types.ts';

/** The round trip of a heartbeat. */
interface RoundTrip {
  readonly durationMs: number;
  /** This cluster's clock minus the primary's. */
  readonly clockSkewMs: number;
}

export type Progress = ReturnType<typeof progressOf>;

/** Tracks a cluster's progress in following its primary. */
export function progressOf(store: ReplicationStore, clock: Clock) {
  let connection: FollowState['connection'] = 'connecting';
  let sync: FollowState['sync'] = 'idle';
  let why: string | undefined;
  let address: string | undefined;
  let connectedSince: number | undefined;
  let primary: Heartbeat | undefined;
  let lastHeartbeat: number | undefined;
  let lastRoundTrip: RoundTrip | undefined;
  let applied: number | undefined;
  let lostWrites = 0;
  let heard: FollowState['heard'];
  const waiting = new Set<{ readonly seq: number; readonly done: () => void }>();

  const primarySeq = (): number | undefined =>
    primary && (applied === undefined ? primary.seq : Math.max(primary.seq, applied));
  const noteHeard = (): void => {
    if (applied === undefined || primary === undefined || lastHeartbeat === undefined) return;
    heard = { seq: primary.seq, time: lastHeartbeat };
  };
  const wake = (isDone: (seq: number) => boolean): void => {
    for (const waiter of waiting) if (isDone(waiter.seq)) waiter.done();
  };

  return {
    /** An attempt begins. */
    trying(next: string): void {
      address = next;
    },
    /** The primary answers. */
    ready(): void {
      connection = 'ready';
      connectedSince = clock.now();
      why = undefined;
    },
    failed(reason: string, denied: boolean): void {
      connection = denied ? 'denied' : 'disconnected';
      sync = 'idle';
      why = reason;
      connectedSince = undefined;
      lastRoundTrip = undefined;
      applied = undefined;
      wake(() => true);
    },
    /** Records a heartbeat of the primary. @param roundTrip if the heartbeat answers one of this cluster */
    heard(heartbeat: Heartbeat, roundTrip?: RoundTrip): void {
      primary = heartbeat;
      if (roundTrip === undefined) return;
      lastHeartbeat = clock.now();
      lastRoundTrip = roundTrip;
      noteHeard();
    },
    get lastRoundTrip() {
      return lastRoundTrip;
    },
    /** The reason for the last failure, for users; undefined while the link works. */
    get why() {
      return why;
    },
    /** A snapshot begins. */
    receiving(): void {
      sync = 'snapshot';
      applied = undefined;
    },
    /** Entries up to `seq` are applied, and the stream continues. */
    reached(seq: number): void {
      sync = 'stream';
      const isFirst = applied === undefined;
      applied = seq;
      if (isFirst) noteHeard();
      wake((wanted) => wanted <= seq);
    },
    /** The last applied entry; undefined while no stream continues from it. */
    get seq() {
      return applied;
    },
    lost(count: number): void {
      lostWrites += count;
    },
    /** Waits until an entry is applied, the time is over, or the stream ends. */
    async waitFor(seq: number, waitMs: number): Promise<void> {
      if (applied === undefined || applied >= seq) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiter = { seq, done: resolve };
      const timer = setTimeout(resolve, waitMs);
      waiting.add(waiter);
      await promise;
      waiting.delete(waiter);
      clearTimeout(timer);
    },
    state(): FollowState {
      const newest = primarySeq();
      const lagEntries = applied === undefined || newest === undefined ? undefined : newest - applied;
      return {
        connection,
        sync,
        why,
        address,
        connectedSince,
        primaryStanding: primary && (primary.demoted ? 'demoted' : 'primary'),
        primarySeq: newest,
        lastHeartbeat,
        lastHeartbeatDurationMs: lastRoundTrip?.durationMs,
        clockSkewMs: lastRoundTrip?.clockSkewMs,
        lagEntries,
        canaryAgeMs: canaryAge(
          lagEntries,
          store.lastEntryTime(),
          clock.now() - (lastRoundTrip?.clockSkewMs ?? 0),
        ),
        heard,
        lostWrites,
      };
    },
  };
}

/** @param now on the primary's clock */
function canaryAge(
  lagEntries: number | undefined,
  lastEntryTime: number | undefined,
  now: number,
): number | undefined {
  if (lagEntries === undefined) return undefined;
  if (lagEntries === 0) return 0;
  return lastEntryTime === undefined ? undefined : Math.max(0, now - lastEntryTime);
}
