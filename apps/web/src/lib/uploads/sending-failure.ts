/** What follows when bytes could not be sent. */

export type AfterFailure =
  /** It is tried again by itself. */
  | { readonly kind: 'retry'; readonly delayMs: number; readonly reason: string }
  | { readonly kind: 'sign-in'; readonly reason: string }
  /** Trying again would end in the same way. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface SendingAnswer {
  /** 0 where none came. */
  readonly status: number;
  /** The sentence of a problem that the console answered. */
  readonly detail?: string | undefined;
  /** Seconds that it asked to wait. */
  readonly retryAfter?: number | undefined;
}

/** Pauses before it is tried again, in ms; the last one from then on. */
const delaysMs = [500, 1000, 2000, 5000, 10_000, 15_000];
/** A disk is not emptied in a second. */
const fullDelayMs = 30_000;

/**
 * @param attempt how often it failed since bytes were last accepted, from 0
 */
export function afterFailure({ status, detail, retryAfter }: SendingAnswer, attempt: number): AfterFailure {
  const usual = delaysMs[Math.min(attempt, delaysMs.length - 1)] ?? 0;
  const retry = (reason: string, delayMs = usual): AfterFailure => ({ kind: 'retry', delayMs, reason });
  switch (status) {
    case 0:
      return retry('The connection to the console was lost.');
    case 401:
      return { kind: 'sign-in', reason: 'You are signed out.' };
    case 404:
    case 410:
      return { kind: 'refused', reason: 'The console no longer has this upload.' };
    case 409:
      // The console has another count of bytes than this page: it is asked for its own.
      return retry('Checking what the console has received.');
    case 423:
      return retry(detail ?? 'This file is being sent from another window or browser.');
    case 429:
      return retry('The console asked you to wait.', Math.max(usual, (retryAfter ?? 0) * 1000));
    case 507:
      return retry(detail ?? "The console's disk is full.", fullDelayMs);
    default:
      return status >= 500
        ? retry(detail ?? "The console can't receive the file at the moment.")
        : { kind: 'refused', reason: detail ?? `The console refused the file (status ${String(status)}).` };
  }
}
