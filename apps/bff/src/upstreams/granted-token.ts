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
  /** The account at an embedded service, whose names can be given out again; absent of other services. */
  readonly owner?: AccountOwner;
}

/** An account of this installation. */
export interface AccountOwner {
  readonly id: string;
  /** Since when there is this account, in milliseconds since the epoch. */
  readonly since: number;
  /** What earlier releases keyed the person by: a name. */
  readonly formerKey: string;
}

/** What a service tells of an account of this installation; undefined where it does not. */
export function ownerOf(
  id: string | undefined,
  since: string | undefined,
  formerKey: string,
): AccountOwner | undefined {
  const time = Date.parse(since ?? '');
  return id === undefined || id === '' || Number.isNaN(time) ? undefined : { id, since: time, formerKey };
}
