import type { Server, Socket } from 'node:net';
import { networkOf } from './client-address.ts';

/** Handshakes that begin in one turn of the event loop: each takes the processor some 1.5 ms. */
const atOnce = 4;
/**
 * Handshakes under way: what their clients send next may come in one turn, and each may again take as long. Of one network there
 * are fewer, so that others begin at once.
 */
const mostUnderWay = 32;
const mostOfNetwork = 24;
/** How long one may take while others wait, in milliseconds: a client needs one round trip. */
const slowMs = 500;
/** How long a connection may wait before it sends its first bytes, in milliseconds. */
const silentMs = 60_000;

interface Handshake {
  readonly network: string;
  readonly end: () => void;
}

/** A client, while it is connected. */
function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/**
 * Has the handshakes of a TLS server begin in turns of the event loop, a few in each and few at a time, and networks take
 * turns: of many that come at once each would hold up everybody by its cryptography. A connection counts from its first bytes on.
 * @param server one that has no listener of its own for connections yet; it tells `secureConnection`
 * @returns the connections that have not shaken hands yet, by client
 */
export function handshakesInTurns(server: Server): ReadonlyMap<string, Socket> {
  const [begin] = server.listeners('connection');
  if (begin === undefined) throw new TypeError('the server accepts no connections');
  server.removeAllListeners('connection');
  const unshaken = new Map<string, Socket>();
  /** Those that wait, by network, in the order of their turns. */
  const waiting = new Map<string, Socket[]>();
  /** By client. */
  const underWay = new Map<string, Handshake>();
  const hasRoom = (network: string): boolean => {
    if (underWay.size >= mostUnderWay) return false;
    let own = 0;
    for (const handshake of underWay.values()) if (handshake.network === network) own++;
    return own < mostOfNetwork;
  };
  let isPlanned = false;
  const plan = (): void => {
    if (isPlanned || waiting.size === 0) return;
    isPlanned = true;
    setImmediate(beginSome);
  };
  const beginOne = (network: string, socket: Socket): void => {
    const client = clientOf(socket);
    const slow = setInterval(() => {
      // Only in favour of one that its place helps: others of its network, or of all where all places are taken.
      if (waiting.has(network) || (waiting.size > 0 && underWay.size >= mostUnderWay)) socket.destroy();
    }, slowMs).unref();
    const end = (): void => {
      clearInterval(slow);
      socket.off('close', end);
      underWay.delete(client);
      plan();
    };
    underWay.set(client, { network, end });
    socket.once('close', end);
    begin.call(server, socket);
  };
  const beginSome = (): void => {
    isPlanned = false;
    for (let begun = 0; begun < atOnce; begun++) {
      const [network, own] = [...waiting].find(([one]) => hasRoom(one)) ?? [];
      // One that ends makes room.
      if (network === undefined || own === undefined) return;
      // Whoever had a turn is behind everyone else who waits.
      waiting.delete(network);
      const socket = own.shift();
      if (own.length > 0) waiting.set(network, own);
      if (socket?.destroyed === false) beginOne(network, socket);
    }
    plan();
  };
  server.on('secureConnection', (socket: Socket) => {
    const client = clientOf(socket);
    unshaken.delete(client);
    underWay.get(client)?.end();
  });
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const client = clientOf(socket);
    unshaken.set(client, socket);
    const silence = setTimeout(() => socket.destroy(), silentMs).unref();
    socket.once('error', () => socket.destroy());
    socket.once('close', () => {
      clearTimeout(silence);
      unshaken.delete(client);
    });
    socket.once('readable', () => {
      clearTimeout(silence);
      const own = waiting.get(network);
      if (own === undefined) waiting.set(network, [socket]);
      else own.push(socket);
      plan();
    });
  });
  return unshaken;
}
