import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { networkOf } from './client-address.ts';

/** Most handshakes begun in one turn of the event loop: each takes about 1.5 ms of processor time. */
const atOnce = 4;
/**
 * Most handshakes in progress: their clients' next messages may all arrive in one turn, and each can take as long
 * again. The limit per network is lower, so that other networks can begin at once.
 */
const mostUnderWay = 32;
const mostOfNetwork = 24;
/** How long a handshake may take while others wait, in milliseconds. A client needs one round trip. */
const slowMs = 500;
/** How long it may take while many of its network wait, and how often that is checked, in milliseconds. */
const briefMs = 125;
const many = 4 * mostOfNetwork;
/** How long a connection may take to send its first bytes, in milliseconds. */
const silentMs = 60_000;

interface Handshake {
  readonly network: string;
  readonly end: () => void;
}

/** A key for a client, unique while it is connected. */
function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/**
 * Spreads a TLS server's handshakes over turns of the event loop and limits how many are in progress, with networks
 * taking turns. Without this, the cryptography of many simultaneous handshakes would block every other request. A
 * connection waits for its turn from its first bytes on.
 * @param server has no `connection` listener of its own yet; emits `secureConnection`
 * @param read what TLS reads a connection from
 * @returns the connections that have not completed their handshake, by client
 */
export function handshakesInTurns(
  server: Server,
  read = (socket: Socket): Duplex => socket,
): ReadonlyMap<string, Socket> {
  const [begin] = server.listeners('connection');
  if (begin === undefined) throw new TypeError('the server accepts no connections');
  server.removeAllListeners('connection');
  const unshaken = new Map<string, Socket>();
  /** Waiting connections by network, in the order of their turns. */
  const waiting = new Map<string, Socket[]>();
  /** Handshakes in progress, by client. */
  const underWay = new Map<string, Handshake>();
  const hasRoom = (network: string): boolean => {
    if (underWay.size >= mostUnderWay) return false;
    let own = 0;
    for (const handshake of underWay.values()) if (handshake.network === network) own++;
    return own < mostOfNetwork;
  };
  let isPlanned = false;
  let isNewest = false;
  const plan = (): void => {
    if (isPlanned || waiting.size === 0) return;
    isPlanned = true;
    setImmediate(beginSome);
  };
  const beginOne = (network: string, socket: Socket): void => {
    const client = clientOf(socket);
    const began = performance.now();
    const slow = setInterval(() => {
      const own = waiting.get(network)?.length ?? 0;
      if (own <= many && performance.now() - began < slowMs) return;
      // Cut only if that makes room for another: one of the same network, or any when all places are taken.
      if (own > 0 || (waiting.size > 0 && underWay.size >= mostUnderWay)) socket.destroy();
    }, briefMs).unref();
    const end = (): void => {
      clearInterval(slow);
      socket.off('close', end);
      underWay.delete(client);
      plan();
    };
    underWay.set(client, { network, end });
    socket.once('close', end);
    Reflect.apply(begin, server, [read(socket)]);
  };
  const beginSome = (): void => {
    isPlanned = false;
    for (let begun = 0; begun < atOnce; begun++) {
      const [network, own] = [...waiting].find(([one]) => hasRoom(one)) ?? [];
      // The end of a handshake plans the next turn.
      if (network === undefined || own === undefined) return;
      // A network that had its turn moves behind the others.
      waiting.delete(network);
      // The newest and the oldest alternately, so that a client doesn't wait for all of a burst before it.
      isNewest = !isNewest;
      const socket = isNewest ? own.pop() : own.shift();
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
