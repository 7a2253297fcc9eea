/** What to do after bytes couldn't be sent. */

export type AfterFailure =
  /** Retried automatically. */
  | { readonly kind: 'retry'; readonly delayMs: number; readonly reason: string }
  | { readonly kind: 'sign-in'; readonly reason: string }
  /** A retry would fail in the same way. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface SendingAnswer {
  /** 0 without an answer. */
  readonly status: number;
  /** The problem's detail in the console's answer. */
  readonly detail?: string | undefined;
  /** Seconds to wait, as requested by the console. */
  readonly retryAfter?: number | undefined;
}

/** Pauses before retries, in ms; the last one repeats. */
const delaysMs = [500, 1000, 2000, 5000, 10_000, 15_000];
/** Freeing disk space takes longer. */
const fullDelayMs = 30_000;

/** @param attempt the number of failures since bytes were last accepted, from 0 */
export function afterFailure({ status, detail, retryAfter }: SendingAnswer, attempt: number): AfterFailure {
  const usual = delaysMs[Math.min(attempt, delaysMs.length - 1)] ?? 0;
  const wanted = Math.max(usual, (retryAfter ?? 0) * 1000);
  const retry = (reason: string, delayMs = wanted): AfterFailure => ({ kind: 'retry', delayMs, reason });
  switch (status) {
    case 0:
      return retry('The connection to the console was lost.');
    case 401:
      return { kind: 'sign-in', reason: 'You are signed out.' };
    case 404:
    case 410:
      return { kind: 'refused', reason: 'The console no longer has this upload.' };
    case 409:
      // The console's offset differs from the page's: the retry reads it.
      return retry('Checking what the console has received.');
    case 423:
      return retry(detail ?? 'This file is being sent from another window or browser.');
    case 429:
      return retry('The console asked you to wait.');
    case 507:
      return retry(detail ?? "The console's disk is full.", fullDelayMs);
    default:
      return status >= 500
        ? retry(detail ?? "The console can't receive the file at the moment.")
        : { kind: 'refused', reason: detail ?? `The console refused the file (status ${String(status)}).` };
  }
}
