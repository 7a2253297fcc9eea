import { spawnSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { listen } from './service.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A handler whose responses the test ends itself. */
function heldAnswers(): { readonly handler: RequestListener; readonly next: () => Promise<ServerResponse> } {
  const arrived: ServerResponse[] = [];
  const waiting: ((res: ServerResponse) => void)[] = [];
  return {
    handler: (_req, res) => {
      const waiter = waiting.shift();
      if (waiter === undefined) arrived.push(res);
      else waiter(res);
    },
    next: () => {
      const res = arrived.shift();
      if (res !== undefined) return Promise.resolve(res);
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
  };
}

const getOver = (socketPath: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get({ socketPath, path: '/' }, resolve).on('error', reject);
  });

describe('a misbehaving client', () => {
  test.each([
    ['ordinary ones', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['without a Host header', 'GET / HTTP/1.1\r\n\r\n'],
    ['with an unknown expectation', 'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\n\r\n'],
    ['that ask before they send a body', 'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n'],
  ])(
    'is cut off when it pipelines too many requests, and the rest is not answered: %s',
    async (_what, one) => {
      let answered = 0;
      const server = await listen(
        (_req, res) => {
          answered += 1;
          res.end();
        },
        { host: '127.0.0.1', port: 0 },
      );
      let parsed = 0;
      // Also emitted for requests that Node would answer itself.
      const began = (message: unknown): void => {
        if (
          typeof message === 'object' &&
          message !== null &&
          Reflect.get(message, 'server') === server.server
        )
          parsed += 1;
      };
      subscribe('http.server.request.start', began);
      const { promise: cut, resolve } = Promise.withResolvers<boolean>();
      const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
      socket.resume().on('close', resolve).write(one.repeat(10_000));
      await cut;
      unsubscribe('http.server.request.start', began);
      expect(answered).toBeLessThanOrEqual(16);
      expect(parsed).toBeLessThanOrEqual(17);
      // The parser then serves other connections.
      for (let round = 0; round < 3; round += 1)
        expect(await (await fetch(server.address, { headers: { connection: 'close' } })).text()).toBe('');
      await server.drain(0);
    },
  );

  test.each([
    ['a thousand', '5\r\nsmall\r\n'.repeat(900), 900 * 5],
    ['large', `1000\r\n${'x'.repeat(4096)}\r\n`.repeat(64), 64 * 4096],
  ])('may send its body in %s pieces', async (_what, chunks, size) => {
    const server = await listen(
      (req, res) => void readText(req).then((text) => res.end(String(text.length))),
      { host: '127.0.0.1', port: 0 },
    );
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
    );
    expect(await readText(socket)).toMatch(new RegExp(`\\b${String(size)}$`));
    await server.drain(0);
  });

  test('is cut off when it sends its body in single bytes, whether or not the handler reads it', async () => {
    let received = 0;
    const server = await listen(
      (req, res) => {
        if (req.url === '/read') req.on('data', () => (received += 1));
        if (req.url === '/whole') void readText(req).then((text) => res.end(text));
      },
      { host: '127.0.0.1', port: 0 },
    );
    const sendTo = async (path: string): Promise<void> => {
      const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(5_000)}`,
      );
      await once(socket, 'close');
    };
    await sendTo('/read');
    expect(received).toBeLessThanOrEqual(1_010);
    await sendTo('/unread');
    // The parser then serves other connections.
    for (let round = 0; round < 3; round += 1) {
      const init = { method: 'POST', body: 'whole', headers: { connection: 'close' } };
      expect(await (await fetch(`${server.address}/whole`, init)).text()).toBe('whole');
    }
    await server.drain(0);
  });

  test.each([
    ['two Host headers', 'GET / HTTP/1.1\r\nHost: localhost\r\nHost: other\r\n'],
    ['no Host header', 'GET / HTTP/1.1\r\n'],
    [
      'two Authorization headers',
      'GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: a\r\nAuthorization: b\r\n',
    ],
    ['a host in the address', 'GET http://other/ HTTP/1.1\r\nHost: localhost\r\n'],
  ])('is refused if it sends %s', async (_what, head) => {
    const server = await listen((_req, res) => res.end('answered'), { host: '127.0.0.1', port: 0 });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`${head}\r\n`);
    expect(await readText(socket)).toMatch(/^HTTP\/1\.1 400 /);
    await server.drain(0);
  });

  test('is refused with an unknown expectation, which closes the connection before the next request', async () => {
    let handled = 0;
    const server = await listen(
      (_req, res) => {
        handled += 1;
        res.end();
      },
      { host: '127.0.0.1', port: 0 },
    );
    const socket = connect(server.port, '127.0.0.1');
    const head = 'GET / HTTP/1.1\r\nHost: localhost\r\n';
    socket.write(`${head}Expect: x\r\n\r\n${head}\r\n`);
    expect(await readText(socket)).toMatch(/^HTTP\/1\.1 417 [^]*Connection: close\r\n(?![^]*HTTP)/);
    expect(handled).toBe(0);
    await server.drain(0);
  });

  test.each(['Content-Length: 1000000000000', 'Transfer-Encoding: chunked'])(
    'loses its connection when it is answered before its endless body was read: %s',
    async (length) => {
      const server = await listen((_req, res) => res.end('answered'), { host: '127.0.0.1', port: 0 });
      const socket = connect(server.port, '127.0.0.1');
      socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\n${length}\r\n\r\n`);
      expect(await readText(socket)).toMatch(/^HTTP\/1\.1 200 [^]*Connection: close\r\n[^]*answered/);
      await server.drain(0);
    },
  );

  test('keeps its connection when it is answered before its short body was read', async () => {
    const server = await listen((_req, res) => res.end('answered'), { host: '127.0.0.1', port: 0 });
    const socket = connect(server.port, '127.0.0.1');
    const head = 'DELETE / HTTP/1.1\r\nHost: localhost\r\n';
    socket.write(`${head}Content-Length: 2\r\n\r\n`);
    await once(socket, 'data');
    socket.write(`{}${head}Connection: close\r\n\r\n`);
    expect(await readText(socket)).toMatch(/^HTTP\/1\.1 200 [^]*answered/);
    await server.drain(0);
  });

  test('of HTTP/1.0 needs no Host header', async () => {
    const server = await listen((_req, res) => res.end('answered'), { host: '127.0.0.1', port: 0 });
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET / HTTP/1.0\r\n\r\n');
    expect(await readText(socket)).toMatch(/^HTTP\/1\.1 200 [^]*answered$/);
    await server.drain(0);
  });

  test('is not answered if it left before its connection was accepted', async () => {
    const asked: (string | undefined)[] = [];
    const server = await listen(
      (req, res) => {
        asked.push(req.url);
        res.end();
      },
      { host: '127.0.0.1', port: 0 },
    );
    // This process accepts nothing until the other one has ended.
    const client = `
      const socket = require('node:net').connect(${server.port}, '127.0.0.1', () => {
        socket.end('GET /left HTTP/1.1\\r\\nHost: 127.0.0.1:${server.port}\\r\\n\\r\\n', () => process.exit());
      });`;
    expect(spawnSync(process.execPath, ['--eval', client]).status).toBe(0);
    expect((await fetch(`${server.address}/stayed`)).status).toBe(200);
    expect(asked).toEqual(['/stayed']);
    await server.drain(0);
  });

  test('is cut off when it reads nothing of its answer, but not while it waits for one', async () => {
    const { handler, next } = heldAnswers();
    const server = await listen(handler, { host: '127.0.0.1', port: 0 }, { stallMs: 50 });
    const patient = fetch(server.address);
    const late = await next();
    const socket = connect(server.port, '127.0.0.1').pause();
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const unread = await next();
    unread.end(Buffer.alloc(50_000_000));
    await once(unread, 'close');
    expect(unread.writableFinished).toBe(false);
    late.end('in time');
    expect(await (await patient).text()).toBe('in time');
    socket.destroy();
    await server.drain(0);
  });

  test('is cut off within the stall limit even if part of its answer has left', async () => {
    const { handler, next } = heldAnswers();
    const stallMs = 1000;
    const server = await listen(handler, { host: '127.0.0.1', port: 0 }, { stallMs });
    const socket = connect(server.port, '127.0.0.1').pause();
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const unread = await next();
    unread.end(Buffer.alloc(50_000_000));
    const cut = once(unread, 'close').then(() => 'cut');
    const late = sleep(1.6 * stallMs, 'late', { ref: false });
    expect(await Promise.race([cut, late])).toBe('cut');
    socket.destroy();
    await server.drain(0);
  });

  test('gets its next answer only after it has read most of the previous one', async () => {
    const large = Buffer.alloc(50_000_000);
    let read = 0;
    const readAtEach: number[] = [];
    const server = await listen(
      (_req, res) => {
        readAtEach.push(read);
        res.end(large);
      },
      { host: '127.0.0.1', port: 0 },
    );
    const socket = connect(server.port, '127.0.0.1').on('data', ({ length }) => (read += length));
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2));
    while (read < 2 * large.length) await once(socket, 'data');
    expect(readAtEach[1]).toBeGreaterThan(large.length / 2);
    socket.destroy();
    await server.drain(0);
  });

  test.each([
    { of: 'the connection held longest', from: ['', '', ''], sizes: [60, 30, 60], cut: 0 },
    { of: 'the client behind a proxy that holds most', from: ['a', 'b', 'b'], sizes: [30, 40, 60], cut: 1 },
  ])('is cut off when too much is left unread: $of', async ({ from, sizes, cut }) => {
    const { handler, next } = heldAnswers();
    const where = { host: '127.0.0.1', port: 0, forwardedFrom: ['127.0.0.1'] };
    const server = await listen(handler, where, { unreadBytes: 100_000_000 });
    const answers: ServerResponse[] = [];
    for (const [index, size] of sizes.entries()) {
      const forwarded = from[index] === '' ? '' : `X-Forwarded-For: 2001:db8:${from[index]}::1\r\n`;
      connect(server.port, '127.0.0.1')
        .pause()
        .write(`GET / HTTP/1.1\r\nHost: localhost\r\n${forwarded}\r\n`);
      const answer = await next();
      answers.push(answer.end(Buffer.alloc(size * 1_000_000)));
    }
    const isCut = answers.map(({ destroyed, socket }) => destroyed || socket?.destroyed !== false);
    expect(isCut).toEqual(sizes.map((_size, index) => index === cut));
    await server.drain(0);
  });

  test('is cut off when its answer is written only as fast as it is read', async () => {
    const { handler, next } = heldAnswers();
    const server = await listen(handler, { host: '127.0.0.1', port: 0 }, { unreadBytes: 70_000_000 });
    const answers: ServerResponse[] = [];
    for (let count = 0; count < 3; count++) {
      connect(server.port, '127.0.0.1').pause().write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      const answer = await next();
      answer.write(Buffer.alloc(30_000_000));
      answers.push(answer);
    }
    const [longest, ...others] = answers;
    await new Promise((resolve) => longest?.once('close', resolve));
    expect(others.map(({ socket }) => socket?.destroyed)).toEqual([false, false]);
    await server.drain(0);
  });

  test.each([
    { which: 'of the client with most', from: ['192.0.2.1', '192.0.2.2', '192.0.2.2', '192.0.2.3'], lost: 1 },
    {
      which: 'of one that takes its addresses from a /64',
      from: ['2001:db8:0:1::1', '2001:db8::1', '2001:db8::2', '192.0.2.1'],
      lost: 1,
    },
    {
      which: 'where each client has one',
      from: ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'],
      lost: 0,
    },
  ])('loses its oldest connection when there are too many: $which', async ({ from, lost }) => {
    const server = await listen(
      (_req, res) => res.end('here'),
      { host: '127.0.0.1', port: 0 },
      { connections: 3 },
    );
    const addresses = from.values();
    server.server.prependListener('connection', (socket) => {
      Object.defineProperty(socket, 'remoteAddress', { value: addresses.next().value });
    });
    const sockets: Socket[] = [];
    for (let index = 0; index < 3; index++) {
      sockets.push(connect(server.port, '127.0.0.1').resume());
      await once(server.server, 'connection');
    }
    const closed = Promise.race(sockets.map((socket) => once(socket, 'close')));
    expect(await (await fetch(server.address)).text()).toBe('here');
    await closed;
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual(
      sockets.map((_socket, index) => index === lost),
    );
    await server.drain(0);
  });
});

describe('listen', () => {
  test('finds a free port and reports the address', async () => {
    const server = await listen((_req, res) => res.end('here'), { host: '127.0.0.1', port: 0 });
    expect(server.address).toBe(`http://127.0.0.1:${server.port}`);
    expect(await (await fetch(server.address)).text()).toBe('here');
    await server.drain(1000);
    await expect(fetch(server.address)).rejects.toThrow();
  });

  test('throws an error with a code if the port is in use', async () => {
    const first = await listen((_req, res) => res.end(), { host: '127.0.0.1', port: 0 });
    await expect(
      listen((_req, res) => res.end(), { host: '127.0.0.1', port: first.port }),
    ).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await first.drain(0);
  });

  test('creates a Unix socket that only its owner can use, and removes it afterwards', async () => {
    using folder = temporaryFolder();
    const socketPath = folder.file('s');
    const server = await listen((_req, res) => res.end('here'), { socketPath });
    expect(statSync(socketPath).mode & 0o777).toBe(0o600);
    expect(await readText(await getOver(socketPath))).toBe('here');
    await server.drain(1000);
    expect(existsSync(socketPath)).toBe(false);
  });

  test('replaces the socket of a dead server, but not of a living one', async () => {
    using folder = temporaryFolder();
    const socketPath = folder.file('s');
    // A server whose socket file outlives it, as after kill -9.
    const dead = createServer();
    await new Promise<void>((resolve) => {
      dead.listen({ path: folder.file('dead') }, resolve);
    });
    const { linkSync } = await import('node:fs');
    linkSync(folder.file('dead'), socketPath);
    await new Promise((resolve) => {
      dead.close(resolve);
    });
    const server = await listen((_req, res) => res.end('alive'), { socketPath });
    await expect(listen((_req, res) => res.end(), { socketPath })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    expect(await readText(await getOver(socketPath))).toBe('alive');
    await server.drain(0);
  });
});

describe('drain', () => {
  test('finishes a request in progress, and asks its client to close the connection', async () => {
    const held = heldAnswers();
    const server = await listen(held.handler, { host: '127.0.0.1', port: 0 });
    const answer = fetch(server.address);
    const res = await held.next();
    const drained = server.drain(60_000);
    await expect(fetch(server.address)).rejects.toThrow();
    res.end('finished');
    const response = await answer;
    expect([await response.text(), response.headers.get('connection')]).toEqual(['finished', 'close']);
    await drained;
  });

  test('closes idle connections at once', async () => {
    const server = await listen((_req, res) => res.end(), { host: '127.0.0.1', port: 0 });
    const idle = connect(server.port, '127.0.0.1');
    idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => {
      idle.once('data', resolve);
    });
    const ended = new Promise((resolve) => {
      idle.once('close', resolve);
    });
    await server.drain(60_000);
    await ended;
    expect(idle.destroyed).toBe(true);
  });

  test("cuts requests that don't finish before the deadline", async () => {
    const held = heldAnswers();
    const server = await listen(held.handler, { host: '127.0.0.1', port: 0 });
    const answer = expect(fetch(server.address)).rejects.toThrow();
    await held.next();
    await server.drain(20);
    await answer;
  });

  test('delivers a written answer that the client has not yet read', async () => {
    const large = Buffer.alloc(8 * 1024 * 1024, 'x');
    const server = await listen((_req, res) => res.end(large), { host: '127.0.0.1', port: 0 });
    const client = connect(server.port, '127.0.0.1');
    client.pause();
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(server.server, 'request');
    const drained = server.drain(60_000);
    const answer = await readText(client);
    expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toHaveLength(large.length);
    await drained;
  });

  test('answers all pipelined requests of a connection', async () => {
    const held = heldAnswers();
    const server = await listen(held.handler, { host: '127.0.0.1', port: 0 });
    const client = connect(server.port, '127.0.0.1');
    const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    client.write(request + request);
    const first = await held.next();
    const drained = server.drain(60_000);
    first.end('first');
    (await held.next()).end('second');
    const answers = await readText(client);
    expect(answers).toMatch(/first[^]*Connection: close[^]*second$/);
    await drained;
  });

  test('cuts connections without a completed TLS handshake immediately', async () => {
    // No certificate is needed, because no handshake is completed.
    const tls = { cert: '', key: '' };
    const server = await listen((_req, res) => res.end(), { host: '127.0.0.1', port: 0, tls });
    const silent = connect(server.port, '127.0.0.1');
    const ended = once(silent.resume(), 'close');
    await once(server.server, 'connection');
    await server.drain(60_000);
    // The connection closed without an error, and no deadline passed.
    expect(await ended).toEqual([false]);
  });
});
