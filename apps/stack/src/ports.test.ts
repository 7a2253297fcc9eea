import fs from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { bodyDeadlineMs } from '@gatehouse/service-kit/http';
import { cheapHashing } from '@gatehouse/service-kit/testing/test-accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startStack, type Stack } from './stack.ts';

const password = 'a password for tests';
const wrong = 'not the password';

let dataDir: string;
let stack: Stack;
beforeAll(async () => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'gatehouse-ports-'));
  stack = await startStack({
    dataDir,
    adminPassword: password,
    drainMs: 500,
    hashing: cheapHashing,
    inFront: { names: [], forwardedFrom: ['127.0.0.1'] },
  });
});
afterAll(async () => {
  await stack.close();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

/** The form of a sign-in at each service's own port. */
const doors = {
  access: {
    path: '/v1/auth-methods/ampw_1234567890:authenticate',
    body: (word: string) => ({ command: 'login', attributes: { login_name: 'admin', password: word } }),
  },
  secrets: { path: '/v1/auth/userpass/login/admin', body: (word: string) => ({ password: word }) },
  boxes: {
    path: '/api/v1/authenticate',
    body: (word: string) => ({ token: {}, user: { login: 'admin', password: word } }),
  },
  modules: {
    path: '/v1/tokens',
    body: (word: string) => ({ username: 'admin', password: word, description: 'a test' }),
  },
} as const;

type Door = keyof typeof doors;

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Sends a POST. The answer may arrive while the body is still being sent. */
function post(door: Door, at: string, { headers, body }: Sent): Promise<number> {
  const url = stack.environments[0]?.[door].url ?? '';
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const asked = request(
    `${url}${at}`,
    { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
    (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
      asked.destroy();
    },
  );
  asked.once('error', reject);
  asked.end(body);
  return promise;
}
const signIn = (door: Door, word: string, headers = {}): Promise<number> =>
  post(door, doors[door].path, { headers, body: JSON.stringify(doors[door].body(word)) });

/** The token from a sign-in at a service's own port. */
async function tokenFrom(door: Door): Promise<string> {
  const answer = await fetch(`${stack.environments[0]?.[door].url ?? ''}${doors[door].path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(doors[door].body(password)),
  });
  const [, token = ''] = /"(?:client_)?token":"([^"]+)"/.exec(await answer.text()) ?? [];
  expect(token.length).toBeGreaterThan(20);
  return token;
}

/** All files of the data folder, except those with keys, by path. */
function storedFiles(): Map<string, string> {
  const files = fs
    .readdirSync(dataDir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('-keys.json'))
    .map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [file, fs.readFileSync(file, 'latin1')]));
}

test("another site's page can't start to generate a root token", async () => {
  const attempt = '/v1/sys/generate-root/attempt';
  const page = { origin: 'https://evil.example', 'content-type': 'text/plain' };
  expect(await post('secrets', attempt, { headers: page, body: '{}' })).toBe(403);
  const answer = await fetch(`${stack.environments[0]?.secrets.url ?? ''}${attempt}`);
  expect(await answer.json()).toMatchObject({ started: false });
});

describe.each(Object.keys(doors) as Door[])('the port of %s', (door) => {
  test('accepts large bodies only from known users', async () => {
    const body = JSON.stringify({ filler: 'x'.repeat(70 * 1024) });
    const at = door === 'secrets' ? '/v1/secret/data/large' : doors[door].path;
    expect(await post(door, at, { body })).toBe(413);
    expect(await post(door, at, { body, headers: { authorization: 'Bearer made-up' } })).toBe(413);
  });

  // Other systems have only one loopback address.
  test.runIf(process.platform === 'linux')('is closed to other machines', async () => {
    const { port } = new URL(stack.environments[0]?.[door].url ?? '');
    const outcome = Promise.withResolvers<unknown>();
    const socket = connect(Number(port), '127.0.0.2');
    socket.once('connect', () => outcome.resolve('connected')).once('error', outcome.resolve);
    expect(await outcome.promise).toMatchObject({ code: 'ECONNREFUSED' });
    socket.destroy();
  });

  test('answers only under loopback names', async () => {
    expect(await signIn(door, wrong, { host: 'rebound.example' })).toBe(421);
  });

  test("refuses requests from other sites' pages, and counts none of their guesses", async () => {
    const page = { origin: 'https://evil.example', 'content-type': 'text/plain' };
    for (let guess = 0; guess < 12; guess++) expect(await signIn(door, wrong, page)).toBe(403);
    expect(await signIn(door, password, { 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await signIn(door, password)).toBeLessThan(300);
    const answer = await fetch(stack.environments[0]?.[door].url ?? '', { headers: page });
    const refused = /web pages of other sites are refused/;
    const errors = [expect.stringMatching(refused)];
    expect(await answer.json()).toEqual(
      {
        access: { kind: 'PermissionDenied', message: expect.stringMatching(refused) },
        secrets: { errors },
        boxes: { errors, success: false },
        modules: { errors },
      }[door],
    );
  });

  test('issues tokens that no file of the data folder contains, nor the password', async () => {
    const token = await tokenFrom(door);
    // An access token has an ID before its secret part.
    const secret = door === 'access' ? token.split('_').slice(2).join('_') : token;
    const files = storedFiles();
    expect(files.size).toBeGreaterThan(4);
    for (const [file, text] of files) {
      expect([file, text.includes(secret), text.includes(password)]).toEqual([file, false, false]);
    }
  });

  test("gives up on a body that doesn't arrive", async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { hostname, port } = new URL(stack.environments[0]?.[door].url ?? '');
    const socket = connect(Number(port), hostname);
    try {
      let answer = '';
      socket.on('data', (bytes) => (answer += bytes.toString('latin1')));
      socket.write(
        `POST ${doors[door].path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`,
      );
      const later = (): string => {
        vi.advanceTimersByTime(bodyDeadlineMs);
        return answer;
      };
      await expect.poll(later).toMatch(/^HTTP\/1\.1 408 /);
    } finally {
      socket.destroy();
      vi.useRealTimers();
    }
  });

  test("slows down guesses at all ports together, and doesn't count successful sign-ins", async () => {
    const from = { 'x-forwarded-for': `2001:db8:0:${Object.keys(doors).indexOf(door)}::1` };
    for (let times = 0; times < 12; times++) expect(await signIn(door, password, from)).toBeLessThan(300);
    const guesses: number[] = [];
    for (let guess = 0; guess < 60; guess++) guesses.push(await signIn(door, wrong, from));
    expect(guesses.filter((status) => status !== 429).length).toBeLessThanOrEqual(15);
    expect(guesses.at(-1)).toBe(429);
    // All ports share the account.
    for (const other of Object.keys(doors) as Door[]) expect(await signIn(other, password, from)).toBe(429);
    expect(await signIn(door, password)).toBeLessThan(300);
  });
});
