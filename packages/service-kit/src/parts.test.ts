import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Response } from 'express';
import { expect, test } from 'vitest';
import { listText, sendParts } from './parts.ts';
import { listen } from './service.ts';
import { Slices } from './slices.ts';

/** The body of an answer with these parts. @param before what to wait for before it is read */
async function answerOf(
  parts: (res: ServerResponse) => Iterable<string>,
  before?: Promise<unknown>,
): Promise<string> {
  await using server = http.createServer((_req, res) => {
    void sendParts(
      res as Response,
      new Slices(() => res.destroyed, { name: 'ada', isKnown: true }),
      parts(res),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  await before;
  return await answer.text();
}

test('lets other work run between the parts of an answer', async () => {
  let turns = 0;
  function* parts(): Generator<string> {
    let next = setImmediate(function count() {
      turns += 1;
      next = setImmediate(count);
    });
    for (let part = 0; part < 200; part += 1) {
      for (const began = performance.now(); performance.now() - began < 0.1;);
      yield 'x';
    }
    clearImmediate(next);
  }
  expect(await answerOf(parts)).toHaveLength(200);
  expect(turns).toBeGreaterThan(1);
});

test('generates no more of an answer than the client reads', async () => {
  let most = 0;
  function* parts(res: ServerResponse): Generator<string> {
    for (let part = 0; part < 50; part += 1) {
      most = Math.max(most, res.writableLength);
      yield 'x'.repeat(100_000);
    }
  }
  expect(await answerOf(parts)).toHaveLength(5_000_000);
  expect(most).toBeLessThan(100_000);
});

test('writes an answer that is in memory already without waiting, so that it counts as unread', async () => {
  // More than the system keeps of an answer that its client doesn't read.
  const parts = Array.from({ length: 200 }, () => 'x'.repeat(100_000));
  const { promise: begun, resolve } = Promise.withResolvers<ServerResponse>();
  const body = answerOf(
    (res) => {
      resolve(res);
      return parts;
    },
    begun.then((res) => expect.poll(() => res.writableLength).toBeGreaterThan(5_000_000)),
  );
  expect(await body).toHaveLength(20_000_000);
});

test('counts answers that wait for their readers by the memory they keep, and ends the longest-waiting ones', async () => {
  let begun = 0;
  let kept = 0;
  function* parts(): Generator<string> {
    begun += 1;
    kept += 1;
    try {
      for (;;) yield 'x'.repeat(1000);
    } finally {
      kept -= 1;
    }
  }
  const server = await listen(
    (_req, res) =>
      void sendParts(
        res as Response,
        new Slices(() => res.destroyed, { name: 'ada', isKnown: true }),
        parts(),
      ),
    { host: '127.0.0.1', port: 0 },
    // Five that wait, each with a piece of 64 KiB.
    { unreadBytes: 6 * 2 ** 20 },
  );
  const sockets = Array.from({ length: 12 }, () => {
    const socket = connect(server.port, '127.0.0.1')
      .pause()
      .on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return socket;
  });
  await expect.poll(() => [begun, kept], { timeout: 10_000 }).toEqual([12, 5]);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => kept).toBe(0);
  await server.drain(0);
});

test('produces valid JSON for an object with a list, whatever it omits', () => {
  const textOf = (fields: object, elements: readonly (readonly string[] | undefined)[]): unknown =>
    JSON.parse([...listText(fields, 'all', elements)].join(''));
  expect(textOf({}, [])).toEqual({ all: [] });
  expect(textOf({ a: 1 }, [undefined, ['{"b"', ':2}'], undefined, ['3']])).toEqual({
    a: 1,
    all: [{ b: 2 }, 3],
  });
});
