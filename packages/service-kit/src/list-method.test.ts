import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listOptions, understandList } from './list-method.ts';
import { listen } from './service.ts';
import type { Listening } from './service.ts';

let server: Listening;
/** Requests that reached the handler. */
const handled: string[] = [];
/** Makes the handler answer requests to `/slow`. */
let letGo: () => void;
/** Resolved when a request to `/slow` ends, answered or not. */
let lettingGo: PromiseWithResolvers<void>;
/** More than the buffers between server and client hold. */
const large = Array.from({ length: 256 }, () => Buffer.alloc(64 * 1024, 'x'));

beforeEach(async () => {
  accepted.clear();
  handled.length = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  letGo = resolve;
  lettingGo = Promise.withResolvers<void>();
  const service = {
    name: 'secrets',
    version: '1',
    listMethod: true,
    handler: (req, res) => {
      const chunks: Buffer[] = [];
      handled.push(`${req.method} ${req.url}`);
      if (req.url === '/slow') res.once('close', () => lettingGo.resolve());
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        const answer = (): void =>
          void res.end(`<${req.method} ${req.url} ${Buffer.concat(chunks).toString()}>`);
        if (req.url === '/slow') void promise.then(answer);
        else if (req.url === '/large') Readable.from(large).pipe(res);
        else answer();
      });
    },
    errorBody: String,
    ready: () => Promise.resolve(true),
    close: () => Promise.resolve(),
  } as const satisfies Parameters<typeof listen>[0];
  server = await listen(service, { host: '127.0.0.1', port: 0 }, { connections: 50 });
});
afterEach(() => server.drain(0));

const request = (method: string, path: string, body = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\n${body === '' ? '' : `Content-Length: ${body.length}\r\n`}\r\n${body}`;

/** Collects answers from a connection until `count` have arrived or the connection is closed. */
async function answers(socket: Socket, count: number): Promise<string[]> {
  let text = '';
  const found = (): string[] => text.match(/<[^>]*>|HTTP\/1\.1 4\d\d/g) ?? [];
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    // Large answers are recognized by their end.
    text += String(chunk).replaceAll(/x{2,}/g, '');
    if (found().length >= count) break;
  }
  return found();
}

/** Sends each part as a separate packet. */
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

/** The prototype of all parsers of Node's HTTP servers. */
function parserOf(socket: Socket | undefined): { close: () => void } {
  const parser: unknown = socket && Reflect.get(socket, 'parser');
  if (typeof parser !== 'object' || parser === null) throw new Error('the socket has no parser');
  // Its methods are native and untyped.
  return Object.getPrototypeOf(parser) as { close: () => void };
}

async function open(): Promise<Socket> {
  server.server.prependListener('connection', (socket: Socket) => {
    if (socket.remotePort !== undefined) accepted.set(socket.remotePort, socket);
  });
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

describe('the method LIST', () => {
  test('is accepted, and the connection stays open', async () => {
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

  test('counts a connection once, however many requests arrive on it', async () => {
    for (let n = 0; n < 60; n++) {
      const socket = connect(server.port, '127.0.0.1');
      socket.write(request('LIST', '/once'));
      expect(await answers(socket, 1)).toEqual(['<LIST /once >']);
      socket.destroy();
    }
    const socket = await open();
    for (let n = 0; n < 60; n++) {
      socket.write(request('LIST', '/again'));
      expect(await answers(socket, 1)).toEqual(['<LIST /again >']);
    }
    const other = connect(server.port, '127.0.0.1');
    other.write(request('GET', '/other'));
    expect(await answers(other, 1)).toEqual(['<GET /other >']);
    expect(accepted.get(portOf(socket))?.listenerCount('close')).toBeLessThan(5);
    for (const one of [socket, other]) one.destroy();
  });

  test.each(['LIST', 'L|IST', 'LI|ST', 'LIS|T', 'L|I|S|T', 'LIST |', 'LIST /b HT|', ''])(
    'is accepted in packets split as %s',
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

  test('may be pipelined with other requests', async () => {
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

  test.each([
    ['LIST', request('LIST', '/')],
    ['LIST and GET', request('LIST', '/') + request('GET', '/')],
  ])('cuts a client off that pipelines too many requests: %s', async (_what, ones) => {
    const socket = await open();
    const closed = once(socket.on('error', () => undefined).resume(), 'close');
    socket.write(ones.repeat(5_000));
    await closed;
    expect(handled.length).toBeLessThanOrEqual(32);
  });

  test('is not subject to the time limits of the dropped parser', async () => {
    const quick = createServer(
      { ...listOptions, connectionsCheckingInterval: 10, headersTimeout: 400 },
      (req, res) => {
        res.end(`<${req.method} ${req.url}>`);
      },
    );
    understandList(quick);
    await once(quick.listen(0, '127.0.0.1'), 'listening');
    const address = quick.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const socket = connect(port, '127.0.0.1');
    socket.write(request('LIST', '/1'));
    expect(await answers(socket, 1)).toEqual(['<LIST /1>']);
    // The sweep that closes this connection would also close the first one.
    const late = connect(port, '127.0.0.1');
    late.write('GET / HT');
    await once(late.resume(), 'close');
    socket.write(request('LIST', '/2'));
    expect(await answers(socket, 1)).toEqual(['<LIST /2>']);
    socket.destroy();
    quick.close();
  });

  test.each(['LISA', 'LISTEN', 'FOO', 'PUST', 'LIT'])(
    'does not make the unknown method %s acceptable',
    async (method) => {
      const socket = await open();
      socket.write(request(method, '/'));
      expect(await answers(socket, 1)).toEqual(['HTTP/1.1 400']);
    },
  );

  test('is refused with an unknown expectation, after which nothing more is answered', async () => {
    const socket = await open();
    const odd = 'LIST /1 HTTP/1.1\r\nHost: x\r\nExpect: foo\r\n\r\n';
    socket.write(odd);
    expect(await answers(socket, 1)).toEqual(['HTTP/1.1 417']);
    const other = await open();
    other.write(request('GET', '/2') + odd + request('LIST', '/3') + request('GET', '/4'));
    expect(await answers(other, 9)).toEqual(['<GET /2 >', 'HTTP/1.1 417']);
    expect(handled).toEqual(['GET /2']);
  });

  test("is refused without a Host header, and the next request doesn't become LIST", async () => {
    const socket = await open();
    socket.write(`LIST /1 HTTP/1.1\r\n\r\n${request('GET', '/2')}`);
    expect(await answers(socket, 9)).toEqual(['HTTP/1.1 400']);
    expect(handled).not.toContain('LIST /2');
  });

  test('ends the connection after a request to upgrade the protocol', async () => {
    const upgrade = 'Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
    for (const method of ['GET', 'LIST']) {
      const socket = await open();
      socket.write(`${method} /1 HTTP/1.1\r\nHost: x\r\n${upgrade}`);
      // The server closes the connection after the answer, so the client has to open another one.
      expect(await answers(socket, 9)).toEqual([`<${method} /1 >`]);
    }
  });

  test('leaks neither parsers nor listeners over many requests', async () => {
    const socket = await open();
    const ask = async (times: number): Promise<void> => {
      for (let n = 0; n < times; n++) {
        socket.write(request('LIST', '/1'));
        await answers(socket, 1);
      }
    };
    await ask(3);
    const own = accepted.get(portOf(socket));
    const closed = vi.spyOn(parserOf(own), 'close');
    const listeners = (): number =>
      own?.eventNames().reduce((sum, name) => sum + own.listenerCount(name), 0) ?? 0;
    const before = listeners();
    await ask(20);
    expect(listeners()).toBe(before);
    await expect.poll(() => closed.mock.calls.length).toBe(20);
    closed.mockRestore();
    socket.destroy();
  });

  test('may follow an answer that the client is slow to read', async () => {
    const socket = await open();
    socket.pause();
    socket.write(request('GET', '/large') + request('LIST', '/1') + request('GET', '/2'));
    while ((await bytesReadOf(socket)) === 0) await nextTurn();
    expect(await answers(socket, 2)).toEqual(['<LIST /1 >', '<GET /2 >']);
    socket.write(request('GET', '/3'));
    expect(await answers(socket, 1)).toEqual(['<GET /3 >']);
    socket.destroy();
  });

  test('is refused by a server without the option', async () => {
    const other = await listen((_req, res) => res.end('<never>'), { host: '127.0.0.1', port: 0 });
    const socket = connect(other.port, '127.0.0.1');
    socket.write(request('LIST', '/'));
    expect(await answers(socket, 1)).toEqual(['HTTP/1.1 400']);
    await other.drain(0);
  });

  test('does not keep draining from closing the connection', async () => {
    const socket = await open();
    socket.write(request('LIST', '/1'));
    await answers(socket, 1);
    const closed = once(socket.resume(), 'close');
    await server.drain(60_000);
    await closed;
    expect(socket.destroyed).toBe(true);
  });
});

describe('an incomplete method name', () => {
  const open400 = 'HTTP/1.1 400';
  const held = (): Promise<number> =>
    new Promise((resolve, reject) => {
      server.server.getConnections((error, count) => {
        if (error === null) resolve(count);
        else reject(error);
      });
    });

  test.each(['LIS', 'L', 'LIST'])('%s ends the connection when the client ends it', async (word) => {
    const socket = await open();
    socket.end(word);
    expect(await answers(socket, 1)).toEqual([open400]);
    await expect.poll(held).toBe(0);
    await server.drain(60_000);
  });

  test.each([
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['is gone', (socket: Socket) => socket.destroy()],
  ])('leaves nothing behind when the client %s', async (_what, leave) => {
    const socket = await open();
    await send(socket, ['LIS']);
    leave(socket);
    await expect.poll(held).toBe(0);
    await server.drain(60_000);
  });

  test("must be completed within the server's headers timeout", async () => {
    const quick = createServer({ ...listOptions, connectionsCheckingInterval: 10, headersTimeout: 50 });
    understandList(quick);
    await once(quick.listen(0, '127.0.0.1'), 'listening');
    const address = quick.address();
    const socket = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
    socket.write('LIS');
    expect(await answers(socket, 1)).toEqual([open400]);
    await once(quick.close(), 'close');
  });

  test.each(['L', 'LI', 'LIS', 'LIST', 'LIST / HT'])(
    '%s neither delays draining nor is answered',
    async (word) => {
      const socket = await open();
      await send(socket, [word]);
      const received = answers(socket, 1);
      await server.drain(60_000);
      expect(await received).toEqual([]);
    },
  );

  test('is not processed if it is completed while draining', async () => {
    const socket = await open();
    const received = answers(socket, 2);
    await send(socket, [request('GET', '/slow'), 'LI']);
    const drained = server.drain(60_000);
    await send(socket, [request('LIST', '/1').slice(2)]);
    letGo();
    expect(await received).toEqual(['<GET /slow >']);
    await drained;
    expect(handled).toEqual(['GET /slow']);
  });

  test('is dropped after an answer in progress while draining', async () => {
    const socket = await open();
    socket.pause();
    await send(socket, [request('GET', '/large')]);
    socket.write('LIS');
    const drained = server.drain(60_000);
    expect((await answers(socket, 1)).filter((text) => text.includes('400'))).toEqual([]);
    await drained;
  });

  test('loses its deadline once it is completed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const socket = await open();
      await send(socket, ['LIS']);
      expect(vi.getTimerCount()).toBe(1);
      socket.write('T /1 HTTP/1.1\r\nHost: x\r\n\r\n');
      expect(await answers(socket, 1)).toEqual(['<LIST /1 >']);
      expect(vi.getTimerCount()).toBe(0);
      socket.destroy();
    } finally {
      vi.useRealTimers();
    }
  });

  test("lets the earlier request's answer close when the client is lost", async () => {
    const socket = await open();
    await send(socket, [request('GET', '/slow'), 'LIS']);
    socket.resetAndDestroy();
    await lettingGo.promise;
    await expect.poll(held).toBe(0);
  });

  test('lets go of a refused client that keeps its end open', async () => {
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write('LISA');
    expect(await answers(socket, 1)).toEqual([open400]);
    await expect.poll(held).toBe(0);
    socket.destroy();
  });
});

test('pipelined LIST requests count for the limit of all connections', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    let cut = false;
    for (let count = 0; count < 160 && !cut; count++) {
      const socket = await open();
      socket.on('error', () => undefined).write(request('LIST', '/').repeat(15));
      cut = (await answers(socket, 15)).length < 15;
      socket.destroy();
    }
    expect(cut).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
