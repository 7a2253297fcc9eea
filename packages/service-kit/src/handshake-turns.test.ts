import { once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { handshakesInTurns } from './handshake-turns.ts';

test('of many handshakes at once a few begin in each turn, and none before its first bytes', async () => {
  let turn = 0;
  let isDone = false;
  const counting = (): void => {
    turn += 1;
    if (!isDone) setImmediate(counting);
  };
  setImmediate(counting);
  const begun: { readonly turn: number; readonly text: string }[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    begun.push({ turn, text: String(socket.read()) });
  });
  handshakesInTurns(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const connect = async (): Promise<net.Socket> => {
    const socket = net.connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const clients = await Promise.all(Array.from({ length: 40 }, connect));
  const silent = await connect();
  for (const client of clients) client.write('hello');
  await expect.poll(() => begun.length).toBe(40);
  isDone = true;
  expect(new Set(begun.map(({ text }) => text))).toEqual(new Set(['hello']));
  const inOneTurn = Map.groupBy(begun, (one) => one.turn);
  expect(Math.max(...[...inOneTurn.values()].map(({ length }) => length))).toBeLessThanOrEqual(4);
  for (const socket of [...clients, silent, ...sockets]) socket.destroy();
  server.close();
  await once(server, 'close');
});
