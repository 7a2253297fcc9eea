import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import type { Client, WireAnswer } from '@gatehouse/service-kit/testing/client';
import { turnsBefore } from '@gatehouse/service-kit/testing/turns-before';
import { Secret, URI } from 'otpauth';
import { expect, test, vi } from 'vitest';
import { startServer, testPassword } from '../testing/server.ts';
import type { TestServer } from '../testing/server.ts';

/** Distinguishes an account from another one of the same name. */
const known = { id: expect.stringMatching(/^u_/) as string, created_at: expect.any(String) as string };
const authenticate = '/api/v1/authenticate';
const user = { login: 'operator', password: testPassword };

test('issues a token, accepts it in four forms, validates and deletes it', async () => {
  await using server = await startServer();
  const created = await server.anonymous.post(authenticate, { token: { description: 'laptop' }, user });
  const { token, token_hash: hash } = created.body;
  expect([created.status, created.body]).toEqual([
    200,
    {
      description: 'laptop',
      token: expect.stringMatching(/^\w{14}\.atlasv1\.\w{48}$/),
      token_hash: expect.stringMatching(/^[0-9a-f]{128}$/),
      created_at: '2026-01-01T00:00:00.000Z',
    },
  ]);
  for (const [path, headers] of [
    [authenticate, { authorization: `Bearer ${String(token)}` }],
    [`${authenticate}?access_token=${String(token)}`, {}],
    [authenticate, { 'x-atlas-token': String(token) }],
    [authenticate, { 'x-legacy-token': String(token) }],
  ] as const) {
    const answer = await server.anonymous.send('GET', path, undefined, headers);
    expect([answer.status, answer.body]).toEqual([200, { user: { ...known, username: 'operator' } }]);
  }
  const operator = server.with(String(token));
  const other = await server.as('operator');
  expect((await operator.get('/api/v1/tokens')).body).toMatchObject({
    tokens: expect.arrayContaining([
      expect.objectContaining({ description: 'laptop', token_hash: hash, current: true }),
      expect.objectContaining({ description: '', current: false }),
    ]),
  });
  const admin = await server.as('administrator');
  expect((await admin.delete(`/api/v1/tokens/${String(hash)}`)).status).toBe(404);
  expect((await operator.delete(authenticate)).status).toBe(204);
  expect((await operator.delete(authenticate)).status).toBe(401);
  expect((await operator.get(authenticate)).status).toBe(401);
  const { tokens } = (await other.get('/api/v1/tokens')).body as { tokens: { token_hash: string }[] };
  expect((await other.delete(`/api/v1/tokens/${tokens[0]?.token_hash ?? ''}`)).status).toBe(204);
  expect((await other.get(authenticate)).status).toBe(401);
  expect(readFileSync(join(server.dataDir, 'box-registry.db')).includes(String(token))).toBe(false);
});

test('refuses a sign-in with its faults', async () => {
  await using server = await startServer();
  const post = async (body: unknown): Promise<unknown> => {
    const answer = await server.anonymous.post(authenticate, body);
    return [answer.status, answer.body];
  };
  const refused = (status: number, error: string) => [status, { errors: [error], success: false }];
  const missing = 'user parameter is required! It must contain login and password';
  expect(await post({})).toEqual(refused(422, missing));
  expect(await post({ user: { login: 'operator' } })).toEqual(refused(422, missing));
  expect(await post({ user: { login: 7, password: [] } })).toEqual([
    422,
    { errors: ['Login must be a string', 'Password must be a string'], success: false },
  ]);
  expect(await post({ user: { ...user, password: 'wrong' } })).toEqual(
    refused(401, 'Bad username or password'),
  );
  expect(await post({ user: { ...user, login: 'somebody' } })).toEqual(
    refused(401, 'Bad username or password'),
  );
  expect(await post({ user: { ...user, login: 'nobody' } })).toEqual(
    refused(403, 'You have no role in this registry'),
  );
});

test('accepts an e-mail address that only one user has as the login, without reading all users', async () => {
  await using server = await startServer();
  const roles = { boxes: 'operator' } as const;
  const email = 'one@example.com';
  await server.accounts.create({ loginName: 'one', password: testPassword, email, roles });
  const list = vi.spyOn(server.accounts, 'list');
  expect((await (await server.signIn(email)).get(authenticate)).body).toEqual({
    user: { ...known, username: 'one' },
  });
  await server.accounts.create({ loginName: 'two', password: testPassword, email, roles });
  await expect(server.signIn(email)).rejects.toThrow('Bad username or password');
  expect(list).not.toHaveBeenCalled();
});

test('voids tokens when the password changes, or when the user loses the role or is deleted', async () => {
  await using server = await startServer();
  const client = await server.as('operator');
  const account = server.accounts.getByLoginName('operator');
  await server.accounts.setPassword(account?.id ?? '', testPassword);
  expect((await client.get(authenticate)).status).toBe(401);
  const again = await server.as('operator');
  const { id, version } = server.accounts.getByLoginName('operator') ?? { id: '', version: 0 };
  await server.accounts.update(id, version, { roles: { boxes: null } });
  expect((await again.get(authenticate)).status).toBe(401);
  // A void token is refused even where no token is required.
  expect((await again.get('/api/v1/search')).status).toBe(401);
});

/** Turns on the caller's second factor. @returns a function that computes codes */
async function enable(client: Client, server: TestServer, phone?: string): Promise<() => string> {
  const setUp = await client.post('/api/v1/two-factor', {
    user: { password: testPassword },
    two_factor: { phone },
  });
  const { secret, uri } = setUp.body['two_factor'] as { secret: string; uri: string };
  const totp = URI.parse(uri);
  expect(totp).toMatchObject({ issuer: 'Gatehouse boxes', label: 'operator', secret: { base32: secret } });
  const code = (): string => totp.generate({ timestamp: server.clock.now() });
  const confirmed = await client.put('/api/v1/two-factor', { two_factor: { code: code() } });
  expect(confirmed.body).toMatchObject({ two_factor: { enabled: true } });
  server.clock.advance(30_000);
  return code;
}

test('refuses a token that is deleted while its request arrives', async () => {
  await using server = await startServer();
  const operator = await server.as('operator');
  const request = http.request(`${server.url}/api/v1/boxes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operator.token}`, expect: '100-continue' },
  });
  request.flushHeaders();
  // The registry has looked up the token when it requests the body.
  await once(request, 'continue');
  expect((await operator.delete(authenticate)).status).toBe(204);
  request.end('{"box":{"username":"operator","name":"late"}}');
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  expect(answer.resume().statusCode).toBe(401);
});

test('sets up a second factor, requires it, accepts each code once, and turns it off', async () => {
  await using server = await startServer();
  const operator = await server.as('operator');
  expect((await operator.post('/api/v1/two-factor', { user: { password: 'no' } })).status).toBe(422);
  const code = await enable(operator, server);
  const signIn = (two_factor?: unknown) => server.anonymous.post(authenticate, { user, two_factor });

  for (const none of [undefined, { code: null }, { code: '' }]) {
    const needed = await signIn(none);
    expect([needed.status, needed.body]).toEqual([
      406,
      {
        two_factor: { default_delivery_method: 'app', delivery_methods: ['app'] },
        errors: ['Two-factor authentication is enabled: send a code'],
        success: false,
      },
    ]);
  }
  // A wrong password is reported before a code is requested.
  expect((await server.anonymous.post(authenticate, { user: { ...user, password: 'x' } })).status).toBe(401);
  expect((await signIn({ code: '000000' })).status).toBe(401);
  expect((await signIn({ code: code() })).status).toBe(200);
  expect((await signIn({ code: code() })).status).toBe(401);
  server.clock.advance(30_000);
  const atOnce = await Promise.all([1, 2, 3].map(() => signIn({ code: code() })));
  expect(atOnce.filter(({ status }) => status === 200)).toHaveLength(1);
  for (let attempt = 0; attempt < 5; attempt++) await signIn({ code: '12345' });
  expect((await signIn({ code: '12345' })).status).toBe(429);
  server.clock.advance(30_000);
  expect((await signIn({ code: code() })).status).toBe(429);
  server.clock.advance(360_000);
  expect((await signIn({ code: code() })).status).toBe(200);

  await server.restart();
  expect((await signIn()).status).toBe(406);
  server.clock.advance(30_000);
  const off = { user: { password: testPassword }, two_factor: { code: code() } };
  expect((await operator.delete('/api/v1/two-factor', off)).status).toBe(204);
  expect((await signIn()).status).toBe(200);
});

test('keeps the key of a second factor unreadable in the files of the service', async () => {
  await using server = await startServer();
  const operator = await server.as('operator');
  const setUp = await operator.post('/api/v1/two-factor', { user: { password: testPassword } });
  const { secret } = setUp.body['two_factor'] as { secret: string };
  const files = readdirSync(server.dataDir, { withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.map(({ name }) => name)).toContain('box-registry.db-wal');
  for (const { name } of files) {
    const bytes = readFileSync(join(server.dataDir, name));
    expect([
      name,
      bytes.includes(Buffer.from(Secret.fromBase32(secret).bytes)),
      bytes.includes(secret),
    ]).toEqual([name, false, false]);
  }
});

test('sends a code to a phone, and lets administrators reset a lost second factor', async () => {
  await using server = await startServer();
  const operator = await server.as('operator');
  const admin = await server.as('administrator');
  await enable(operator, server, '+15551237890');
  const request = (more: unknown) => server.anonymous.post('/api/v1/two-factor/request-code', more);
  expect((await request({ user, two_factor: { delivery_method: 'pigeon' } })).status).toBe(422);
  expect((await request({ user: { ...user, password: 'x' } })).status).toBe(401);
  const sent = await request({ user, two_factor: { delivery_method: 'sms' } });
  expect([sent.status, sent.body]).toEqual([
    201,
    { two_factor: { obfuscated_destination: 'SMS number ending in 7890' } },
  ]);
  const line = readFileSync(join(server.dataDir, 'box-registry-codes.log'), 'utf8');
  const { code } = JSON.parse(line) as { code: string };
  expect(JSON.parse(line)).toEqual({ username: 'operator', phone: '+15551237890', code });
  const signIn = () => server.anonymous.post(authenticate, { user, two_factor: { code } });
  expect((await signIn()).status).toBe(200);
  expect((await signIn()).status).toBe(401);
  expect((await operator.delete('/api/v1/two-factor/admin')).status).toBe(403);
  expect((await admin.delete('/api/v1/two-factor/operator')).status).toBe(204);
  expect((await server.anonymous.post(authenticate, { user })).status).toBe(200);
  expect((await request({ user })).status).toBe(422);
});

test('lets no administrator turn off their own second factor without the password and a code', async () => {
  await using server = await startServer();
  const admin = await server.as('operator');
  await enable(admin, server);
  const { id, version } = server.accounts.getByLoginName('operator') ?? { id: '', version: 0 };
  await server.accounts.update(id, version, { roles: { boxes: 'administrator' } });
  const { status, body } = await admin.delete('/api/v1/two-factor/Operator');
  expect([status, body['errors']]).toEqual([
    422,
    [expect.stringContaining('turn off its second factor with your password and a code')],
  ]);
  expect((await admin.get('/api/v1/two-factor')).body).toMatchObject({ two_factor: { enabled: true } });
});

test('limits requests by token or address, and reports the remaining number in every answer to them', async () => {
  await using server = await startServer({ rateLimit: { requests: { burst: 2, perSecond: 1 } } });
  const first = await server.anonymous.get('/api/v1/search');
  expect(['limit', 'remaining', 'reset'].map((name) => first.headers.get(`x-ratelimit-${name}`))).toEqual([
    '2',
    '1',
    String(server.clock.now() / 1000 + 1),
  ]);
  const admin = await server.as('administrator');
  // An invalid token uses the allowance of its address.
  expect((await server.with('made.up').get('/api/v1/search')).headers.get('x-ratelimit-remaining')).toBe('0');
  const refused = await server.anonymous.get('/api/v1/search');
  expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
    429,
    '1',
    { errors: ['Too many requests. Try again in 1 second.'], success: false },
  ]);
  expect((await admin.get(authenticate)).headers.get('x-ratelimit-remaining')).toBe('1');
  server.clock.advance(1000);
  expect((await server.anonymous.get('/api/v1/search')).status).toBe(200);
});

test("doesn't let other requests of an address prevent sign-ins there, or reads prevent writes", async () => {
  await using server = await startServer({ rateLimit: { requests: { burst: 1, perSecond: 1 } } });
  const write = () => server.anonymous.post('/api/v1/boxes', {});
  const statuses = async (ask: () => Promise<WireAnswer>) => [(await ask()).status, (await ask()).status];
  expect(await statuses(() => server.anonymous.get('/api/v1/search'))).toEqual([200, 429]);
  expect(await statuses(write)).toEqual([401, 429]);
  expect(await statuses(() => server.anonymous.post(authenticate, { user }))).toEqual([200, 200]);
  expect((await server.anonymous.post('/api/v1/two-factor/request-code', { user })).status).toBe(422);
});

test('answers a health probe in its turn while users wait for theirs', async () => {
  await using server = await startServer();
  expect(await turnsBefore(() => server.anonymous.get('/health'), true)).toBe(20);
});
