import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  HttpError,
  anonymousBodyBytes,
  createApp,
  errorHandler,
  jsonBody,
  sendEmpty,
  sendJson,
  takeTurns,
  toHttpError,
} from './http.ts';
import { listen } from './service.ts';
import type { Listening } from './service.ts';
import { Slices, type Asker } from './slices.ts';
import { StoreUnavailable } from './store-error.ts';
import { countTurns } from './testing/turn-counter.ts';
import { currentAsker } from './write-queue.ts';

const askerOf = () => ({ name: 'ada', isKnown: true });
let server: Listening;
const unexpected: unknown[] = [];

beforeAll(async () => {
  const app = createApp();
  app.use(jsonBody({ askerOf, limitBytes: 1000, maxDepth: 5, maxKeys: 20, freeMembers: ['data'] }));
  app.all('/echo', (req, res) => {
    const body: unknown = req.body;
    sendJson(res, 200, { body: body ?? null });
  });
  app.get('/text', (_req, res) => sendJson(res, 200, '{"n":9007199254740993}'));
  app.delete('/empty', (_req, res) => sendEmpty(res));
  app.get('/teapot', () => {
    throw new HttpError(418, 'teapot', 'Short and stout.', { headers: { 'X-Shape': 'pot' } });
  });
  app.get('/broken', () => {
    throw new Error('canary-of-the-database');
  });
  app.get('/full', () => {
    throw new StoreUnavailable('full', undefined);
  });
  app.get('/late', (_req, res) => {
    res.writeHead(200, { 'Content-Length': '100' });
    res.write('half');
    throw new Error('late');
  });
  app.get('/item/:id', (req, res) => sendJson(res, 200, req.params));
  app.use(
    errorHandler({
      toBody: (error) => ({ code: error.code, message: error.message, details: error.details }),
      onUnexpected: (error) => unexpected.push(error),
    }),
  );
  server = await listen(app, { host: '127.0.0.1', port: 0 });
});
afterAll(() => server.drain(0));

const post = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<Response> => fetch(`${server.address}/echo`, { method: 'POST', body, headers });
const codeOf = async (answer: Promise<Response>): Promise<[number, unknown]> => {
  const response = await answer;
  const body: unknown = await response.json();
  return [
    response.status,
    typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined,
  ];
};

/** Sends raw bytes and returns everything received until the connection closes. */
function raw(request: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(request);
  return readText(socket);
}

describe('a body in JSON', () => {
  test('reads JSON', async () => {
    const sent = '{ "a": [1, null, "ü"], "n": 9007199254740993 }';
    const answer: unknown = await (await post(sent)).json();
    expect(answer).toEqual({ body: JSON.parse(sent) as unknown });
  });

  test('accepts requests without a body, whatever their content type', async () => {
    const answer = await fetch(`${server.address}/echo`, { headers: { 'content-type': 'text/plain' } });
    expect(await answer.json()).toEqual({ body: null });
  });

  test.each([
    ['a foreign type', '{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    [
      'a foreign charset',
      '{}',
      { 'content-type': 'application/json; charset=latin1' },
      415,
      'unsupported_media_type',
    ],
    [
      'an encoding',
      '{}',
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      415,
      'unsupported_media_type',
    ],
    ['cut JSON', '{"a":', undefined, 400, 'malformed_json'],
    ['a name twice', '{"a":1,"a":1}', undefined, 400, 'duplicate_key'],
    ['__proto__', '{"__proto__":1}', undefined, 400, 'forbidden_key'],
    ['depth 6', '[[[[[[1]]]]]]', undefined, 400, 'too_deep'],
    [
      '22 members',
      JSON.stringify(Object.fromEntries(Array.from({ length: 22 }, (_, n) => [n, n]))),
      undefined,
      400,
      'too_many_keys',
    ],
    ['1001 bytes', JSON.stringify('x'.repeat(999)), undefined, 413, 'payload_too_large'],
  ])('refuses %s', async (_name, body, headers, status, code) => {
    expect(await codeOf(post(body, headers))).toEqual([status, code]);
  });

  test('accepts bodies just within the limits', async () => {
    expect((await post(JSON.stringify('x'.repeat(998)))).status).toBe(200);
    expect((await post('[[[[[1]]]]]')).status).toBe(200);
    expect(
      (await post('{"a":1}', { 'content-type': 'application/merge-patch+json; charset=UTF-8' })).status,
    ).toBe(200);
    expect((await post('{"data":{"a":1,"a":2}}')).status).toBe(200);
  });

  test('refuses a body that is not UTF-8', async () => {
    expect(await codeOf(post(new Uint8Array([0x22, 0xff, 0x22])))).toEqual([400, 'invalid_utf8']);
  });

  test('refuses a chunked body that grows too large, and closes the connection', async () => {
    const chunk = `3e8\r\n${'x'.repeat(1000)}\r\n`;
    const answer = await raw(
      `POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toMatch(/Connection: close/i);
  });
});

describe('answers', () => {
  test('have a Content-Length, and are neither stored nor sniffed', async () => {
    const answer = await fetch(`${server.address}/text`);
    expect(Object.fromEntries(answer.headers)).toEqual({
      'cache-control': 'no-store',
      connection: 'keep-alive',
      'content-length': '22',
      'content-type': 'application/json; charset=utf-8',
      date: expect.any(String),
      'keep-alive': expect.any(String),
      'x-content-type-options': 'nosniff',
    });
    expect(await answer.text()).toBe('{"n":9007199254740993}');
  });

  test('have no content type if empty', async () => {
    const answer = await fetch(`${server.address}/empty`, { method: 'DELETE' });
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([204, null, '']);
  });
});

describe('errors', () => {
  test('have the status, code and message of an HttpError', async () => {
    const answer = await fetch(`${server.address}/teapot`);
    expect([answer.status, answer.headers.get('x-shape'), await answer.json()]).toEqual([
      418,
      'pot',
      { code: 'teapot', message: 'Short and stout.' },
    ]);
  });

  test('reveal nothing and are reported if unexpected', async () => {
    unexpected.length = 0;
    const answer = await fetch(`${server.address}/broken`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('canary');
    expect(unexpected).toMatchObject([{ message: 'canary-of-the-database' }]);
  });

  test("are 507 or 503 with Retry-After when the store can't be written", async () => {
    const answer = await fetch(`${server.address}/full`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([507, '30']);
    expect(toHttpError(new StoreUnavailable('busy', undefined))).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '1' },
    });
  });

  test('cut the connection after the response head was sent', async () => {
    await expect(fetch(`${server.address}/late`).then((answer) => answer.text())).rejects.toThrow();
  });

  test('answer 400 for a stray percent sign in a path', async () => {
    expect(await raw('GET /item/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 400 /,
    );
  });
});

test("answer a body that doesn't arrive, and close its connection", async () => {
  const app = createApp();
  app.use(jsonBody({ askerOf, deadlineMs: 50 }));
  app.use(errorHandler({ toBody: ({ code }) => ({ code }), onUnexpected: () => undefined }));
  const slow = await listen(app, { host: '127.0.0.1', port: 0 });
  const socket = connect(slow.port, '127.0.0.1');
  socket.write(
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{',
  );
  const answer = await readText(socket);
  expect(answer).toContain('408 Request Timeout');
  expect(answer).toContain('{"code":"too_slow"}');
  await slow.drain(0);
});

const posted = (bytes: number): string =>
  `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n${JSON.stringify('x'.repeat(bytes - 2))}`;

describe.each([
  ['large bodies', jsonBody, posted(16_000)],
  ['small bodies', jsonBody, posted(8_000)],
  [
    'requests without a body',
    ({ askerOf: ask }: { askerOf: () => Asker }) => takeTurns(ask),
    'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  ],
])('many %s that arrive together', (_kind, handler, request) => {
  /** Sends 20 requests to an application that works for 10 ms after it has read one. */
  const send = async (asker: Asker, onRead: (turn: number) => void): Promise<void> => {
    using counter = countTurns();
    const app = createApp();
    app.use(handler({ askerOf: () => asker }));
    app.use((_req, res) => {
      onRead(counter.turn);
      for (const began = performance.now(); performance.now() - began < 10;);
      sendJson(res, 200, {});
    });
    const server = await listen(app, { host: '127.0.0.1', port: 0 });
    const sockets = Array.from({ length: 20 }, () => connect(server.port, '127.0.0.1'));
    // All but their last bytes have been sent, so that the ends arrive together.
    for (const socket of sockets) socket.write(request.slice(0, -1));
    await expect.poll(() => counter.turn).toBeGreaterThan(500);
    for (const socket of sockets) socket.write(request.slice(-1));
    await Promise.all(sockets.map((socket) => readText(socket)));
    await server.drain(0);
  };

  test('are answered one per turn', async () => {
    const turns: number[] = [];
    await send(askerOf(), (turn) => turns.push(turn));
    expect(new Set(turns).size).toBe(20);
  });

  test('make no user wait for all of a stranger', async () => {
    let read = 0;
    let readBefore: Promise<number> | undefined;
    await send({ name: 'somewhere', isKnown: false }, () => {
      read += 1;
      const user = new Slices(() => false, { name: 'ada', isKnown: true });
      readBefore ??= user.giveWay().then(() => read);
    });
    expect(await readBefore).toBeLessThan(5);
  });
});

test("lets a request's writes wait in its sender's line, however long it works", async () => {
  const app = createApp();
  app.use(takeTurns((req) => ({ name: req.path, isKnown: true })));
  app.use(async (_req, res) => {
    await nextTurn();
    sendJson(res, 200, { asker: currentAsker() });
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  const answers = await Promise.all(
    ['/ada', '/eve'].map(async (path) => (await fetch(server.address + path)).json()),
  );
  expect(answers).toEqual([{ asker: '/ada' }, { asker: '/eve' }]);
  expect(currentAsker()).toBe('');
  await server.drain(0);
});

test('limits bodies from unknown senders to 16 KiB', async () => {
  const app = createApp();
  app.use(
    jsonBody({ askerOf: (req) => ({ name: '', isKnown: req.headers.authorization === 'Bearer known' }) }),
  );
  app.use((_req, res) => sendJson(res, 200, {}));
  app.use(errorHandler({ toBody: ({ code }) => ({ code }), onUnexpected: () => undefined }));
  const bounded = await listen(app, { host: '127.0.0.1', port: 0 });
  const send = async (bytes: number, authorization?: string): Promise<number> => {
    const headers = {
      'content-type': 'application/json',
      ...(authorization !== undefined && { authorization }),
    };
    const body = JSON.stringify('x'.repeat(bytes - 2));
    return (await fetch(bounded.address, { method: 'POST', body, headers })).status;
  };
  expect(await send(anonymousBodyBytes)).toBe(200);
  expect(await send(anonymousBodyBytes + 1)).toBe(413);
  expect(await send(anonymousBodyBytes + 1, 'Bearer known')).toBe(200);
  await bounded.drain(0);
});
