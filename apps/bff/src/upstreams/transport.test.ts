import diagnostics, { type ChannelListener } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { testClock } from '@gatehouse/service-kit/clock';
import { listen, type Listening } from '@gatehouse/service-kit/service';
import { Slices } from '@gatehouse/service-kit/slices';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { countTurns } from '@gatehouse/service-kit/testing/turn-counter';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { whileHeld } from '#ground/held.ts';
import { faultProxy, type FaultProxy } from '#test/fault-proxy.ts';
import { ServiceError } from './service-error.ts';
import {
  createTransport,
  probing,
  type ServiceRequest,
  type Transport,
  type TransportLimits,
} from './transport.ts';

let answer: (res: ServerResponse) => void = (res) => json(res, { fine: true });
let received = 0;
let server: Listening;
let proxy: FaultProxy;
const transports: Transport[] = [];
const [certificate, key] = ['crt', 'key'].map((kind) =>
  readFileSync(new URL(`../../test/certificate/localhost.${kind}`, import.meta.url), 'utf8'),
);
const tlsServer = (onConnection: (socket: Socket) => void): Server =>
  createTlsServer({ cert: certificate, key }, onConnection);

function json(res: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Holds all responses until `count` requests have arrived. @returns the responses */
function hold(count: number): Promise<readonly ServerResponse[]> {
  const held: ServerResponse[] = [];
  const { promise, resolve } = Promise.withResolvers<readonly ServerResponse[]>();
  answer = (res) => {
    if (held.push(res) === count) resolve(held);
  };
  return promise;
}

function transport(limits: Partial<TransportLimits> = {}, port = proxy.port): Transport {
  const made = createTransport({
    environment: 'test',
    service: 'access',
    config: { endpoint: { kind: 'url', url: new URL(`http://127.0.0.1:${port}`) }, signIn: ['password'] },
    clock: testClock(),
    limits: { callMs: 300, connectMs: 300, ...limits },
  });
  transports.push(made);
  return made;
}

test("sends no write of a call before the call's guard has passed", async () => {
  const sender = transport();
  const guard = { isPassed: false, pass: () => Promise.resolve() };
  const before = received;
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    await expect(sender.send({ method, path: '/a', guard })).rejects.toThrow(TypeError);
  }
  expect(received).toBe(before);
  const read = { method: 'POST', path: '/a', reads: true, guard } as const;
  for (const request of [{ method: 'GET', path: '/a', guard } as const, read]) await sender.send(request);
  await sender.send({ method: 'PUT', path: '/a', guard: { ...guard, isPassed: true } });
  expect(received).toBe(before + 3);
});

test('sends no write of work whose lease may have ended, and its reads as before', async () => {
  const sender = transport();
  const before = received;
  await whileHeld(
    () => false,
    async () => {
      await sender.send({ method: 'GET', path: '/a' });
      await sender.send({ method: 'POST', path: '/a', reads: true });
      await expect(sender.send({ method: 'PATCH', path: '/a' })).rejects.toMatchObject({
        code: 'service-unavailable',
        delivery: 'not-sent',
      });
    },
  );
  expect(received).toBe(before + 2);
});

test('canceling many calls costs only some connections, and the others keep their turns until answered', async () => {
  const sender = transport({ connections: 80, callMs: 5_000 });
  const asker = { requestId: 'r', address: '192.0.2.1' };
  const canceled = async (of: Pick<ServiceRequest, 'asker'>): Promise<number> => {
    const held = hold(40);
    const gone = new AbortController();
    const request = { method: 'GET', path: '/a', account: 'ada', signal: gone.signal, ...of } as const;
    const ends = Promise.allSettled(Array.from({ length: 40 }, () => sender.send(request)));
    const responses = await held;
    gone.abort();
    for (const res of responses) json(res, { fine: true });
    return (await ends).filter(({ status }) => status === 'rejected').length;
  };
  expect(await canceled({ asker })).toBe(40);
  expect(await canceled({ asker })).toBe(0);
  // A job stops at once.
  expect(await canceled({})).toBe(40);
});

test('users take turns when all connections are in use, and without a turn nothing is sent', async () => {
  const sender = transport({ connections: 1, callMs: 5_000 });
  const held: ServerResponse[] = [];
  answer = (res) => held.push(res);
  const ended: string[] = [];
  const send = async (account: string): Promise<void> => {
    await sender.send({ method: 'POST', path: '/a', account });
    ended.push(account);
  };
  const before = received;
  const flood = Array.from({ length: 5 }, () => send('one'));
  const all = Promise.all([...flood, send('two')]);
  const late = await failure(sender.send({ method: 'POST', path: '/a', account: 'three', deadlineMs: 50 }));
  expect([late.code, late.delivery]).toEqual(['service-timeout', 'not-sent']);
  const gone = new AbortController();
  const left = failure(sender.send({ method: 'POST', path: '/a', account: 'four', signal: gone.signal }));
  gone.abort();
  expect(await left).toMatchObject({ code: 'service-unavailable', delivery: 'not-sent' });
  answer = (res) => json(res, {});
  for (const res of held) json(res, {});
  await all;
  expect(ended.indexOf('two')).toBeLessThanOrEqual(2);
  expect(received).toBe(before + 6);
});

test('answers a probe while all connections are in use', async () => {
  const sender = transport({ connections: 1, callMs: 5_000 });
  const isHeld = hold(1);
  const read = sender.send({ method: 'GET', path: '/a' });
  const held = await isHeld;
  answer = (res) => json(res, { fine: true });
  const probe = await probing({ transport: sender }).transport.send({ method: 'GET', path: '/health' });
  expect(probe.body).toEqual({ fine: true });
  for (const res of held) json(res, { read: true });
  expect((await read).body).toEqual({ read: true });
});

test('parses a few smaller answers in each turn of the event loop', async () => {
  const count = 32;
  const sender = transport({ connections: 2 * count, callMs: 5_000 });
  const areHeld = hold(count);
  using counter = countTurns();
  const turns: number[] = [];
  const parse = JSON.parse.bind(JSON);
  using _ = vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    if (text.length > 100_000) turns.push(counter.turn);
    return parse(text, reviver) as unknown;
  });
  const read = () => sender.send({ method: 'GET', path: '/a', account: 'one' });
  const reading = Array.from({ length: count }, read);
  const body = Array.from({ length: 60_000 }, () => 1);
  for (const res of await areHeld) json(res, body);
  await Promise.all(reading);
  expect(turns).toHaveLength(count);
  const inOne = Object.values(Object.groupBy(turns, (one) => one)).map((some) => some?.length ?? 0);
  expect(Math.max(...inOne)).toBeLessThanOrEqual(4);
});

test('parses a large answer, and then its list entry by entry, in slices', async () => {
  const count = 160_000;
  answer = (res) => json(res, { items: Array.from({ length: count }, () => 1) });
  const sender = transport({ callMs: 30_000 });
  using asked = vi.spyOn(Slices.prototype, 'giveWay');
  const found = await sender.send({ method: 'GET', path: '/a', account: 'one' });
  expect(asked.mock.calls.length).toBeGreaterThanOrEqual(count / 32);
  asked.mockClear();
  const { items } = await sender.parse(z.object({ items: z.array(z.int()) }), found);
  expect(items).toHaveLength(count);
  expect(asked.mock.calls.length).toBeGreaterThanOrEqual(count);
  asked.mockClear();
  const wrong = failure(sender.parse(z.object({ items: z.array(z.string()) }), found));
  expect(await wrong).toMatchObject({ code: 'bad-answer' });
  const short = z.object({ items: z.array(z.unknown()).check(z.maxLength(10_000)) });
  expect(await failure(sender.parse(short, found))).toMatchObject({
    code: 'bad-answer',
    message: "The service's response has a list of more than 10,000 entries.",
  });
  expect(asked.mock.calls.length).toBeLessThan(10);
});

test('parses a small answer and its list without waiting behind others', async () => {
  answer = (res) => json(res, { items: Array.from({ length: 1_000 }, () => 1) });
  const sender = transport();
  using asked = vi.spyOn(Slices.prototype, 'giveWay');
  const found = await sender.send({ method: 'GET', path: '/a', account: 'one' });
  expect((await sender.parse(z.object({ items: z.array(z.int()) }), found)).items).toHaveLength(1_000);
  expect(asked).not.toHaveBeenCalled();
});

test("receives two large answers of a user at once, and other users' at the same time", async () => {
  const sender = transport({ connections: 16, callMs: 30_000 }, server.port);
  const ended: string[] = [];
  const read = async (name: string): Promise<void> => {
    await sender.send({ method: 'GET', path: '/a', account: name.slice(0, 3) });
    ended.push(name);
  };
  /** Starts a large answer, and by default waits until it is being received. @returns a function that ends it */
  const begin = async (name: string, isReceived = true): Promise<() => Promise<void>> => {
    const isHeld = hold(1);
    const done = read(name);
    const [res] = await isHeld;
    res?.writeHead(200, { 'content-type': 'application/json' });
    // Sockets can buffer some 10 MB, so a larger write completes only after most of it was received.
    const sent = Promise.withResolvers<unknown>();
    res?.write(`"${'x'.repeat(14_000_000)}`, sent.resolve);
    if (isReceived) await sent.promise;
    return () => {
      res?.end('"');
      return done;
    };
  };
  const another = async (name: string): Promise<void> => {
    answer = (res) => json(res, 'x'.repeat(900_000));
    await read(name);
  };
  const first = await begin('Ada 1');
  const second = await begin('Ada 2');
  await another('Ben 1');
  const third = (await begin('Ada 3', false))();
  await another('Ben 2');
  await first();
  await third;
  await second();
  expect(ended).toEqual(['Ben 1', 'Ben 2', 'Ada 1', 'Ada 3', 'Ada 2']);
  // A request canceled while it waits gets no answer and uses no turn.
  const others = [await begin('Ada 4'), await begin('Ada 5')];
  await another('Ben 3');
  const gone = new AbortController();
  answer = (res) => json(res, 'x'.repeat(900_000));
  const left = failure(sender.send({ method: 'GET', path: '/a', account: 'Ada', signal: gone.signal }));
  await another('Ben 4');
  gone.abort();
  expect((await left).code).toBe('service-unavailable');
  await Promise.all(others.map((end) => end()));
});

test('gives one user at most half of the connections', async () => {
  const sender = transport({ connections: 4, callMs: 5_000 });
  const areHeld = hold(2);
  const before = received;
  const reads = Array.from({ length: 4 }, () => sender.send({ method: 'GET', path: '/a', account: 'one' }));
  const held = await areHeld;
  answer = (res) => json(res, {});
  await sender.send({ method: 'GET', path: '/a', account: 'two' });
  expect(received).toBe(before + 3);
  for (const res of held) json(res, {});
  await Promise.all(reads);
});

async function failure(call: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ServiceError) return error;
  throw new Error(`the call did not fail as a service's error: ${String(error)}`);
}

beforeAll(async () => {
  server = await listen(
    (req, res) => {
      received += 1;
      req.resume();
      answer(res);
    },
    { host: '127.0.0.1', port: 0 },
  );
  proxy = await faultProxy(server.port);
});
afterEach(async () => {
  answer = (res) => json(res, { fine: true });
  proxy.fault = { kind: 'none' };
  await Promise.all(transports.splice(0).map((one) => one.close()));
});
afterAll(async () => {
  await proxy.close();
  await server.drain(0);
});

describe('a service that fails', () => {
  test('refuses connections: service-unavailable, certainly not sent', async () => {
    const closed = createTcpServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => {
      closed.once('listening', resolve);
    });
    const { port } = closed.address() as AddressInfo;
    closed.close();
    const error = await failure(transport({}, port).send({ method: 'POST', path: '/', body: {} }));
    expect(error).toMatchObject({ code: 'service-unavailable', status: 503, delivery: 'not-sent' });
  });

  test('has no socket: service-unavailable, certainly not sent', async () => {
    const made = createTransport({
      environment: 'test',
      service: 'access',
      config: { endpoint: { kind: 'socket', path: '/nowhere/at.sock' }, signIn: ['password'] },
      clock: testClock(),
    });
    transports.push(made);
    expect(await failure(made.send({ method: 'GET', path: '/' }))).toMatchObject({
      code: 'service-unavailable',
      delivery: 'not-sent',
    });
  });

  test.each([
    ["whose certificate isn't trusted", tlsServer, 'localhost', undefined, "its certificate isn't trusted"],
    [
      'whose certificate is for another name',
      tlsServer,
      '127.0.0.2',
      certificate,
      'is for another host name',
    ],
    ['without TLS', createTcpServer, 'localhost', undefined, "it doesn't speak TLS 1.2 or later"],
  ] as const)('%s: service-unavailable, certainly not sent', async (_which, create, host, ca, why) => {
    let received = 0;
    const other = create((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => (received += create === tlsServer ? 1 : 0));
      if (create !== tlsServer) socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    }).listen(0);
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const made = createTransport({
      environment: 'test',
      service: 'access',
      config: {
        endpoint: { kind: 'url', url: new URL(`https://${host}:${port}`) },
        signIn: ['password'],
        ...(ca !== undefined && { ca }),
      },
      clock: testClock(),
    });
    expect(await failure(made.send({ method: 'POST', path: '/', body: {} }))).toMatchObject({
      code: 'service-unavailable',
      delivery: 'not-sent',
      message: expect.stringContaining(why),
    });
    expect(received).toBe(0);
    await made.close();
    other.close();
  });

  test('loses the network during a request: the outcome is unknown', async () => {
    const sockets: Socket[] = [];
    const connected = ({ socket }: { readonly socket: Socket }): void => void sockets.push(socket);
    diagnostics.subscribe('undici:client:connected', connected as ChannelListener);
    answer = () => {
      const lost = Object.assign(new Error('read EHOSTUNREACH'), { code: 'EHOSTUNREACH', syscall: 'read' });
      sockets.at(-1)?.destroy(lost);
    };
    const error = await failure(transport().send({ method: 'POST', path: '/', body: {} }));
    diagnostics.unsubscribe('undici:client:connected', connected as ChannelListener);
    expect(error).toMatchObject({ code: 'service-unavailable', delivery: 'unknown' });
  });

  test('accepts and stays silent: service-timeout, and its sockets are freed', async () => {
    proxy.fault = { kind: 'silence' };
    // Long enough for the last call, which is answered, even on a busy machine.
    const made = transport({ connections: 4, callMs: 2000 });
    const errors = await Promise.all(
      Array.from({ length: 4 }, () => failure(made.send({ method: 'GET', path: '/' }))),
    );
    for (const error of errors)
      expect(error).toMatchObject({ code: 'service-timeout', status: 504, delivery: 'unknown' });
    await expect.poll(() => proxy.open()).toBe(0);
    proxy.fault = { kind: 'none' };
    expect((await made.send({ method: 'GET', path: '/' })).status).toBe(200);
  });

  test('drips: service-timeout at the deadline of the whole call, without holding up others', async () => {
    proxy.fault = { kind: 'drip', everyMs: 20 };
    const made = transport();
    const before = proxy.accepted;
    const slow = failure(made.send({ method: 'GET', path: '/' }));
    await expect.poll(() => proxy.accepted).toBeGreaterThan(before);
    proxy.fault = { kind: 'none' };
    expect((await made.send({ method: 'GET', path: '/' })).status).toBe(200);
    expect(await slow).toMatchObject({ code: 'service-timeout' });
  });

  test.each([
    ['HTML', 200, 'text/html', '<html>canary</html>'],
    ['an error page', 500, 'text/html', 'canary at /var/lib'],
    ['text', 503, 'text/plain', 'canary'],
    ['cut JSON', 200, 'application/json', '{"items":[{"na'],
    ['JSON without a type', 200, '', '{}'],
  ])('%s: bad-answer, without any of its text', async (_what, status, type, body) => {
    answer = (res) => {
      res.writeHead(status, type === '' ? {} : { 'content-type': type });
      res.end(body);
    };
    const error = await failure(transport().send({ method: 'GET', path: '/' }));
    expect(error).toMatchObject({ code: 'bad-answer', status: 502 });
    expect(error.message).not.toContain('canary');
  });

  test('sends garbage: bad-answer', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      proxy.fault = { kind: 'garbage', seed };
      const error = await failure(transport().send({ method: 'POST', path: '/', body: {} }));
      expect(['bad-answer', 'service-unavailable']).toContain(error.code);
      expect(error.delivery).toBe('unknown');
    }
  });

  test("redirects: isn't followed, and the target receives nothing", async () => {
    let seen = 0;
    const sentinel = await listen(
      (_req, res) => {
        seen += 1;
        json(res, {});
      },
      { host: '127.0.0.1', port: 0 },
    );
    for (const status of [301, 302, 303, 307, 308]) {
      answer = (res) => json(res, {}, status, { location: `${sentinel.address}/steal` });
      const error = await failure(
        transport().send({ method: 'GET', path: '/', headers: { authorization: 'Bearer canary' } }),
      );
      expect(error).toMatchObject({ code: 'bad-answer' });
    }
    expect(seen).toBe(0);
    await sentinel.drain(0);
  });

  test("sends a gzip bomb: isn't decompressed", async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    for (const type of ['application/json', 'text/html']) {
      answer = (res) => res.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(bomb);
      expect(await failure(transport().send({ method: 'GET', path: '/' }))).toMatchObject({
        code: 'bad-answer',
      });
    }
  });

  test('refuses an answer nested deeper than 500 levels', async () => {
    const send = (levels: number) => {
      answer = (res) => {
        res.writeHead(200, { 'content-type': 'application/json' });
        res.end(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
      };
      return transport({ callMs: 30_000 }).send({ method: 'GET', path: '/' });
    };
    expect((await send(500)).status).toBe(200);
    expect(await failure(send(501))).toMatchObject({ code: 'bad-answer' });
    expect(await failure(send(700_000))).toMatchObject({ code: 'bad-answer' });
  });

  test('refuses an answer with more than half a million members, and an error with more than 10,000', async () => {
    const send = (elements: number, status = 200) => {
      answer = (res) => {
        res.writeHead(status, { 'content-type': 'application/json' }).end(`[1${',1'.repeat(elements - 1)}]`);
      };
      return transport({ callMs: 30_000 }).send({ method: 'GET', path: '/' });
    };
    expect((await send(500_000)).status).toBe(200);
    expect(await failure(send(500_001))).toMatchObject({ code: 'bad-answer' });
    expect((await send(10_000, 400)).status).toBe(400);
    expect(await failure(send(10_001, 400))).toMatchObject({ code: 'bad-answer' });
    expect(await failure(send(200_000, 400))).toMatchObject({ code: 'bad-answer' });
  });

  test("refuses an answer with more values than the request's own limit, before it is parsed", async () => {
    answer = (res) => void res.writeHead(200, { 'content-type': 'application/json' }).end('[1,2,[],not JSON');
    const send = (values: number) =>
      transport().send({ method: 'GET', path: '/', atMost: { values, words: 'Too many.' } });
    expect(await failure(send(3))).toMatchObject({ code: 'payload-too-large', message: 'Too many.' });
    expect(await failure(send(4))).toMatchObject({ code: 'bad-answer' });
  });

  test('reads at most 256 KiB of an answer to a probe', async () => {
    answer = (res) => {
      res.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(256 * 1024)}"`);
    };
    const asked = { method: 'GET', path: '/' } as const;
    expect((await transport().send(asked)).status).toBe(200);
    expect(await failure(probing({ transport: transport() }).transport.send(asked))).toMatchObject({
      code: 'bad-answer',
    });
  });

  test.each([
    { name: 'small', limit: 64 * 1024 },
    { name: 'large', limit: 16 * 1024 * 1024 },
  ])(
    'refuses a $name answer over the limit without repeating the request, and reads one at the limit',
    async ({ limit }) => {
      const limits = { answerBytes: limit, callMs: 30_000 };
      const filled = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
      for (const length of ['announced', 'not announced', 'endless']) {
        answer = (res) => {
          res.writeHead(200, {
            'content-type': 'application/json',
            ...(length === 'announced' && { 'content-length': limit + 1 }),
          });
          // If the answer announces its length, none of its body has to be received.
          if (length === 'announced') res.flushHeaders();
          else if (length === 'endless') res.write(filled(limit + 1));
          else res.end(filled(limit + 1));
        };
        const before = received;
        expect(await failure(transport(limits).send({ method: 'GET', path: '/' }))).toMatchObject({
          code: 'bad-answer',
          delivery: 'unknown',
        });
        expect(received - before).toBe(1);
        await expect.poll(() => proxy.open()).toBe(0);
      }
      answer = (res) => res.writeHead(200, { 'content-type': 'application/json' }).end(filled(limit));
      expect((await transport(limits).send({ method: 'GET', path: '/' })).status).toBe(200);
    },
  );

  test("cuts the connection at any byte: a write's outcome is unknown, and a read is repeated once", async () => {
    answer = (res) => json(res, { some: 'answer', long: 'enough' });
    for (const atByte of [1, 10, 60, 120, 180, 200]) {
      proxy.fault = { kind: 'cut', atByte };
      const before = received;
      const error = await failure(transport().send({ method: 'PATCH', path: '/', body: {} }));
      expect(error.delivery).toBe('unknown');
      expect(received - before).toBe(1);
    }
    proxy.fault = { kind: 'cut', atByte: 1 };
    const before = received;
    await failure(transport().send({ method: 'GET', path: '/' }));
    expect(received - before).toBe(2);
  });

  test("answers 429: rate-limited, with the service's waiting time", async () => {
    answer = (res) => json(res, { message: 'canary' }, 429, { 'retry-after': '17' });
    const before = received;
    const error = await failure(transport().send({ method: 'GET', path: '/' }));
    expect(error).toMatchObject({ code: 'rate-limited', status: 429, headers: { 'Retry-After': '17' } });
    expect(received - before).toBe(1);
  });
});

test('sends requests to a Unix socket as well as to a port', async () => {
  using folder = temporaryFolder();
  const socketPath = folder.file('s.sock');
  const behind = await listen((_req, res) => json(res, { by: 'socket' }), { socketPath });
  const made = createTransport({
    environment: 'test',
    service: 'access',
    config: { endpoint: { kind: 'socket', path: socketPath }, signIn: ['password'] },
    clock: testClock(),
  });
  expect(await made.send({ method: 'GET', path: '/' })).toEqual({
    status: 200,
    body: { by: 'socket' },
    text: '{"by":"socket"}',
    headers: expect.objectContaining({ 'content-type': 'application/json' }),
    slices: expect.objectContaining({ giveWay: expect.any(Function) }),
  });
  await made.close();
  await behind.drain(0);
});

test('sends the allowed header fields and no others', async () => {
  const heads: string[] = [];
  const raw: Server = createTcpServer((socket) => {
    socket.once('data', (chunk: Buffer) => {
      heads.push(chunk.toString('latin1').split('\r\n\r\n')[0] ?? '');
      socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
    });
  });
  raw.listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    raw.once('listening', resolve);
  });
  const made = transport({}, (raw.address() as AddressInfo).port);
  await made.send({
    method: 'POST',
    path: '/',
    body: {},
    asker: { requestId: 'request-1', address: '203.0.113.9' },
    headers: { authorization: 'Bearer t' },
  });
  const names = (heads[0] ?? '')
    .split('\r\n')
    .slice(1)
    .map((line) => (line.split(':')[0] ?? '').toLowerCase());
  expect(names.sort()).toEqual(
    [
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
      'x-forwarded-for',
      'x-request-id',
    ].sort(),
  );
  raw.close();
});

test('cuts off a service that sends endless interim responses', async () => {
  const raw: Server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    const flood = (): void => {
      while (socket.writable && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50)));
    };
    socket.on('drain', flood).once('data', flood);
  });
  raw.listen(0, '127.0.0.1');
  await once(raw, 'listening');
  const made = transport({ callMs: 30_000 }, (raw.address() as AddressInfo).port);
  expect(await failure(made.send({ method: 'GET', path: '/' }))).toMatchObject({
    code: 'bad-answer',
    message: expect.stringContaining('too many interim responses'),
  });
  await made.close();
  raw.close();
});
