/** A token's record; the token itself is known to its owner alone. */
export interface Token {
  readonly id: string;
  readonly accountId: string;
  /** The person's count of password changes when it was issued; under another one the token is void. */
  readonly passwordVersion: number;
  /** What it is for, as its owner wrote: by this name it appears among the consumers of a module. */
  readonly description: string;
  /** Milliseconds since the epoch, as all times here. */
  readonly createdTime: number;
  /** Within ten minutes. */
  readonly lastUsedTime: number;
}

/** Longest description of a token, in characters. */
export const maxTokenDescription = 256;

const lastUsedGrain = 10 * 60 * 1000;

/** Whether a use at `now` is worth recording. Recording every one would make every read a write. */
export function isUseWorthRecording(token: Token, now: number): boolean {
  return now - token.lastUsedTime >= lastUsedGrain;
}
