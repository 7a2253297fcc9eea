import type { IncomingMessage, ServerResponse } from 'node:http';
import { rateLimiter } from './rate-limit.ts';

/** Pipelined requests that may wait on one connection. No real client sends more, and they would delay others. */
const mostWaiting = 16;
/** Limit for pipelined requests on all connections of this process. */
const ofAll = rateLimiter({ burst: 2_000, perSecond: 2_000 });
/** Most requests that may wait at once in this process: each holds a head of up to 32 KiB. */
const mostHeld = 2_000;
let held = 0;

/** Counts pipelined requests that begin to wait or, if negative, no longer do. */
export function countHeld(more: number): void {
  held += more;
}

/** Whether a request may follow this many others that its client hasn't waited for; otherwise it is to be cut off. */
export function mayFollow(others: number): boolean {
  return others === 0 || (others < mostWaiting && held < mostHeld && ofAll.take('').allowed);
}

/** Bodies up to this size are skipped if a request is answered before it has been read, in bytes. */
const mostSkipped = 64 * 1024;

/**
 * Closes the connection after the answer if it begins while the request's body may still be long. Otherwise the rest
 * would be received and skipped, however long it is, at the expense of new connections.
 */
export function closeIfUnread(req: IncomingMessage, res: ServerResponse): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = req.headers;
  if (encoding === undefined && Number(length) <= mostSkipped) return;
  const writeHead = res.writeHead.bind(res) as (...head: unknown[]) => typeof res;
  res.writeHead = (...head: unknown[]) => {
    if (!req.complete) res.shouldKeepAlive = false;
    return writeHead(...head);
  };
}
