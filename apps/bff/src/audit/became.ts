import type { ActiveSession } from '#session/session.ts';
import type { AuditRow } from '#store/schema.ts';

/** The outcome that a later read has found for a change whose answer was lost. */
export interface Became {
  /** `failed`: the change wasn't made. `unknown`: the read couldn't tell. */
  readonly outcome: 'succeeded' | 'failed' | 'unknown';
  /** The current record, if it is known to be the changed one. */
  readonly stored?: { readonly id: string; readonly revision: string; readonly name?: string };
}

/**
 * For an operation whose result was in its answer: answers are recorded before they are sent, so nobody received it.
 */
export const notReceived = (): Promise<Became> => Promise.resolve({ outcome: 'failed' });

/** For an operation whose effect can't be read. */
export const cannotTell = (): Promise<Became> => Promise.resolve({ outcome: 'unknown' });

/**
 * An outcome that only the user who made the change can read: the record isn't there, which to others may be hidden, or
 * it belongs to the reader's account.
 */
export function ifOwn(
  { person_id }: Pick<AuditRow, 'person_id'>,
  { session }: { readonly session: Pick<ActiveSession, 'personId'> },
  outcome: 'succeeded' | 'failed',
): Became {
  return { outcome: session.personId === person_id ? outcome : 'unknown' };
}

/** Largest difference between the console's clock and a service's, in milliseconds. */
export const leeway = 60_000;
