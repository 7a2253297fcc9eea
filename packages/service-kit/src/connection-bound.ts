import type { Socket } from 'node:net';
import { networkOf } from './client-address.ts';

/**
 * Bounds the connections of a server: past that, the network that has most loses its oldest one. They are files of the
 * process: where these run out, all of its ports are closed. A connection counts for the address it comes from, even a
 * proxy's, where unread answers count for the client's: before its first request no client is known.
 * @returns counts a new connection
 */
export function connectionBound(most: number): (socket: Socket) => void {
  /** Those of a network, the oldest first. */
  const ofNetwork = new Map<string, Set<Socket>>();
  let count = 0;
  return (socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const own = ofNetwork.get(network) ?? new Set();
    ofNetwork.set(network, own.add(socket));
    count++;
    socket.once('close', () => {
      if (own.delete(socket)) count--;
      if (own.size === 0 && ofNetwork.get(network) === own) ofNetwork.delete(network);
    });
    if (count <= most) return;
    // Of equals whoever came first: were it the newest, nobody could come while each of many networks has one.
    let largest = new Set<Socket>();
    for (const sockets of ofNetwork.values()) if (sockets.size > largest.size) largest = sockets;
    const [oldest = socket] = largest;
    largest.delete(oldest);
    count--;
    oldest.destroy();
  };
}
