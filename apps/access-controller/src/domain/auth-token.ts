/** The record of a token. Only the token's owner has the token itself. */
export interface AuthToken {
  /** `at_…`. */
  readonly id: string;
  readonly userId: string;
  /** The number of password changes of the user at sign-in; a token with another number is void. */
  readonly passwordVersion: number;
  /** Milliseconds since the epoch, like all times here. */
  readonly createdTime: number;
  /** Accurate to 10 minutes. */
  readonly lastUsedTime: number;
  readonly expirationTime: number;
}

/** How long tokens live, in milliseconds. */
export interface TokenLifetimes {
  /** Since sign-in. */
  readonly timeToLive: number;
  /** Since the last use. */
  readonly timeToStale: number;
}

/** Seven days, or one day without use: Boundary's defaults. */
export const defaultLifetimes: TokenLifetimes = {
  timeToLive: 7 * 24 * 60 * 60 * 1000,
  timeToStale: 24 * 60 * 60 * 1000,
};

/** The age at which the recorded last use of a token is updated, in milliseconds. */
const lastUsedGrain = 10 * 60 * 1000;

/** Whether a token can be used at `now`. */
export function isAlive(token: AuthToken, lifetimes: TokenLifetimes, now: number): boolean {
  return now < token.expirationTime && now < token.lastUsedTime + lifetimes.timeToStale;
}

/** Whether to record a use at `now`. Recording every use would turn every read into a write. */
export function isUseWorthRecording(token: AuthToken, lifetimes: TokenLifetimes, now: number): boolean {
  return now - token.lastUsedTime >= Math.min(lastUsedGrain, lifetimes.timeToStale / 4);
}

/** The only password auth method, with the ID that a Boundary development server gives it. */
export const passwordMethodId = 'ampw_1234567890';

export function passwordAccountId(userId: string): string {
  return `acctpw_${userId.slice(userId.indexOf('_') + 1)}`;
}

/** The ID of the user with this account in the password auth method. */
export function userOfPasswordAccount(accountId: string): string {
  return `u_${accountId.slice(accountId.indexOf('_') + 1)}`;
}
