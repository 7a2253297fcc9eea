import { renewedTimes, retryDelay } from './token.ts';

/** The shortest time between renewals of a lease, which may be short, in milliseconds. */
const soonestMs = 1_000;

/** A lease from a secrets server: renewed while its session lives, then revoked. */
export interface Lease {
  /** The controller's own ID; the server's is `leaseId`. */
  readonly id: string;
  readonly leaseId: string;
  /** The token that it was issued to. */
  readonly tokenId: string;
  readonly sessionId: string;
  /** The session's user. */
  readonly userId: string;
  readonly libraryId: string;
  readonly status: 'active' | 'revoking';
  readonly renewable: boolean;
  /** Milliseconds since the epoch. */
  readonly expirationTime: number;
  /** When to renew or revoke the lease next, in milliseconds since the epoch. */
  readonly dueTime: number;
  readonly failures: number;
}

/** A new lease. @param ttl seconds */
export function newLease(
  issued: Pick<Lease, 'id' | 'leaseId' | 'tokenId' | 'sessionId' | 'userId' | 'libraryId' | 'renewable'>,
  ttl: number,
  now: number,
): Lease {
  return { ...issued, ...times(issued.renewable, ttl, now), status: 'active', failures: 0 };
}

/** A lease after a renewal. @param ttl seconds */
export function renewedLease(lease: Lease, ttl: number, now: number): Lease {
  return { ...lease, ...times(lease.renewable, ttl, now), failures: 0 };
}

/** A lease that couldn't be renewed or revoked, due again later; undefined if it has expired. */
export function postponed(lease: Lease, now: number): Lease | undefined {
  if (now >= lease.expirationTime) return undefined;
  const failures = lease.failures + 1;
  return { ...lease, failures, dueTime: Math.min(now + retryDelay(failures), lease.expirationTime) };
}

/** A lease that can't be renewed is due when it expires. */
function times(renewable: boolean, ttl: number, now: number): Pick<Lease, 'expirationTime' | 'dueTime'> {
  const { expirationTime, dueTime } = renewedTimes(ttl, now, soonestMs);
  return { expirationTime, dueTime: renewable ? dueTime : expirationTime };
}
