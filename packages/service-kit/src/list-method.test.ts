import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { understandList } from './list-method.ts';
import { listen } from './service.ts';
import type { Listening } from './service.ts';

let server: Listening;
/** Lets a request to `/slow` be answered. */
let letGo: () => void;

beforeEach(async () => {
  accepted.clear();
  const { promise, resolve } = Promise.withResolvers<void>();
  letGo = resolve;
  const service = {
    name: 'secrets',
    version: '1',
    listMethod: true,
    handler: (req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        const answer = (): void =>
          void res.end(`<${req.method} ${req.url} ${Buffer.concat(chunks).toString()}>`);
        if (req.url === '/slow') void promise.then(answer);
        else answer();
      });
    },
    ready: () => Promise.resolve(true),
    close: () => Promise.resolve(),
  } as const satisfies Parameters<typeof listen>[0];
  server = await listen(service, { host: '127.0.0.1', port: 0 });
});
afterEach(() => server.drain(0));

const request = (method: string, path: string, body = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\n${body === '' ? '' : `Content-Length: ${body.length}\r\n`}\r\n${body}`;

/** Collects what arrives on a connection until `count` answers are there or it is closed. */
async function answers(socket: Socket, count: number): Promise<string[]> {
  let text = '';
  const found = (): string[] => text.match(/<[^>]*>|HTTP\/1\.1 4\d\d/g) ?? [];
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (found().length >= count) break;
  }
  return found();
}

/** Sends the parts, each as a packet of its own. */
async function send(socket: Socket, parts: readonly string[]): Promise<void> {
  socket.setNoDelay(true);
  for (const part of parts) {
    const before = await bytesReadOf(socket);
    socket.write(part);
    while ((await bytesReadOf(socket)) < before + part.length) await nextTurn();
  }
}

/** How many bytes the server has read from its end of the connection. */
async function bytesReadOf(socket: Socket): Promise<number> {
  while (accepted.get(portOf(socket)) === undefined) await nextTurn();
  return accepted.get(portOf(socket))?.bytesRead ?? 0;
}
const accepted = new Map<number, Socket>();
const portOf = (socket: Socket): number => socket.localPort ?? 0;
const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

async function open(): Promise<Socket> {
  server.server.prependListener('connection', (socket: Socket) => {
    if (socket.remotePort !== undefined) accepted.set(socket.remotePort, socket);
  });
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

describe('the method LIST', () => {
  test('is understood, and the connection stays', async () => {
    const socket = await open();
    for (let n = 0; n < 3; n++) {
      for (const method of ['LIST', 'GET', 'LIST', 'LIST']) {
        socket.write(request(method, `/a?n=${n}`));
        expect(await answers(socket, 1)).toEqual([`<${method} /a?n=${n} >`]);
      }
    }
    expect(accepted.size).toBeGreaterThan(0);
    socket.destroy();
  });

  test.each(['LIST', 'L|IST', 'LI|ST', 'LIS|T', 'L|I|S|T', 'LIST |', 'LIST /b HT|', ''])(
    'is understood in packets cut as %s',
    async (cut) => {
      const whole = request('LIST', '/b');
      const parts: string[] = [];
      let at = 0;
      for (const part of cut.split('|').slice(0, -1)) {
        parts.push(part);
        at += part.length;
      }
      parts.push(whole.slice(at));
      const socket = await open();
      const received = answers(socket, 3);
      await send(socket, [request('GET', '/a'), ...parts, request('POST', '/c', 'body')]);
      expect(await received).toEqual(['<GET /a >', '<LIST /b >', '<POST /c body>']);
      socket.destroy();
    },
  );

  test('may follow other requests without waiting, and be followed', async () => {
    const socket = await open();
    const received = answers(socket, 6);
    socket.write(
      request('GET', '/slow') +
        request('LIST', '/1') +
        request('LIST', '/2') +
        request('POST', '/3', 'LIST / HTTP/1.1') +
        request('LIST', '/4') +
        request('GET', '/5'),
    );
    await nextTurn();
    letGo();
    expect(await received).toEqual([
      '<GET /slow >',
      '<LIST /1 >',
      '<LIST /2 >',
      '<POST /3 LIST / HTTP/1.1>',
      '<LIST /4 >',
      '<GET /5 >',
    ]);
    socket.destroy();
  });

  test('does not count the time limits of the parser that was dropped', async () => {
    const quick = createServer({ connectionsCheckingInterval: 10, headersTimeout: 400 }, (req, res) => {
      res.end(`<${req.method} ${req.url}>`);
    });
    understandList(quick);
    await once(quick.listen(0, '127.0.0.1'), 'listening');
    const address = quick.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const socket = connect(port, '127.0.0.1');
    socket.write(request('LIST', '/1'));
    expect(await answers(socket, 1)).toEqual(['<LIST /1>']);
    // It is cut by the sweep that would cut the first one as well.
    const late = connect(port, '127.0.0.1');
    late.write('GET / HT');
    await once(late.resume(), 'close');
    socket.write(request('LIST', '/2'));
    expect(await answers(socket, 1)).toEqual(['<LIST /2>']);
    socket.destroy();
    quick.close();
  });

  test.each(['LISA', 'LISTEN', 'FOO', 'PUST', 'LIT'])('does not make %s good', async (method) => {
    const socket = await open();
    socket.write(request(method, '/'));
    expect(await answers(socket, 1)).toEqual(['HTTP/1.1 400']);
  });

  test('is refused by a server that does not ask for it', async () => {
    const other = await listen((_req, res) => res.end('<never>'), { host: '127.0.0.1', port: 0 });
    const socket = connect(other.port, '127.0.0.1');
    socket.write(request('LIST', '/'));
    expect(await answers(socket, 1)).toEqual(['HTTP/1.1 400']);
    await other.drain(0);
  });

  test('ends with the server: draining closes a connection that was taken over', async () => {
    const socket = await open();
    socket.write(request('LIST', '/1'));
    await answers(socket, 1);
    const closed = once(socket.resume(), 'close');
    await server.drain(60_000);
    await closed;
    expect(socket.destroyed).toBe(true);
  });
});
