import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import express from 'express';
import { expect, test } from 'vitest';
import { addRoutes } from './routes.ts';
import { countTurns } from './testing/turn-counter.ts';

test('answers each of many simultaneous requests in its own turn', async () => {
  using counter = countTurns();
  const turns: number[] = [];
  const app = express();
  const work = (_context: unknown, _req: unknown, res: express.Response): void => {
    turns.push(counter.turn);
    for (const began = performance.now(); performance.now() - began < 2;);
    res.end();
  };
  addRoutes(app, undefined, [{ path: '/', methods: { GET: work } }], {
    readBody: (_req, _res, done) => {
      done();
    },
    askerOf: () => ({ name: 'somebody', isKnown: false }),
  });
  const server = app.listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const sockets = Array.from({ length: 50 }, () => connect(port, '127.0.0.1'));
    for (let accepted = 0; accepted < sockets.length; accepted += 1) await once(server, 'connection');
    for (const socket of sockets)
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    await Promise.all(sockets.map((socket) => buffer(socket)));
    expect(turns).toHaveLength(50);
    expect(new Set(turns).size).toBe(50);
  } finally {
    server.close();
  }
});
