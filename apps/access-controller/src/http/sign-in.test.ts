import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openAccounts } from '@gatehouse/service-kit/accounts';
import { cheapHashing } from '@gatehouse/service-kit/testing/test-accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  blamedFields,
  clientOf,
  itemsOf,
  signIn,
  startController,
  testPassword,
  textOf,
} from '../testing/controller.ts';
import type { Answer, Client, TestController } from '../testing/controller.ts';

const path = '/v1/auth-methods/ampw_1234567890:authenticate';
const hour = 3600 * 1000;
let controller: TestController;
beforeEach(async () => {
  controller = await startController();
});
afterEach(() => controller[Symbol.asyncDispose]());

const attempt = (loginName: unknown, password: unknown): Promise<Answer> =>
  controller.anonymous.post(path, {
    command: 'login',
    type: 'token',
    attributes: { login_name: loginName, password },
  });
const works = async (client: Client): Promise<boolean> =>
  (await client.get('/v1/scopes/global')).status === 200;
const idOf = (client: Client): string => (client.token ?? '').split('_').slice(0, 2).join('_');

describe('signing in', () => {
  test('is offered without a token', async () => {
    for (const query of ['scope_id=global&recursive=true', 'scope_id=global', 'recursive=true']) {
      const answer = await controller.anonymous.get(`/v1/auth-methods?${query}`);
      expect(itemsOf(answer)).toMatchObject([
        {
          id: 'ampw_1234567890',
          type: 'password',
          is_primary: true,
          scope_id: 'global',
          attributes: { min_login_name_length: 3, min_password_length: 8 },
          authorized_actions: ['authenticate'],
        },
      ]);
    }
    expect((await controller.anonymous.get('/v1/auth-methods?scope_id=o_1234567890')).body['items']).toEqual(
      [],
    );
    const signedIn = await controller.as('read-only');
    expect((await signedIn.get('/v1/auth-methods/ampw_1234567890')).body).toMatchObject({
      id: 'ampw_1234567890',
    });
    expect((await signedIn.get('/v1/auth-methods/ampw_0000000000')).status).toBe(404);
  });

  test('issues a token with three parts', async () => {
    const answer = await attempt('ADMIN', testPassword);
    const now = controller.clock.now();
    expect(answer).toMatchObject({ status: 200, body: { command: 'login', type: 'token' } });
    expect(answer.body['attributes']).toMatchObject({
      id: expect.stringMatching(/^at_[0-9A-Za-z]{10}$/),
      token: expect.stringMatching(/^at_[0-9A-Za-z]{10}_s1[0-9A-Za-z]{43}$/),
      user_id: 'u_1234567890',
      account_id: 'acctpw_1234567890',
      auth_method_id: 'ampw_1234567890',
      expiration_time: new Date(now + 7 * 24 * hour).toISOString(),
      scope: { id: 'global', type: 'global' },
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    ['admin', 'wrong password'],
    ['nobody-at-all', testPassword],
    ['admin', 'x'.repeat(5000)],
  ])('fails with the same answer as %s', async (loginName, password) => {
    const answer = await attempt(loginName, password);
    expect([answer.status, answer.body]).toEqual([
      401,
      { kind: 'Unauthenticated', message: 'Unable to authenticate.' },
    ]);
  });

  test.each([
    [{}, ['attributes.login_name', 'attributes.password', 'command']],
    [{ command: 'login' }, ['attributes.login_name', 'attributes.password']],
    [{ command: 'logout', attributes: { login_name: 'a', password: 'b' } }, ['command']],
    [{ command: 'login', type: 'cookie', attributes: { login_name: 'a', password: 'b' } }, ['type']],
    [{ command: 'login', attributes: { login_name: 5, password: 'b' } }, ['attributes.login_name']],
    [{ command: 'login', attributes: 'x' }, ['attributes', 'attributes.login_name', 'attributes.password']],
  ])('refuses %j', async (body, blamed) => {
    const answer = await controller.anonymous.post(path, body);
    expect([answer.status, blamedFields(answer)]).toEqual([400, blamed]);
  });

  test('has only one method', async () => {
    const attributes = { login_name: 'admin', password: testPassword };
    const other = await controller.anonymous.post('/v1/auth-methods/ampw_0000000000:authenticate', {
      command: 'login',
      attributes,
    });
    expect(other.status).toBe(404);
    const malformed = await controller.anonymous.post('/v1/auth-methods/x:authenticate', {
      command: 'login',
      attributes,
    });
    expect(blamedFields(malformed)).toEqual(['id']);
  });
});

describe('a token', () => {
  test('is refused if any part of it changes', async () => {
    const { token = '' } = await controller.as('administrator');
    const last = token.endsWith('a') ? 'b' : 'a';
    for (const other of [
      '',
      'x',
      idOf({ token } as Client),
      token.slice(0, -1),
      `${token}a`,
      token.slice(0, -1) + last,
      token.replace('_s1', '_s2'),
    ]) {
      expect((await clientOf({ address: controller.url }, other).get('/v1/scopes/global')).status).toBe(401);
    }
    for (const authorization of [token, `Basic ${token}`, `Bearer ${token} x`]) {
      expect((await fetch(`${controller.url}/v1/scopes/global`, { headers: { authorization } })).status).toBe(
        401,
      );
    }
  });

  test('is stored only as a hash, like a password', async () => {
    const client = await controller.as('administrator');
    await controller.service.close();
    const files = readdirSync(controller.dataDir).map((name) => readFileSync(join(controller.dataDir, name)));
    const secret = client.token?.split('_')[2] ?? '';
    for (const content of files) {
      expect(content.includes(secret)).toBe(false);
      expect(content.includes(testPassword)).toBe(false);
    }
  });

  test('expires after seven days even if used', async () => {
    const client = await controller.as('operator');
    for (let hours = 0; hours < 7 * 24 - 1; hours += 12) {
      controller.clock.advance(12 * hour);
      expect(await works(client)).toBe(hours + 12 < 7 * 24);
    }
  });

  test('becomes stale after a day without use', async () => {
    const [used, idle] = [await controller.as('operator'), await controller.as('operator')];
    controller.clock.advance(13 * hour);
    expect(await works(used)).toBe(true);
    // The use is recorded in the background; a later write puts it on disk.
    await controller.as('operator');
    controller.clock.advance(13 * hour);
    expect([await works(used), await works(idle)]).toEqual([true, false]);
  });

  test('lasts as long as configured', async () => {
    await using short = await startController({
      tokenLifetimes: { timeToLive: hour, timeToStale: hour / 2 },
    });
    const client = await short.as('operator');
    short.clock.advance(hour / 2 - 1);
    expect(await works(client)).toBe(true);
    short.clock.advance(hour / 2 + 1);
    expect(await works(client)).toBe(false);
  });

  test('can be read and deleted by its owner, which signs out', async () => {
    for (const role of ['administrator', 'operator', 'read-only', null] as const) {
      const client = await controller.as(role);
      const own = `/v1/auth-tokens/${idOf(client)}`;
      expect((await client.get(own)).body).toMatchObject({
        id: idOf(client),
        auth_method_id: 'ampw_1234567890',
      });
      expect(JSON.stringify((await client.get(own)).body)).not.toContain(client.token?.split('_')[2]);
      expect((await client.delete(own)).status).toBe(204);
      expect((await client.get(own)).status).toBe(401);
    }
  });

  test('of another user can be seen only by administrators', async () => {
    const [administrator, operator, reader] = [
      await controller.as('administrator'),
      await controller.as('operator'),
      await controller.as('read-only'),
    ];
    const readers = `/v1/auth-tokens/${idOf(reader)}`;
    expect((await operator.get(readers)).status).toBe(403);
    expect((await operator.delete(readers)).status).toBe(403);
    expect((await operator.get('/v1/auth-tokens/at_0000000000')).status).toBe(403);
    expect((await administrator.get('/v1/auth-tokens/at_0000000000')).status).toBe(404);
    expect(blamedFields(await administrator.get('/v1/auth-tokens/x'))).toEqual(['id']);
    expect((await administrator.get(readers)).body).toMatchObject({
      authorized_actions: ['no-op', 'read', 'delete'],
    });
    const seen = async (client: Client): Promise<string[]> =>
      itemsOf(await client.get('/v1/auth-tokens?scope_id=global')).map((item) => textOf(item, 'id'));
    expect(await seen(operator)).toEqual([idOf(operator)]);
    expect((await seen(administrator)).toSorted()).toEqual(
      [administrator, operator, reader].map(idOf).toSorted(),
    );
    expect((await administrator.delete(readers)).status).toBe(204);
    expect(await works(reader)).toBe(false);
  });

  test('is void after a password change or when the user is disabled', async () => {
    const account = await controller.accounts.create({
      loginName: 'leaving',
      password: testPassword,
      roles: { access: 'operator' },
    });
    const server = { address: controller.url };
    const first = await signIn(server, 'leaving');
    await controller.accounts.setPassword(account.id, 'another password');
    expect(await works(first)).toBe(false);
    const changed = await controller.accounts.setPassword(account.id, testPassword);
    expect(await works(first)).toBe(false);
    const second = await signIn(server, 'leaving');
    expect(await works(second)).toBe(true);
    await controller.accounts.update(account.id, changed.version, { disabled: true });
    expect(await works(second)).toBe(false);
    expect((await attempt('leaving', testPassword)).status).toBe(401);
  });

  test('is void immediately when another process changes the password', async () => {
    const client = await controller.as('operator');
    const other = openAccounts({
      file: join(controller.dataDir, 'accounts.db'),
      hashing: cheapHashing,
    });
    await other.setPassword(other.getByLoginName('operator')?.id ?? '', 'another password');
    await other.close();
    expect(await works(client)).toBe(false);
  });

  test('survives a restart', async () => {
    const client = await controller.as('operator');
    await controller.service.close();
    const { createService } = await import('../app.ts');
    const { listen } = await import('@gatehouse/service-kit/service');
    const { dataDir, accounts, clock } = controller;
    const service = await createService({ dataDir, accounts, clock });
    const server = await listen(service, { host: '127.0.0.1', port: 0 });
    expect(await works(clientOf(server, client.token))).toBe(true);
    await server.drain(0);
    await service.close();
  });
});

describe('rate limits', () => {
  test('are off by default; once configured, they say when to retry', async () => {
    for (let n = 0; n < 30; n++) expect((await attempt('admin', 'wrong password')).status).toBe(401);
    await using limited = await startController({
      guesses: { burst: 2, perSecond: 0.1 },
    });
    const body = { command: 'login', attributes: { login_name: 'admin', password: 'wrong password' } };
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await limited.anonymous.post(path, body)).status);
    expect(statuses).toEqual([401, 401, 429]);
    const answer = await limited.anonymous.post(path, body);
    expect(answer).toMatchObject({ status: 429, body: { kind: 'ResourceExhausted' } });
    expect(answer.headers.get('retry-after')).toBe('10');
    expect((await limited.anonymous.get('/v1/auth-methods?scope_id=global')).status).toBe(200);
    limited.clock.advance(10_000);
    expect((await limited.anonymous.post(path, body)).status).toBe(401);
  });

  test('on all requests exempt the health check', async () => {
    await using limited = await startController({ rateLimit: { requests: { burst: 1, perSecond: 0.01 } } });
    const get = (): Promise<Answer> => limited.anonymous.get('/v1/auth-methods?scope_id=global');
    expect([(await get()).status, (await get()).status]).toEqual([200, 429]);
    expect((await limited.anonymous.get('/health')).status).toBe(200);
  });
});

describe('users', () => {
  test('are the shared accounts, newest first', async () => {
    const reader = await controller.as('read-only');
    controller.clock.advance(1);
    await controller.accounts.create({
      loginName: 'Ada',
      fullName: 'Ada L.',
      email: 'ada@example.com',
      password: testPassword,
      roles: {},
    });
    const answer = await reader.get('/v1/users?scope_id=global');
    const [first] = itemsOf(answer);
    expect(first).toEqual({
      id: expect.stringMatching(/^u_/),
      scope_id: 'global',
      scope: expect.objectContaining({ id: 'global' }),
      name: 'Ada',
      description: '',
      created_time: new Date(controller.clock.now()).toISOString(),
      updated_time: new Date(controller.clock.now()).toISOString(),
      version: 1,
      account_ids: [expect.stringMatching(/^acctpw_/)],
      accounts: [{ id: expect.stringMatching(/^acctpw_/), scope_id: 'global' }],
      login_name: 'Ada',
      full_name: 'Ada L.',
      email: 'ada@example.com',
      primary_account_id: expect.stringMatching(/^acctpw_/),
      role: '',
      roles: { access: null, secrets: null, boxes: null, modules: null },
      disabled: false,
      authorized_actions: ['no-op', 'read'],
    });
    expect((await reader.get(`/v1/users/${textOf(first ?? {}, 'id')}`)).body).toEqual(first);
    expect(itemsOf(await reader.get('/v1/users?recursive=true'))).toHaveLength(5);
    expect(itemsOf(await reader.get('/v1/users?scope_id=o_1234567890'))).toEqual([]);
    const filter = encodeURIComponent('"/item/role" == operator');
    expect(itemsOf(await reader.get(`/v1/users?scope_id=global&filter=${filter}`))).toMatchObject([
      { login_name: 'operator' },
    ]);
    expect((await reader.get('/v1/users/u_0000000000')).status).toBe(404);
    expect(blamedFields(await reader.get('/v1/users/x'))).toEqual(['id']);
    expect(blamedFields(await reader.get('/v1/users'))).toEqual(['scope_id']);
    expect((await reader.get('/v1/users?scope_id=o_0000000000')).status).toBe(404);
    expect((await reader.send('PUT', '/v1/users', {})).status).toBe(405);
  });
});

describe('the service', () => {
  test('reports its health and has no other paths outside the API', async () => {
    expect((await controller.anonymous.get('/health')).status).toBe(200);
    expect(await controller.service.ready()).toBe(true);
    for (const unknown of [
      '/',
      '/v1',
      '/v1/',
      '/v1/targets/',
      '/V1/targets',
      '/v1/nonsense',
      '/v1/targets/ttcp_1234567890/x',
    ]) {
      expect(await controller.anonymous.get(unknown)).toMatchObject({
        status: 404,
        body: { kind: 'NotFound', message: 'Resource not found.' },
      });
    }
    await controller.service.close();
    expect(await controller.service.ready()).toBe(false);
    expect((await controller.anonymous.get('/health')).status).toBe(503);
  });
});
