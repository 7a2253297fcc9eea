import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqlite } from '#store/sqlite.ts';
import { boundaryController, boundaryPassword, type BoundaryController } from '#test/boundary-controller.ts';
import { startConsole, type TestConsole } from '#test/console.ts';
import { signInLimits, type AttemptBy } from './sign-in-limits.ts';

let controller: BoundaryController;
let console: TestConsole;

beforeEach(async () => {
  controller = await boundaryController();
  console = await startConsole({
    access: { kind: 'url', url: new URL(controller.url) },
    boxes: { kind: 'url', url: new URL(controller.url) },
    boxesSettings: { signIn: ['password'] },
    console: { publicUrl: new URL('https://gatehouse.example'), trustedProxies: ['127.0.0.1'] },
  });
});
afterEach(async () => {
  await console.close();
  await controller.close();
});

const attempt = (password: string, from: string, login_name = 'victim') =>
  console.browser().send('POST', '/api/session', {
    body: {
      environment: 'test',
      service: 'access',
      credentials: { method: 'password', login_name, password },
    },
    headers: { host: 'gatehouse.example', 'x-forwarded-proto': 'https', 'x-forwarded-for': from },
  });
const attemptsSeen = () => controller.seen.filter(({ path }) => path.endsWith(':authenticate')).length;

test('delays guesses more and more, also concurrent ones', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => attempt('wrong', '203.0.113.1')));
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(30);
  const judged = attemptsSeen();
  expect(judged).toBeLessThanOrEqual(5);
  // An hour of an attacker who retries as early as allowed.
  let guesses = 0;
  for (let seconds = 0; seconds < 3600;) {
    const answer = await attempt('wrong', '203.0.113.1');
    if (answer.status === 429) {
      const wait = Number(answer.headers['retry-after']);
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(60);
      seconds += wait;
      console.clock.advance(wait * 1000);
    } else guesses += 1;
  }
  expect(guesses).toBeLessThan(80);
});

test('lets the victim in from another address, and from the same one after the delay', async () => {
  for (let guess = 0; guess < 12; guess++) {
    await attempt('wrong', '203.0.113.1');
    console.clock.advance(5_000);
  }
  expect((await attempt(boundaryPassword, '198.51.100.7')).status).toBe(200);
  let answer = await attempt(boundaryPassword, '203.0.113.1');
  if (answer.status === 429) {
    console.clock.advance(Number(answer.headers['retry-after']) * 1000);
    answer = await attempt(boundaryPassword, '203.0.113.1');
  }
  expect(answer.status).toBe(200);
  expect((await attempt('wrong', '203.0.113.1')).status).toBe(401);
});

test("doesn't lock out users of an address, whatever names others invent there", async () => {
  const address = '203.0.113.1';
  const flood = async () => {
    for (let name = 0; name < 40; name++) await attempt('wrong', address, `nobody-${name}`);
  };
  expect((await attempt(boundaryPassword, address)).status).toBe(200);
  await flood();
  expect((await attempt(boundaryPassword, address, 'another')).status).toBe(429);
  expect((await attempt(boundaryPassword, address)).status).toBe(200);
  console.clock.advance(24 * 3_600_000);
  await console.bff.upkeep();
  await flood();
  expect((await attempt(boundaryPassword, address)).status).toBe(200);
  // Their own failures count.
  for (let guess = 0; guess < 8; guess++) await attempt('wrong', address);
  expect((await attempt(boundaryPassword, address)).status).toBe(429);
});

test('counts a confirmation only for its session', async () => {
  const address = '203.0.113.1';
  const headers = { host: 'gatehouse.example', 'x-forwarded-proto': 'https', 'x-forwarded-for': address };
  const page = console.browser();
  const credentials = { method: 'password', login_name: 'victim', password: boundaryPassword };
  const place = { environment: 'test', service: 'access' };
  await page.send('POST', '/api/session', { body: { ...place, credentials }, headers });
  for (let guess = 0; guess < 12; guess++) await attempt('wrong', address);
  expect((await attempt(boundaryPassword, address)).status).toBe(429);
  const confirm = async (secret: string) =>
    (await page.send('POST', '/api/session/confirm', { body: { environment: 'test', secret }, headers }))
      .status;
  expect(await confirm(boundaryPassword)).toBe(200);
  for (let guess = 0; guess < 8; guess++) await confirm('wrong');
  expect(await confirm(boundaryPassword)).toBe(429);
});

test('delays nobody for longer when the clock is set back', async () => {
  for (let guess = 0; guess < 6; guess++) await attempt('wrong', '203.0.113.1');
  expect((await attempt(boundaryPassword, '203.0.113.1')).status).toBe(429);
  console.clock.setWall(console.clock.now() - 10 * 60_000);
  expect((await attempt(boundaryPassword, '203.0.113.1')).status).toBe(200);
});

test('also delays many accounts from one address, and counts an IPv6 /64 as one', async () => {
  let refused = 0;
  for (let n = 0; n < 60; n++) {
    if ((await attempt('wrong', `2001:db8:1:2::${n.toString(16)}`, `account-${n}`)).status === 429)
      refused += 1;
  }
  expect(refused).toBeGreaterThan(20);
  expect((await attempt('wrong', '2001:db8:1:3::1', 'account-1')).status).toBe(401);
});

test("doesn't count attempts that the service didn't judge", async () => {
  controller.intercept = (_req, res) => {
    res.destroy();
    return true;
  };
  for (let n = 0; n < 40; n++) expect((await attempt('x', '203.0.113.1')).status).toBe(503);
  controller.intercept = undefined;
  expect((await attempt(boundaryPassword, '203.0.113.1')).status).toBe(200);
});

test('ignores what an untrusted peer says about its address', async () => {
  const plain = await startConsole({ access: { kind: 'url', url: new URL(controller.url) } });
  try {
    const page = plain.browser();
    let refused = 0;
    for (let n = 0; n < 10; n++) {
      const answer = await page.send('POST', '/api/session', {
        body: {
          environment: 'test',
          service: 'access',
          credentials: { method: 'password', login_name: 'victim', password: 'x' },
        },
        headers: { 'x-forwarded-for': `203.0.113.${n}` },
      });
      if (answer.status === 429) refused += 1;
    }
    expect(refused).toBeGreaterThan(3);
  } finally {
    await plain.close();
  }
});

test.each([
  ['an unknown environment', 'nowhere', 'access', 'password'],
  ['a service that is not configured', 'test', 'secrets', 'password'],
  ['a method that is not offered', 'test', 'boxes', 'token'],
])('counts attempts at %s, and records nothing of them', async (_what, environment, service, method) => {
  const credentials =
    method === 'token' ? { method, token: 'x' } : { method: 'password', login_name: 'ada', password: 'x' };
  const send = () =>
    console.browser().send('POST', '/api/session', {
      body: { environment, service, credentials },
      headers: {
        host: 'gatehouse.example',
        'x-forwarded-proto': 'https',
        'x-forwarded-for': '203.0.113.9',
      },
    });
  const answers = await Promise.all(Array.from({ length: 60 }, send));
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(30);
  expect((await attempt(boundaryPassword, '203.0.113.9')).status).toBe(429);
  expect((await attempt(boundaryPassword, '198.51.100.7')).status).toBe(200);
  using database = new DatabaseSync(join(console.dataDir, 'console.db'));
  // The successful sign-in: the intent and its outcome.
  expect(database.prepare('select outcome from audit').all()).toEqual([
    { outcome: 'intent' },
    { outcome: 'succeeded' },
  ]);
});

const urlOf = (port: number) => ({ kind: 'url', url: new URL(`http://127.0.0.1:${port}`) }) as const;
const url = urlOf(1);
const service = (endpoint: typeof url | { kind: 'socket'; path: string }) => ({
  endpoint,
  signIn: ['password'] as const,
});
const environment = (id: string, sharedAccounts: boolean, endpoint: Parameters<typeof service>[0]) => ({
  id,
  name: id,
  kind: 'development' as const,
  sharedAccounts,
  services: { access: service(endpoint), boxes: service(endpoint) },
});

test('counts a variant of a name, and another service with the same accounts, as the same account', () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const socket = { kind: 'socket', path: '/nowhere' } as const;
  const mixed = environment('mixed', false, urlOf(2));
  const limits = signInLimits(database, console.clock, [
    { ...mixed, services: { ...mixed.services, boxes: service(socket) } },
    environment('one', true, socket),
    environment('two', true, socket),
    environment('shared', true, urlOf(3)),
    environment('apart', false, url),
    environment('again', false, url),
  ]);
  const keyOf = (at: string, service: 'access' | 'boxes', login_name = 'victim') =>
    limits.accountOf({ environment: at, service }, { method: 'password', login_name, password: 'x' }, '');
  expect(keyOf('apart', 'access', ' \uff36ictim')).toBe(keyOf('apart', 'access'));
  expect(keyOf('apart', 'access')).not.toBe(keyOf('apart', 'boxes'));
  expect(keyOf('apart', 'access')).toBe(keyOf('again', 'access'));
  expect(keyOf('apart', 'access')).not.toBe(keyOf('shared', 'access'));
  expect(keyOf('shared', 'access')).toBe(keyOf('shared', 'boxes'));
  expect(keyOf('one', 'access')).toBe(keyOf('two', 'boxes'));
  expect(keyOf('one', 'access')).not.toBe(keyOf('shared', 'access'));
  expect(keyOf('mixed', 'boxes')).toBe(keyOf('one', 'access'));
  expect(keyOf('mixed', 'access')).not.toBe(keyOf('mixed', 'boxes'));
});

test("counts a second factor's code at its own service, whatever another one accepts", async () => {
  using folder = temporaryFolder();
  const limits = signInLimits(openSqlite(folder.file('console.db')), console.clock, [
    environment('one', true, url),
    environment('two', true, url),
  ]);
  const from = '203.0.113.1';
  const attempt = (service: 'access' | 'boxes', two_factor_code?: string, at = 'one') => {
    const place = { environment: at, service };
    const credentials = { method: 'password', login_name: 'victim', password: 'x', two_factor_code } as const;
    return limits.reserve(
      limits.accountOf(place, credentials, from),
      from,
      limits.codeOf(place, credentials),
    );
  };
  for (let n = 0; n < 4; n += 1) {
    await attempt('boxes', String(n));
    await (await attempt('access')).succeed();
  }
  await attempt('boxes', '4');
  await (await attempt('access')).succeed();
  await expect(attempt('boxes', '5')).rejects.toMatchObject({ code: 'rate-limited' });
  await expect(attempt('boxes', '5', 'two')).rejects.toMatchObject({ code: 'rate-limited' });
  await expect(attempt('access', '5').then((reserved) => reserved.succeed())).resolves.toBeUndefined();
  console.clock.advance(60_000);
  await (await attempt('boxes', '6')).succeed();
  for (let n = 0; n < 4; n += 1) await attempt('boxes', String(n));
});

test("doesn't lock out tokens that signed in from an address, whatever tokens others invent there", async () => {
  using folder = temporaryFolder();
  const limits = signInLimits(openSqlite(folder.file('console.db')), console.clock, []);
  const place = { environment: 'one', service: 'access' } as const;
  const attempt = (token: string, by: AttemptBy = '203.0.113.1') =>
    limits.reserve(limits.accountOf(place, { method: 'token', token }, by), by);
  await (await attempt('valid')).succeed();
  const invented = () => Promise.allSettled(Array.from({ length: 40 }, (_, n) => attempt(`made up ${n}`)));
  expect((await invented()).filter(({ status }) => status === 'rejected')).not.toEqual([]);
  await (await attempt('valid')).succeed();
  const session = { session: 's_1' };
  for (let n = 0; n < 5; n += 1) await attempt(`guess ${n}`, session);
  await expect(attempt('guess 5', session)).rejects.toMatchObject({ code: 'rate-limited' });
});

test('limits the concurrent attempts that are recorded, also of known accounts', async () => {
  using folder = temporaryFolder();
  const limits = signInLimits(openSqlite(folder.file('console.db')), console.clock, []);
  const from = '203.0.113.1';
  await (await limits.reserve('known', from)).succeed();
  for (const account of ['unknown', 'known']) {
    const checks = await Promise.allSettled(Array.from({ length: 100 }, () => limits.check(account, from)));
    expect(checks.filter(({ status }) => status === 'fulfilled')).toHaveLength(60);
  }
});
