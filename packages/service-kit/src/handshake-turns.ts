import type { Server, Socket } from 'node:net';
import { networkOf } from './client-address.ts';

/** Handshakes that begin in one turn of the event loop: each takes the processor some 1.5 ms. */
const atOnce = 4;
/** How long a connection may wait before it sends its first bytes, in milliseconds. */
const silentMs = 60_000;

/**
 * Has the handshakes of a TLS server begin in turns of the event loop, a few in each, and networks take turns: of many that come
 * at once each would hold up everybody by its cryptography. A connection counts from its first bytes on.
 * @param server one that has no listener of its own for connections yet
 */
export function handshakesInTurns(server: Server): void {
  const [begin] = server.listeners('connection');
  if (begin === undefined) throw new TypeError('the server accepts no connections');
  server.removeAllListeners('connection');
  /** Those that wait, by network, in the order of their turns. */
  const waiting = new Map<string, Socket[]>();
  const beginSome = (): void => {
    for (let begun = 0; begun < atOnce; begun++) {
      const [first] = waiting;
      if (first === undefined) return;
      const [network, own] = first;
      // Whoever had a turn is behind everyone else who waits.
      waiting.delete(network);
      const socket = own.shift();
      if (own.length > 0) waiting.set(network, own);
      if (socket?.destroyed === false) begin.call(server, socket);
    }
    if (waiting.size > 0) setImmediate(beginSome);
  };
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const silence = setTimeout(() => socket.destroy(), silentMs).unref();
    socket.once('error', () => socket.destroy());
    socket.once('close', () => clearTimeout(silence));
    socket.once('readable', () => {
      clearTimeout(silence);
      if (waiting.size === 0) setImmediate(beginSome);
      const own = waiting.get(network);
      if (own === undefined) waiting.set(network, [socket]);
      else own.push(socket);
    });
  });
}
