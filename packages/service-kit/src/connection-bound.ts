import type { Socket } from 'node:net';
import { networkOf } from './client-address.ts';

/**
 * Limits a server's open connections: above the limit, the network with the most connections loses its oldest one. Each
 * connection uses a file descriptor, and a process without free ones can't accept connections on any port. Connections
 * count for the peer's address, even a proxy's, because no client is known before the first request.
 * @returns a function that counts a new connection
 */
export function connectionBound(most: number): (socket: Socket) => void {
  /** Connections by network, oldest first. */
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
    // Among equal networks the first loses. If the newest lost, nobody could connect while many networks have one each.
    let largest = new Set<Socket>();
    for (const sockets of ofNetwork.values()) if (sockets.size > largest.size) largest = sockets;
    const [oldest = socket] = largest;
    largest.delete(oldest);
    count--;
    oldest.destroy();
  };
}
