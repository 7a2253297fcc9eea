import { once } from 'node:events';
import http from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bodyTurns } from './body-turns.ts';
import { HttpError } from './http-error.ts';

/** Names of the bodies that have had their turn. */
let begun: string[];
let arrived: number;
let server: http.Server;

beforeEach(async () => {
  begun = [];
  arrived = 0;
  const inTurn = bodyTurns();
  server = http.createServer((req, res) => {
    const name = req.url?.slice(1) ?? '';
    arrived++;
    inTurn(req, name.slice(0, 1), () => {
      begun.push(name);
      return buffer(req);
    }).then(
      ({ length }) => res.end(String(length)),
      (error: unknown) => {
        if (error instanceof HttpError)
          res.writeHead(error.status, { ...error.headers, connection: 'close' }).end(error.message);
        else res.destroy();
      },
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const size = 2 * 1024 * 1024;

/** Sends all but the last byte of a body, or `bytes` bytes. @param name starts with its owner's letter */
async function begin(name: string, bytes = size - 1): Promise<ClientRequest> {
  const { port } = server.address() as AddressInfo;
  const before = arrived;
  const request = http.request({
    port,
    path: `/${name}`,
    method: 'POST',
    headers: { 'content-length': size },
    agent: false,
  });
  request.on('error', () => undefined);
  request.write(Buffer.alloc(bytes));
  await expect.poll(() => arrived, { interval: 1 }).toBe(before + 1);
  return request;
}

async function answerTo(request: ClientRequest): Promise<{ answer: IncomingMessage; text: string }> {
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return { answer, text: String(await buffer(answer)) };
}

async function end(request: ClientRequest): Promise<string> {
  const answered = answerTo(request);
  request.end('x');
  return (await answered).text;
}

test('reads at most two large bodies per owner and eight in total, and leaves the rest unread', async () => {
  const sent = new Map<string, ClientRequest>();
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'c2', 'd1', 'd2', 'e1'])
    sent.set(name, await begin(name));
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'd1', 'd2']);
  for (const request of sent.values()) expect(await end(request)).toBe(String(size));
  expect(begun.slice(8)).toEqual(['e1', 'a3']);
});

test('drops a large body whose client left or that waited too long', async () => {
  const [one, two] = [await begin('a1'), await begin('a2')];
  const left = await begin('a3', 10);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const late = answerTo(await begin('a4'));
    left.destroy();
    let answer: { readonly answer: IncomingMessage; readonly text: string } | undefined;
    void late.then((one) => (answer = one));
    await expect
      .poll(() => {
        vi.advanceTimersByTime(30_000);
        return answer;
      })
      .toMatchObject({
        answer: { statusCode: 503, headers: { 'retry-after': '30' } },
        text: 'This large request waited 30 seconds for its turn. Send it again in a minute.',
      });
  } finally {
    vi.useRealTimers();
  }
  for (const request of [one, two]) expect(await end(request)).toBe(String(size));
  expect(begun).toEqual(['a1', 'a2']);
});

test("refuses an owner's large body when 24 are already waiting", async () => {
  const sent: ClientRequest[] = [];
  for (let at = 0; at < 26; at++) sent.push(await begin('a'));
  const more = await begin('a');
  const refused = answerTo(more);
  more.end('x');
  expect(await refused).toMatchObject({
    answer: { statusCode: 429, headers: { 'retry-after': '30' } },
    text: '24 of your large requests are already waiting. Send this one when they are done.',
  });
  for (const request of sent) expect(await end(request)).toBe(String(size));
});
