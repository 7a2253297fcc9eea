/**
 * How a registry answers, as one move sees it: when it asks to wait, all of the move waits; what fails by itself is tried
 * again after growing pauses; one that has not answered for ten minutes pauses the move.
 */
import type { Clock } from '@gatehouse/service-kit/clock';
import { pause } from '#ground/pause.ts';
import { isPassing, ProblemError } from '#ground/problem.ts';
import { PauseMove } from './pause-move.ts';
import { statusOf } from './registry-status.ts';

/** How long a registry may be silent, in milliseconds, or only ask to wait. */
const silenceMs = 10 * 60_000;
/** How often a registry may ask to wait in a row, however long it takes. */
const mostLimited = 5;

export interface ReachOptions {
  /** As words for a person begin: `The source`. */
  readonly who: string;
  readonly clock: Clock;
  /** Pauses before something is tried again, in milliseconds, one after another. */
  readonly delaysMs: readonly number[];
  readonly signal: AbortSignal;
  /** Told until when the registry is left alone, in milliseconds since the epoch; null when it is asked again. */
  readonly waits: (until: number | null) => Promise<void>;
}

export interface Reach {
  /**
   * Asks the registry, again where it may go by itself.
   * @throws PauseMove when it has been silent for too long; what `work` threw last otherwise
   */
  ask<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Asks once, when it may be asked. What fails tells how long to leave it, by `delayAfter`. @throws as `ask` */
  once<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * How long to wait before something that failed is tried again, in milliseconds.
   * @param attempts how often it failed before
   * @returns undefined where it is no use
   */
  delayAfter(error: unknown, attempts: number): number | undefined;
}

export function createReach({ who, clock, delaysMs, signal, waits }: ReachOptions): Reach {
  /** By the monotonic clock of the machine: a registry is waited for in real time. */
  let askedToWaitUntil = 0;
  let silentSince: number | undefined;
  /** Since when it has only asked to wait, and how often. */
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
    // Whether it is this one thing that fails cannot be told while nothing else is answered.
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

/** Whether nothing came from the registry itself: what stands in front of it answers 502 to 504 for it. */
function isSilence(error: ProblemError): boolean {
  if (error.code !== 'service-unavailable' && error.code !== 'service-timeout') return false;
  const status = statusOf(error);
  return status === undefined || (status >= 502 && status <= 504);
}

/** Whether another attempt is worth it. */
function isWorthIt(error: unknown): boolean {
  if (isPassing(error)) return true;
  return error instanceof ProblemError && error.code === 'bad-answer' && (statusOf(error) ?? 500) >= 500;
}
