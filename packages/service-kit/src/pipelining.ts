import { rateLimiter } from './rate-limit.ts';

/** Pipelined requests that may wait on one connection. No real client sends more, and they would delay others. */
const mostWaiting = 16;
/** Limit for pipelined requests on all connections of this process. */
const ofAll = rateLimiter({ burst: 2_000, perSecond: 2_000 });

/** Whether a request may follow this many others that its client hasn't waited for; otherwise it is to be cut off. */
export function mayFollow(others: number): boolean {
  return others === 0 || (others < mostWaiting && ofAll.take('').allowed);
}
