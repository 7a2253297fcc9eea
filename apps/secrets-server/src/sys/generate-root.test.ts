import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { as, authOf, errorsOf, tokenOf } from '../testing/people.ts';
import { rootKey, shownToken } from '../testing/root-token.ts';
import { startServer } from '../testing/server.ts';
import type { TestServer } from '../testing/server.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startServer();
  key = rootKey(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const generate = async (): Promise<string> => {
  const begun = (await server.anonymous.write('sys/generate-root/attempt')).body;
  expect(begun).toMatchObject({
    started: true,
    complete: false,
    required: 1,
    otp_length: 28,
    encoded_token: '',
  });
  const done = await server.anonymous.write('sys/generate-root/update', { key, nonce: begun['nonce'] });
  expect(done.body).toMatchObject({ complete: true, progress: 1, nonce: begun['nonce'] });
  return shownToken(done.body['encoded_token'], String(begun['otp']));
};

test('generates a token with all permissions and no expiry for the root key', async () => {
  const token = await generate();
  expect(token).toMatch(/^hvs\.[0-9A-Za-z]{24}$/);
  const root = server.with(token);
  server.clock.advance(400 * 24 * 3600 * 1000);
  expect((await root.read('auth/token/lookup-self')).data).toMatchObject({
    policies: ['root'],
    display_name: 'root',
    path: 'auth/token/root',
    expire_time: null,
    ttl: 0,
    creation_ttl: 0,
    orphan: true,
    renewable: false,
    meta: null,
  });
  expect((await root.read('sys/internal/ui/resultant-acl')).data['root']).toBe(true);
  expect((await root.write('sys/capabilities-self', { path: 'x' })).data['x']).toEqual(['root']);
  expect((await root.write('sys/rotate')).status).toBeLessThan(300);
  expect(authOf(await root.write('auth/token/renew-self'))).toMatchObject({
    lease_duration: 0,
    renewable: false,
  });
});

test("a root token can create others, but an expiring one none that don't expire", async () => {
  const root = server.with(await generate());
  expect(authOf(await root.write('auth/token/create'))).toMatchObject({
    policies: ['root'],
    lease_duration: 0,
  });
  const expiring = await root.write('auth/token/create', { ttl: '1h' });
  expect(authOf(expiring)).toMatchObject({ policies: ['root'], lease_duration: 3600 });
  expect(errorsOf(await server.with(tokenOf(expiring)).write('auth/token/create'))).toEqual([
    'expiring root tokens cannot create non-expiring root tokens',
  ]);
  const ordinary = authOf(await root.write('auth/token/create', { policies: ['default'], id: 'by-root' }));
  expect(ordinary).toMatchObject({ policies: ['default'], client_token: 'by-root' });
});

test("accepts the caller's own one-time pad", async () => {
  const otp = 'abcdefghijklmnopqrstuvwxyz!~';
  const begun = (await server.anonymous.send('PUT', 'sys/generate-root/attempt', { otp })).body;
  expect(begun['otp']).toBe('');
  const done = await server.anonymous.send('PUT', 'sys/generate-root/update', { key, nonce: begun['nonce'] });
  expect(shownToken(done.body['encoded_token'], otp)).toMatch(/^hvs\./);
});

describe('is refused', () => {
  const refused = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await server.anonymous.write(`sys/generate-root/${path}`, body);
    expect(answer.status).toBe(400);
    return errorsOf(answer);
  };

  test('without the root key, the nonce or an attempt', async () => {
    expect(await refused('update', { key })).toEqual(['no root generation in progress']);
    expect(await refused('attempt', { otp: 'short' })).toEqual(['OTP string is of length 5, expected 28']);
    expect(await refused('attempt', { pgp_key: 'x' })).toEqual(['pgp_key is not supported']);
    const { nonce } = (await server.anonymous.write('sys/generate-root/attempt')).body;
    expect(await refused('attempt', {})).toEqual(['root generation already in progress']);
    expect(await refused('update', {})).toEqual(["'key' must be specified in request body as JSON"]);
    expect(await refused('update', { key, nonce: 'other' })).toEqual([
      `incorrect nonce supplied; nonce for this root generation operation is ${String(nonce)}`,
    ]);
    for (const wrong of ['x', Buffer.alloc(32).toString('base64')])
      expect(await refused('update', { key: wrong, nonce })).toEqual([
        'root generation failed: the key is not the root key',
      ]);
    const state = await server.anonymous.read('sys/generate-root/attempt');
    expect(state.body).toMatchObject({ started: true, nonce, otp: '' });
    expect((await server.anonymous.delete('sys/generate-root/attempt')).status).toBe(204);
    expect((await server.anonymous.read('sys/generate-root/attempt')).body['started']).toBe(false);
  });

  test('for all but one of several simultaneous requests', async () => {
    const { nonce } = (await server.anonymous.write('sys/generate-root/attempt')).body;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => server.anonymous.write('sys/generate-root/update', { key, nonce })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('while sealed', async () => {
    await (await as(server, 'administrator')).write('sys/seal');
    expect((await server.anonymous.write('sys/generate-root/attempt')).status).toBe(503);
    expect((await server.anonymous.write('sys/unseal', { key })).status).toBe(200);
  });
});
