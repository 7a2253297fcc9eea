/** A service's token of one session, and whose account it is. */
export interface ServiceToken {
  readonly token: string;
  readonly tokenId: string;
  readonly accountId: string;
}

/** What a service answered to a sign-in. */
export interface GrantedToken extends ServiceToken {
  readonly accountName: string;
  readonly loginName: string;
  /** Milliseconds since the epoch; null when the service does not say. */
  readonly expiresAt: number | null;
  /** Id of the account at an embedded service, whose names can be given out again; absent of other services. */
  readonly ownerId?: string;
}
