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
   * a token that was created by another, its `tokenAccount`.
   */
  readonly ownerId?: string;
  /** False if the account has no role in the service, which then refuses every call. */
  readonly hasRole?: false;
}

/** The account of a secrets server's token that someone else created: a user of its own who counts as its owner. */
export function tokenAccount(owner: string, id: string): string {
  return `${owner}#${id}`;
}

/** The owner of the token that an account of a secrets server belongs to; the account itself if it is no token's. */
export function ownerOfToken(account: string): string {
  return account.split('#')[0] ?? '';
}
