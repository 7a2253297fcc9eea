/** What reading again has shown of something whose answer was lost. */
export interface Became {
  /** `failed`: it was not done. `unknown`: reading again could not tell. */
  readonly outcome: 'succeeded' | 'failed' | 'unknown';
  /** The record as it is now, where it is known to be the one. */
  readonly stored?: { readonly id: string; readonly revision: string; readonly name?: string };
}

/** Of what answers something that nobody received: answers are recorded before they are sent. */
export const notReceived = (): Promise<Became> => Promise.resolve({ outcome: 'failed' });

/** Of what leaves no trace that could be read. */
export const cannotTell = (): Promise<Became> => Promise.resolve({ outcome: 'unknown' });

/** Clocks of the console and of a service may differ by as much, in milliseconds. */
export const leeway = 60_000;
