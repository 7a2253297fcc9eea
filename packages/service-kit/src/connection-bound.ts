import type { Socket } from 'node:net';

/**
 * Bounds the connections of a server: past that, the address that has most loses its oldest one. They are files of the
 * process: where these run out, all of its ports are closed.
 * @returns counts a new connection
 */
export function connectionBound(most: number): (socket: Socket) => void {
  /** Those of an address, the oldest first. */
  const ofAddress = new Map<string | undefined, Set<Socket>>();
  let count = 0;
  return (socket) => {
    const { remoteAddress } = socket;
    const own = ofAddress.get(remoteAddress) ?? new Set();
    ofAddress.set(remoteAddress, own.add(socket));
    count++;
    socket.once('close', () => {
      if (own.delete(socket)) count--;
      if (own.size === 0 && ofAddress.get(remoteAddress) === own) ofAddress.delete(remoteAddress);
    });
    if (count <= most) return;
    let largest = own;
    for (const others of ofAddress.values()) if (others.size > largest.size) largest = others;
    const [oldest = socket] = largest;
    largest.delete(oldest);
    count--;
    oldest.destroy();
  };
}
