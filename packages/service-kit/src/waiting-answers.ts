import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Bytes of memory that an answer in parts keeps while it waits for its reader, such as the order of its elements and
 * the last ones read: up to about 1.6 MB for the largest box.
 */
const bytesOfWaiting = 2 ** 20;

/** The connections whose answers wait. */
const waiting = new WeakSet<Socket>();

/** Waits until the client has read what was written. Until then, the rest of the answer counts as unread. */
export async function drained(res: ServerResponse, signal: AbortSignal): Promise<void> {
  const { socket } = res;
  if (socket !== null) waiting.add(socket);
  try {
    await once(res, 'drain', { signal });
  } finally {
    if (socket !== null) waiting.delete(socket);
  }
}

/** Bytes that a connection's unread answer takes up, written or not. */
export function unreadOf(socket: Socket): number {
  return socket.writableLength + (waiting.has(socket) ? bytesOfWaiting : 0);
}
