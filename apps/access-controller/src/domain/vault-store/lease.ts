import { renewedTimes, retryDelay } from './token.ts';

/** A lease, which may be short, is renewed no sooner after a renewal, in milliseconds. */
const soonestMs = 1_000;

/** What a secrets server issued for a session, to be kept alive with it and to be revoked when it ends. */
export interface Lease {
  /** Our own id; the server's is `leaseId`. */
  readonly id: string;
  readonly leaseId: string;
  /** The token that it was issued to. */
  readonly tokenId: string;
  readonly sessionId: string;
  /** Whose session it is. */
  readonly userId: string;
  readonly libraryId: string;
  readonly status: 'active' | 'revoking';
  readonly renewable: boolean;
  /** Milliseconds since the epoch. */
  readonly expirationTime: number;
  /** When something is to be done about it next, in milliseconds since the epoch. */
  readonly dueTime: number;
  readonly failures: number;
}

/** A lease as it was issued. @param ttl seconds */
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

/** A lease about which nothing could be done; undefined when its time is over, so that nothing is left to do. */
export function postponed(lease: Lease, now: number): Lease | undefined {
  if (now >= lease.expirationTime) return undefined;
  const failures = lease.failures + 1;
  return { ...lease, failures, dueTime: Math.min(now + retryDelay(failures), lease.expirationTime) };
}

/** One that cannot be renewed is looked at again when it is over. */
function times(renewable: boolean, ttl: number, now: number): Pick<Lease, 'expirationTime' | 'dueTime'> {
  const { expirationTime, dueTime } = renewedTimes(ttl, now, soonestMs);
  return { expirationTime, dueTime: renewable ? dueTime : expirationTime };
}
