import { once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { handshakesInTurns } from './handshake-turns.ts';
import { countTurns } from './testing/turn-counter.ts';

interface Begun {
  readonly turn: number;
  readonly text: string;
  readonly socket: net.Socket;
}

/** A server that records the handshakes it began and their turns of the event loop. */
async function serverInTurns() {
  const counter = countTurns();
  const begun: Begun[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    begun.push({ turn: counter.turn, text: String(socket.read()), socket });
  });
  handshakesInTurns(server);
  /** The apparent source address of the next connection. */
  let from: string | undefined;
  server.prependListener('connection', (socket: net.Socket) => {
    if (from !== undefined) Object.defineProperty(socket, 'remoteAddress', { value: from });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    begun,
    server,
    async connect(address?: string): Promise<net.Socket> {
      from = address;
      const socket = net.connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      sockets.add(socket);
      await once(socket, 'connect');
      return socket;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      counter[Symbol.dispose]();
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

test('begins at most four handshakes in each turn, and none before its first bytes', async () => {
  await using one = await serverInTurns();
  const { begun } = one;
  const clients = await Promise.all(Array.from({ length: 20 }, () => one.connect()));
  await one.connect();
  for (const client of clients) client.write('hello');
  await expect.poll(() => begun.length).toBe(20);
  expect(new Set(begun.map(({ text }) => text))).toEqual(new Set(['hello']));
  const inOneTurn = Map.groupBy(begun, ({ turn }) => turn);
  expect(Math.max(...[...inOneTurn.values()].map(({ length }) => length))).toBeLessThanOrEqual(4);
});

test('limits the handshakes in progress per network; one that succeeds or is cut makes room', async () => {
  await using one = await serverInTurns();
  const { begun } = one;
  const clients = await Promise.all(Array.from({ length: 26 }, () => one.connect()));
  for (const client of clients) client.write('hello');
  await expect.poll(() => begun.length).toBe(24);
  one.server.emit('secureConnection', begun[0]?.socket);
  await expect.poll(() => begun.length).toBe(25);
  begun[1]?.socket.destroy();
  await expect.poll(() => begun.length).toBe(26);
});

test('cuts unfinished handshakes while others wait', async () => {
  await using one = await serverInTurns();
  const { begun } = one;
  const clients = await Promise.all(Array.from({ length: 30 }, () => one.connect()));
  for (const client of clients) client.write('half');
  await expect.poll(() => begun.length).toBe(30);
  // With nobody waiting, the last handshakes may continue.
  expect(begun.slice(24).map(({ socket }) => socket.destroyed)).toEqual(Array(6).fill(false));
  expect(begun.some(({ socket }) => socket.destroyed)).toBe(true);
});

test('begins a client that comes after a burst before most of the burst', async () => {
  await using one = await serverInTurns();
  const { begun } = one;
  const clients = await Promise.all(Array.from({ length: 74 }, () => one.connect()));
  for (const client of clients) client.write('half');
  await expect.poll(() => begun.length).toBe(24);
  (await one.connect()).write('late');
  await expect.poll(() => begun.some(({ text }) => text === 'late')).toBe(true);
  expect(begun.findIndex(({ text }) => text === 'late')).toBeLessThan(30);
});

test('keeps a slow handshake if cutting it would not help the waiting ones', async () => {
  await using one = await serverInTurns();
  const { begun } = one;
  const slow = await one.connect('192.0.2.2');
  slow.write('slow');
  await expect.poll(() => begun.length).toBe(1);
  const clients = await Promise.all(Array.from({ length: 74 }, () => one.connect()));
  for (const client of clients) client.write('half');
  // The last ones begin after two rounds of handshakes before them were cut for taking too long.
  await expect.poll(() => begun.length).toBe(75);
  expect(begun[0]?.socket.destroyed).toBe(false);
});
