import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { passOver } from './http-large-body.ts';
import { countTurns } from './testing/turn-counter.ts';

test('discards one piece of all refused bodies in each turn', async () => {
  using counter = countTurns();
  const turns: number[] = [];
  let whole = 0;
  const server = http.createServer((req, res) => {
    const read = req.read.bind(req);
    req.read = (size) => {
      const piece: unknown = read(size);
      if (piece !== null) turns.push(counter.turn);
      return piece;
    };
    void passOver(req).then(() => {
      whole += Number(req.complete);
      res.writeHead(429).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const body = Buffer.alloc(2 ** 20);
  const answers = Array.from({ length: 8 }, async () => {
    const { status } = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body });
    return status;
  });
  expect(new Set(await Promise.all(answers))).toEqual(new Set([429]));
  expect(whole).toBe(8);
  expect(turns.length).toBeGreaterThan(8);
  expect(new Set(turns).size).toBe(turns.length);
  server.close();
});
