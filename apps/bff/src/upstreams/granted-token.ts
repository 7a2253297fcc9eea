/** A session's token for a service, and the token's account. */
export interface ServiceToken {
  readonly token: string;
  readonly tokenId: string;
  readonly accountId: string;
}

/** A service's answer to a sign-in. */
export interface GrantedToken extends ServiceToken {
  readonly accountName: string;
  readonly loginName: string;
  /** Milliseconds since the epoch; null if the service doesn't report it. */
  readonly expiresAt: number | null;
  /**
   * Identifies the user instead of `accountId`: the account's ID at an embedded service, where names can be reused; for
   * a token that was created by another, `<owner>#<token>`, so that all tokens of an owner count as one account.
   */
  readonly ownerId?: string;
  /** False if the account has no role in the service, which then refuses every call. */
  readonly hasRole?: false;
}
