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

/** Largest difference between the console's clock and a service's, in milliseconds. */
export const leeway = 60_000;
