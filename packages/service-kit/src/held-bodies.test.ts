import { once } from 'node:events';
import http from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { heldBody } from './held-bodies.ts';

const length = 1024 * 1024;

test("one owner's stalled bodies hold 8 MiB, and end when each is sent in turn", async () => {
  let taken = 0;
  const finished: string[] = [];
  const server = http.createServer((req, res) => {
    const owner = String(req.headers['x-owner']);
    const held = heldBody(owner, req);
    req.on('data', (chunk: Buffer) => {
      taken += chunk.length;
      held.took(chunk.length);
    });
    req.on('end', () => {
      held.end();
      held.release();
      finished.push(owner);
      res.end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sending = async (owner: string, size = length) => {
    const client = connect(port, '127.0.0.1');
    client.write(`POST / HTTP/1.1\r\nHost: x\r\nX-Owner: ${owner}\r\nContent-Length: ${size}\r\n\r\n`);
    client.write(Buffer.alloc(size - 1));
    client.resume();
    await once(client, 'connect');
    return client;
  };
  const clients = await Promise.all(Array.from({ length: 30 }, () => sending('ada')));
  await expect.poll(() => taken).toBeGreaterThan(8 * length);
  // Another owner's body arrives in the meantime, and a small one of the same owner.
  const ben = await sending('ben');
  ben.write('x');
  await expect.poll(() => finished).toEqual(['ben']);
  const small = await sending('ada', 1024);
  small.write('x');
  await expect.poll(() => finished).toEqual(['ben', 'ada']);
  // The piece that reaches the limit is taken too, of each body.
  expect(taken - length).toBeLessThan(8 * length + 30 * 64 * 1024 + length);
  for (const client of clients) client.write('x');
  await expect.poll(() => finished.length).toBe(32);
  for (const client of [...clients, ben, small]) client.destroy();
  server.close();
});

test("one owner's bodies that wait to be parsed hold 8 MiB", async () => {
  let taken = 0;
  const waiting: (() => void)[] = [];
  const server = http.createServer((req, res) => {
    const held = heldBody('ada', req);
    req.on('data', (chunk: Buffer) => {
      taken += chunk.length;
      held.took(chunk.length);
    });
    req.on('end', () => {
      held.end();
      waiting.push(() => {
        held.release();
        res.end();
      });
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const statuses: (number | undefined)[] = [];
  for (let n = 0; n < 30; n++) {
    const request = http.request({ port, method: 'POST', agent: false });
    request.on('response', (res) => statuses.push(res.resume().statusCode));
    request.end(Buffer.alloc(length));
  }
  for (let parsed = 0; parsed < 30; parsed++) {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    // What reaches the limit is taken too, of each body.
    expect(taken - parsed * length).toBeLessThan(9 * length + 30 * 64 * 1024);
    waiting.shift()?.();
  }
  await expect.poll(() => statuses).toEqual(Array.from({ length: 30 }, () => 200));
  server.close();
});
