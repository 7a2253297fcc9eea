import { setTimeout as sleep } from 'node:timers/promises';
import { Code, ConnectError } from '@connectrpc/connect';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { ReportRequest } from './replication.gen.ts';
import type { SecondaryRecord, SecondaryState } from './types.ts';

/** A secondary with an open stream. */
export type Follower = ReturnType<typeof createFollower>;

interface FollowerOptions {
  readonly record: SecondaryRecord;
  readonly clock: Clock;
  readonly heartbeatMs: number;
  /** How long a secondary may be silent before its stream is ended, in milliseconds. */
  readonly deadlineMs: number;
  /** Closes the stream. */
  readonly close: () => void;
}

/**
 * Collects the writes of this time into one message, in milliseconds. A write after a pause is not delayed. Under
 * constant writes, a message per commit would cost the primary more than the writes themselves.
 */
const gatherMs = 25;
/** Like `gatherMs`, while the secondary waits for a write that it forwarded. */
const awaitedMs = 10;
/**
 * How long a stream may take to send the reason for its end, in milliseconds; a client that doesn't read won't get it.
 */
const lastWordMs = 500;

/** Tracks a secondary while its stream is open. */
export function createFollower({ record: first, clock, heartbeatMs, deadlineMs, close }: FollowerOptions) {
  let record = first;
  let report: ReportRequest | undefined;
  let keptAt = clock.monotonic();
  let isNotified = false;
  let isAwaited = false;
  let wake: (() => void) | undefined;
  let ended: ConnectError | undefined;
  let lastWord: NodeJS.Timeout | undefined;
  const since = clock.now();
  let notifiedAt = Number.NEGATIVE_INFINITY;

  const notify = (): void => {
    isNotified = true;
    wake?.();
  };
  /** @param ms since the last message */
  const rest = async (ms: number): Promise<void> => {
    const early = ms - (clock.monotonic() - notifiedAt);
    if (isNotified && early > 0) await sleep(early);
  };
  const end = (error: ConnectError): void => {
    if (ended !== undefined) return;
    ended = error;
    lastWord = setTimeout(close, lastWordMs);
    notify();
  };
  const check = (): void => {
    if (ended !== undefined) throw ended;
  };
  const silence = setTimeout(() => {
    end(new ConnectError('no heartbeat came', Code.DeadlineExceeded));
  }, deadlineMs);

  return {
    get record() {
      return record;
    },
    /** Notes that entries were written. */
    notify,
    /** Notes that the secondary forwards a write and waits for its entry. */
    hasten(): void {
      isAwaited = true;
    },
    /**
     * Waits for a notification; returns false if none came within a heartbeat.
     * @throws ConnectError after the end of the stream
     */
    async next(): Promise<boolean> {
      if (!isNotified) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const timer = setTimeout(resolve, heartbeatMs);
        await promise;
        clearTimeout(timer);
        wake = undefined;
      }
      await rest(awaitedMs);
      if (!isAwaited) await rest(gatherMs);
      const wasNotified = isNotified;
      isNotified = false;
      isAwaited = false;
      if (wasNotified) notifiedAt = clock.monotonic();
      check();
      return wasNotified;
    },
    /** @throws ConnectError after the end of the stream */
    check,
    /** Records a report of the secondary. @returns whether to save the record, which is not needed every time */
    heard(latest: ReportRequest): boolean {
      const { appliedSeq, lastEntryTimeMs = 0, roundTripMs = 0, clockSkewMs = 0 } = latest;
      if (![appliedSeq, lastEntryTimeMs, roundTripMs, clockSkewMs].every(Number.isFinite))
        throw new ConnectError("a report's values must be finite numbers", Code.InvalidArgument);
      silence.refresh();
      const isFirst = report === undefined;
      report = latest;
      record = { ...record, appliedSeq: latest.appliedSeq, lastHeartbeat: clock.now() };
      if (!isFirst && clock.monotonic() - keptAt < heartbeatMs) return false;
      keptAt = clock.monotonic();
      return true;
    },
    /** @param seq the primary's last entry */
    state(now: number, seq: number): SecondaryState {
      // A secondary that is ahead has entries of its own, which it loses: how many it lacks is unknown.
      const lag = report === undefined ? undefined : seq - report.appliedSeq;
      const lagEntries = lag === undefined || lag < 0 ? undefined : lag;
      const { lastEntryTimeMs } = report ?? {};
      const age = lastEntryTimeMs === undefined ? undefined : Math.max(0, now - lastEntryTimeMs);
      return {
        ...record,
        connected: true,
        connectedSince: since,
        lastHeartbeatDurationMs: report?.roundTripMs,
        clockSkewMs: report?.clockSkewMs,
        lagEntries,
        canaryAgeMs: lagEntries === 0 ? 0 : age,
        whole: report?.whole,
      };
    },
    /** Ends the stream with an error. */
    end,
    /** Clears the timers after the stream has ended. */
    release(): void {
      clearTimeout(silence);
      clearTimeout(lastWord);
    },
  };
}
