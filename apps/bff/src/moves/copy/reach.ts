/**
 * A registry as one move calls it. If the registry asks to wait, the whole move waits. Errors that may pass are retried
 * with growing pauses. The move pauses if the registry hasn't answered for ten minutes.
 */
import type { Clock } from '@gatehouse/service-kit/clock';
import { pause } from '#ground/pause.ts';
import { isPassing, ProblemError } from '#ground/problem.ts';
import { PauseMove } from './pause-move.ts';
import { statusOf } from './registry-status.ts';

/** How long a registry may give no answer, or only ask to wait, in milliseconds. */
const silenceMs = 10 * 60_000;
/** How often in a row a registry may ask to wait, however long that takes. */
const mostLimited = 5;

export interface ReachOptions {
  /** The beginning of sentences about the registry: `The source`. */
  readonly who: string;
  readonly clock: Clock;
  /** Pauses between attempts, in milliseconds. */
  readonly delaysMs: readonly number[];
  readonly signal: AbortSignal;
  /** Receives until when the registry isn't called, in milliseconds since the epoch; null when it is called again. */
  readonly waits: (until: number | null) => Promise<void>;
}

export interface Reach {
  /**
   * Calls the registry, and retries errors that may pass.
   * @throws PauseMove if the registry hasn't answered for too long; otherwise the last error of `work`
   */
  ask<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Calls once, as soon as the registry may be called. `delayAfter` says when to retry an error. @throws like `ask` */
  once<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * The pause before a retry of an error, in milliseconds.
   * @param attempts number of failures before
   * @returns undefined if a retry is useless
   */
  delayAfter(error: unknown, attempts: number): number | undefined;
}

export function createReach({ who, clock, delaysMs, signal, waits }: ReachOptions): Reach {
  /** By the monotonic clock, because waiting takes real time. */
  let askedToWaitUntil = 0;
  let silentSince: number | undefined;
  /** Since when the registry has only asked to wait, and how often. */
  let limited: { readonly since: number; readonly times: number } | undefined;

  const ready = async (): Promise<void> => {
    for (;;) {
      signal.throwIfAborted();
      const left = askedToWaitUntil - performance.now();
      if (left <= 0) return;
      await pause(left, signal);
      if (askedToWaitUntil <= performance.now()) await waits(null);
    }
  };
  const once = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (;;) {
      await ready();
      try {
        const result = await work();
        silentSince = undefined;
        limited = undefined;
        return result;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ProblemError)) throw error;
        if (error.code === 'rate-limited') {
          silentSince = undefined;
          limited = { since: limited?.since ?? clock.monotonic(), times: (limited?.times ?? 0) + 1 };
          if (limited.times > mostLimited && clock.monotonic() - limited.since >= silenceMs) {
            throw new PauseMove(
              'unreachable',
              `${who} has reported too many requests for ten minutes. Resume the move later.`,
            );
          }
          const ms = (error.init.retryAfterSeconds ?? 1) * 1_000;
          askedToWaitUntil = Math.max(askedToWaitUntil, performance.now() + ms);
          await waits(clock.now() + ms);
          continue;
        }
        if (!isSilence(error)) silentSince = undefined;
        else {
          silentSince ??= clock.monotonic();
          if (clock.monotonic() - silentSince >= silenceMs) {
            throw new PauseMove(
              'unreachable',
              `${who} hasn't responded for ten minutes: ${error.message} Resume the move when it is back.`,
            );
          }
        }
        throw error;
      }
    }
  };
  const delayAfter: Reach['delayAfter'] = (error, attempts) => {
    if (!isWorthIt(error)) return undefined;
    const last = delaysMs.at(-1) ?? 1_000;
    // While nothing else is answered, it is unknown whether only this call fails.
    if (attempts >= delaysMs.length) return silentSince === undefined ? undefined : last;
    return delaysMs[attempts] ?? last;
  };
  return {
    once,
    delayAfter,
    async ask(work) {
      for (let attempts = 0; ; attempts++) {
        try {
          return await once(work);
        } catch (error) {
          const delay = delayAfter(error, attempts);
          if (delay === undefined) throw error;
          await pause(delay, signal);
          signal.throwIfAborted();
        }
      }
    },
  };
}

/** Whether the answer didn't come from the registry itself: proxies answer 502 to 504 for it. */
function isSilence(error: ProblemError): boolean {
  if (error.code !== 'service-unavailable' && error.code !== 'service-timeout') return false;
  const status = statusOf(error);
  return status === undefined || (status >= 502 && status <= 504);
}

/** Whether a retry is useful. */
function isWorthIt(error: unknown): boolean {
  if (isPassing(error)) return true;
  return error instanceof ProblemError && error.code === 'bad-answer' && (statusOf(error) ?? 500) >= 500;
}
