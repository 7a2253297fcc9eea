import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';
import { testClock } from '@gatehouse/service-kit/clock';
import { createApp, sendJson } from '@gatehouse/service-kit/http';
import { listen, type Listening } from '@gatehouse/service-kit/service';
import { Agent, request } from 'undici';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { boundaryController, boundaryPassword } from '#test/boundary-controller.ts';
import { startConsole } from '#test/console.ts';
import { createTransport } from './upstreams/transport.ts';

const file = (name: string): string =>
  readFileSync(new URL(`../test/certificate/${name}`, import.meta.url), 'utf8');
const tls = { cert: file('localhost.crt'), key: file('localhost.key') };

test('sets the __Host- cookie and HSTS over TLS, and knows its own origin', async () => {
  const controller = await boundaryController();
  const console = await startConsole({
    access: { kind: 'url', url: new URL(controller.url) },
    console: { tls },
  });
  const secure = await listen(console.bff.handler, { host: '127.0.0.1', port: 0, tls });
  const dispatcher = new Agent({ connect: { ca: tls.cert } });
  const signIn = (origin: string) =>
    request(`${secure.address}/api/session`, {
      dispatcher,
      method: 'POST',
      headers: { 'x-gatehouse': 'console', origin, 'content-type': 'application/json' },
      body: JSON.stringify({
        environment: 'test',
        service: 'access',
        credentials: { method: 'password', login_name: 'admin', password: boundaryPassword },
      }),
    });
  const answer = await signIn(secure.address);
  await answer.body.dump();
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['set-cookie']).toMatch(
    /^__Host-gatehouse=[A-Za-z0-9_-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
  );
  expect(answer.headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains');
  const plain = await signIn(secure.address.replace('https', 'http'));
  await plain.body.dump();
  expect(plain.statusCode).toBe(403);
  await dispatcher.destroy();
  await secure.drain(0);
  await console.close();
  await controller.close();
});

test('ends a TLS connection after an answer of more than 64 KiB', async () => {
  const handler = createApp();
  handler.get('/:length', (req, res) => sendJson(res, 200, 'x'.repeat(Number(req.params.length))));
  const place = { host: '127.0.0.1', port: 0 };
  const servers = [await listen(handler, { ...place, tls }), await listen(handler, place)];
  const dispatcher = new Agent({ connect: { ca: tls.cert } });
  const connection = async (address: string, length: number) => {
    const { body, headers } = await request(`${address}/${length}`, { dispatcher });
    expect(await body.text()).toHaveLength(length);
    return headers['connection'];
  };
  for (const [at, { address }] of servers.entries()) {
    expect(await connection(address, 64 * 1024)).toBe('keep-alive');
    expect(await connection(address, 64 * 1024 + 1)).toBe(at === 0 ? 'close' : 'keep-alive');
  }
  await dispatcher.destroy();
  for (const server of servers) await server.drain(0);
});

describe('a client that sends its request in records of a few bytes', () => {
  const handled: string[] = [];
  const service = {
    name: 'secrets',
    version: '1',
    listMethod: true,
    handler: (req: IncomingMessage, res: ServerResponse) => {
      handled.push(`${req.method} ${req.url}`);
      void text(req).then(
        (body) => res.end(`${req.socket.remoteAddress} ${body.length}`),
        () => undefined,
      );
    },
    errorBody: String,
    ready: () => Promise.resolve(true),
    close: () => Promise.resolve(),
  } as const;
  let secure: Listening;
  beforeEach(async () => {
    handled.length = 0;
    secure = await listen(service, { host: '127.0.0.1', port: 0, tls });
  });
  afterEach(() => secure.drain(0));

  async function open(): Promise<TLSSocket> {
    const socket = connectSecurely({
      port: secure.port,
      host: '127.0.0.1',
      servername: 'localhost',
      ca: tls.cert,
    });
    await once(socket, 'secureConnect');
    return socket.on('error', () => undefined);
  }
  /** Sends each part in a record of its own. */
  async function send(socket: TLSSocket, parts: Iterable<string>): Promise<void> {
    for (const part of parts) {
      if (socket.destroyed) return;
      await new Promise((resolve) => {
        socket.write(part, resolve);
      });
    }
  }
  const head = (line: string, ...fields: readonly string[]): string =>
    [line, 'Host: localhost', ...fields, ''].join('\r\n');
  const chunked = head('POST /body HTTP/1.1', 'Transfer-Encoding: chunked');

  test.each([
    ['a head', '', `${head('GET /head HTTP/1.1')}X: ${'x'.repeat(5_000)}`],
    [
      'a head after a large body',
      `${head('POST / HTTP/1.1', 'Content-Length: 100000')}\r\n${'x'.repeat(1e5)}`,
      `GET /${'x'.repeat(5_000)}`,
    ],
    ['a head after LIST', `${head('LIST / HTTP/1.1')}\r\n`, `GET /${'x'.repeat(5_000)}`],
    [
      'a head that waits behind LIST',
      `${head('GET / HTTP/1.1')}\r\n${head('LIST / HTTP/1.1')}`,
      `X: ${'x'.repeat(5_000)}`,
    ],
    ['the size of a piece', '', `${chunked}\r\n${'0'.repeat(20_000)}`],
  ])('is cut off: %s', async (_what, before, slowly) => {
    const socket = await open();
    let received = '';
    socket.on('data', (data) => (received += String(data)));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(before);
    await send(socket, slowly);
    await closed;
    // Not by the time limit for a head.
    expect(received).not.toContain(' 408 ');
    expect(handled.filter((line) => /head|xxx/.test(line))).toEqual([]);
  });

  test('is answered if there are no more than real clients send', async () => {
    const socket = await open();
    const fields = Array.from({ length: 50 }, (_field, index) => `X-${index}: x\r\n`);
    await send(socket, [head('GET /fields HTTP/1.1'), ...fields, '\r\n']);
    await once(socket, 'data');
    const pieces = Array.from({ length: 200 }, () => ['5\r\n', 'small', '\r\n']).flat();
    await send(socket, [chunked, 'Connection: close\r\n\r\n', ...pieces, '0\r\n\r\n']);
    expect(await text(socket)).toMatch(/\b127\.0\.0\.1 1000$/);
  });

  test('leaves others their requests when it uses up what all may send', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const [socket, other] = [await open(), await open()];
    const closed = new Promise((resolve) => other.once('close', resolve));
    await send(other, 'x'.repeat(5_000));
    await closed;
    for (let sent = 0; sent < 20; sent += 1) {
      socket.write(`${head('GET / HTTP/1.1')}\r\n`);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(String(answer)).toMatch(/ 0$/);
    }
    socket.destroy();
    vi.useRealTimers();
  });

  test('may keep more connections open than handshakes can be in progress', async () => {
    const sockets: TLSSocket[] = [];
    for (let opened = 0; opened < 40; opened += 1) sockets.push(await open());
    for (const socket of sockets) {
      socket.write(`${head('GET / HTTP/1.1', 'Connection: close')}\r\n`);
      expect(await text(socket)).toMatch(/ 0$/);
    }
  });
});

test("isn't blocked by clients that send no handshake", async () => {
  const handler = createApp();
  handler.get('/', (_req, res) => sendJson(res, 200, 'here'));
  const secure = await listen(handler, { host: '127.0.0.1', port: 0, tls });
  const dispatcher = new Agent({ connect: { ca: tls.cert } });
  for (const sent of ['GET / HTTP/1.1\r\n\r\n', Buffer.from([22, 3, 1, 0, 1, 1])]) {
    const strangers = Array.from({ length: 40 }, () => net.connect(secure.port, '127.0.0.1'));
    for (const stranger of strangers) {
      stranger.on('error', () => undefined).on('data', () => undefined);
      stranger.write(sent);
    }
    const { body } = await request(secure.address, { dispatcher });
    expect(await body.text()).toBe('here');
    for (const stranger of strangers) {
      if (typeof sent !== 'string') stranger.destroy();
      if (!stranger.closed) await once(stranger, 'close');
    }
  }
  await dispatcher.destroy();
  await secure.drain(0);
});

test("checks a service's certificate with the configured authority", async () => {
  const service = await listen(
    (_req, res) => res.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    { host: '127.0.0.1', port: 0, tls },
  );
  const ask = async (ca?: string) => {
    const transport = createTransport({
      environment: 'test',
      service: 'access',
      config: {
        endpoint: { kind: 'url', url: new URL(service.address) },
        signIn: ['password'],
        ...(ca !== undefined && { ca }),
      },
      clock: testClock(),
    });
    try {
      return await transport.send({ method: 'POST', path: '/', body: { token: 'canary' } });
    } finally {
      await transport.close();
    }
  };
  expect(await ask(tls.cert)).toMatchObject({ status: 200, body: {} });
  await expect(ask()).rejects.toMatchObject({
    code: 'service-unavailable',
    delivery: 'not-sent',
    message: expect.stringContaining('certificate') as string,
  });
  await service.drain(0);
});
