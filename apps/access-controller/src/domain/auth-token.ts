/** A token's record; the token itself is known to its owner alone. */
export interface AuthToken {
  /** `at_…`. */
  readonly id: string;
  readonly userId: string;
  /** The person's count of password changes at sign-in; under another one the token is void. */
  readonly passwordVersion: number;
  /** Milliseconds since the epoch, as all times here. */
  readonly createdTime: number;
  /** Within a few minutes. */
  readonly lastUsedTime: number;
  readonly expirationTime: number;
}

/** How long tokens live, in milliseconds. */
export interface TokenLifetimes {
  /** From sign-in. */
  readonly timeToLive: number;
  /** Without use. */
  readonly timeToStale: number;
}

/** Seven days, or one without use: the defaults of the field. */
export const defaultLifetimes: TokenLifetimes = {
  timeToLive: 7 * 24 * 60 * 60 * 1000,
  timeToStale: 24 * 60 * 60 * 1000,
};

/** How old the record of a token's last use may become before it is renewed, in milliseconds. */
const lastUsedGrain = 10 * 60 * 1000;

/** Whether a token can be used at `now`. */
export function isAlive(token: AuthToken, lifetimes: TokenLifetimes, now: number): boolean {
  return now < token.expirationTime && now < token.lastUsedTime + lifetimes.timeToStale;
}

/** Whether a use at `now` is worth recording. Recording every one would make every read a write. */
export function isUseWorthRecording(token: AuthToken, lifetimes: TokenLifetimes, now: number): boolean {
  return now - token.lastUsedTime >= Math.min(lastUsedGrain, lifetimes.timeToStale / 4);
}

/** The one password auth method, with the id that scripts of the field expect. */
export const passwordMethodId = 'ampw_1234567890';

/** The id of a person's account in the password auth method. */
export function passwordAccountId(userId: string): string {
  return `acctpw_${userId.slice(userId.indexOf('_') + 1)}`;
}

/** The id of the person whose account in the password auth method this is. */
export function userOfPasswordAccount(accountId: string): string {
  return `u_${accountId.slice(accountId.indexOf('_') + 1)}`;
}
