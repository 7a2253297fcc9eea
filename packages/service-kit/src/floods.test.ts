import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Listening, listen as listenType } from './service.ts';

const host = { host: '127.0.0.1', port: 0 };
const head = (line: string, fields = ''): string => `${line} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`;
const fields = (count: number): string => 'a: b\r\n'.repeat(count);
const chunked = head('POST /', 'Connection: close\r\nTransfer-Encoding: chunked\r\n');

let server: Listening;
/** The last request that reached the handler. */
let handled: IncomingMessage;
/** Requests that the parser has delivered, also those that wait. */
let parsed = 0;
const began = (): void => {
  parsed += 1;
};

let listen: typeof listenType;
// The limits per second grow only when a test says so, and have a clock that other tests don't use.
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.resetModules();
  ({ listen } = await import('./service.ts'));
});
afterAll(() => {
  vi.useRealTimers();
  vi.resetModules();
});
beforeEach(async () => {
  parsed = 0;
  subscribe('http.server.request.start', began);
  server = await listen((req, res) => {
    handled = req;
    if (req.url !== '/held') void text(req).then((body) => res.end(String(body.length)));
  }, host);
});
afterEach(async () => {
  unsubscribe('http.server.request.start', began);
  await server.drain(0);
});

const open = (sent: string): Socket => {
  const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
  socket.write(sent);
  return socket;
};
const closing = (socket: Socket): Promise<unknown> =>
  new Promise((resolve) => {
    socket.once('close', resolve);
  });
/** All that a server sends until it closes the connection. */
const answerTo = async (sent: string): Promise<string> => {
  const socket = open(sent);
  let answer = '';
  socket.on('data', (piece) => (answer += String(piece)));
  await closing(socket);
  return answer;
};

describe('a request', () => {
  test('may have 100 fields in its head, and is refused with more', async () => {
    expect(await answerTo(head('GET /', `Connection: close\r\n${fields(98)}`))).toContain(' 200 ');
    expect(await answerTo(head('GET /', `Connection: close\r\n${fields(99)}`))).toContain(' 431 ');
    expect(parsed).toBe(1);
  });

  test('may have 100 fields in its trailers, and is cut off with more', async () => {
    expect(await answerTo(`${chunked}0\r\n${fields(100)}\r\n`)).toContain(' 200 ');
    expect(await answerTo(`${chunked}0\r\n${fields(101)}\r\n`)).toBe('');
  });

  test('is checked without grouping the fields of its head', async () => {
    expect(await answerTo(head('GET /', 'Connection: close\r\n'))).toContain(' 200 ');
    expect(await answerTo(head('GET /', 'HOST: other\r\n'))).toContain(' 400 ');
    expect(await answerTo(head('GET /', 'Authorization: a\r\nauthorization: b\r\n'))).toContain(' 400 ');
    // Where Node keeps the fields, and would keep the groups.
    const kept = Object.getOwnPropertySymbols(handled).map(({ description }) => description);
    expect(kept).toContain('kHeaders');
    expect(kept).not.toContain('kHeadersDistinct');
  });
});

test('no more than 2,000 pipelined requests wait at once, and others may once they are gone', async () => {
  for (let round = 0; round < 2; round += 1) {
    parsed = 0;
    const first = Array.from({ length: 130 }, () => open(head('GET /held').repeat(16)));
    await expect.poll(() => parsed).toBe(130 * 16);
    vi.advanceTimersByTime(2_000);
    const more = Array.from({ length: 10 }, () => open(head('GET /held').repeat(16)));
    let cut = 0;
    for (const socket of more) socket.once('close', () => (cut += 1));
    // Three more connections have room for all of their requests.
    await expect.poll(() => cut).toBe(7);
    const closed = [...first, ...more].filter((socket) => !socket.closed).map((socket) => closing(socket));
    for (const socket of [...first, ...more]) socket.destroy();
    await Promise.all(closed);
    vi.advanceTimersByTime(2_000);
  }
});

test('of clients whose requests cannot be parsed, 100 get an answer and the others are cut off', async () => {
  vi.advanceTimersByTime(2_000);
  const answers = await Promise.all(Array.from({ length: 150 }, () => answerTo('not HTTP\r\n\r\n')));
  expect(answers.filter((answer) => answer.includes(' 400 '))).toHaveLength(100);
  expect(answers.filter((answer) => answer === '')).toHaveLength(50);
});

test('all bodies share 5,000 small pieces, except a few of each and of each large one', async () => {
  const small = `${chunked}${'1\r\nx\r\n'.repeat(900)}0\r\n\r\n`;
  const answers = await Promise.all(Array.from({ length: 10 }, () => answerTo(small)));
  expect(answers.filter((answer) => answer.endsWith('900'))).toHaveLength(5);
  const few = `${chunked}${'1\r\nx\r\n'.repeat(4)}0\r\n\r\n`;
  expect(await answerTo(few)).toMatch(/\b4$/);
  const large = `${chunked}${`1000\r\n${'x'.repeat(4096)}\r\n1\r\nx\r\n`.repeat(64)}0\r\n\r\n`;
  expect(await answerTo(large)).toMatch(new RegExp(`\\b${64 * 4097}$`));
});
