import { testPassword } from '@gatehouse/module-registry/testing/server';
import { describe, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import {
  codeOf,
  moduleAt,
  modulesApi,
  useModules,
  asked,
  readArchive,
  modules,
  admin,
} from '#test/modules.ts';

useModules();

describe('tokens', () => {
  const tokens = `${modulesApi}/tokens`;

  test("are created, listed and revoked, except the console's own", async () => {
    const wrong = { password: 'wrong', description: 'CI' };
    expect(codeOf(await admin.send('POST', tokens, { body: wrong }))).toEqual([401, 'sign-in-failed']);
    modules.server.clock.advance(60_000);
    const made = await admin.send('POST', tokens, { body: { password: testPassword, description: ' CI ' } });
    expect(made.json).toEqual({
      id: expect.any(String),
      description: 'CI',
      created_time: expect.stringMatching(/^2026-/),
      last_used_time: '',
      token: expect.any(String),
    });
    const client = modules.server.with(String(made.json['token']));
    modules.server.clock.advance(600_000);
    expect((await client.get('/v1/tokens/self')).status).toBe(200);
    const list = async () =>
      (await admin.send('GET', tokens)).json['tokens'] as Record<'id' | 'last_used_time', string>[];
    const one = (await list()).find(({ id }) => id === made.json['id']);
    expect(one).toMatchObject({ description: 'CI', current: false });
    expect(one?.last_used_time).not.toBe('');
    expect(JSON.stringify(await list())).not.toContain(String(made.json['token']));
    expect((await admin.send('DELETE', `${tokens}/${String(one?.id)}`)).status).toBe(204);
    expect((await client.get('/v1/tokens/self')).status).toBe(401);
    expect(codeOf(await admin.send('DELETE', `${tokens}/${String(one?.id)}`))).toEqual([404, 'not-found']);
    const own = (await list()).find((token) => 'current' in token && token.current === true);
    expect(own?.last_used_time).not.toBe('');
    for (const id of [String(own?.id), 'self'])
      expect(codeOf(await admin.send('DELETE', `${tokens}/${id}`))).toEqual([400, 'invalid-request']);
    expect((await admin.send('GET', tokens)).status).toBe(200);
  });

  test('require a description', async () => {
    const body = { password: testPassword, description: ' ' };
    expect((await admin.send('POST', tokens, { body })).json).toMatchObject({
      fields: [{ path: 'description' }],
    });
  });
});

describe('connections', () => {
  const signIn = (page: Browser, credentials: object) =>
    page.send('POST', '/api/session', { body: { environment: 'test', service: 'modules', credentials } });

  test("are created with a password, whose token is revoked at the end, or with a user's token, which isn't", async () => {
    const page = modules.console.browser();
    const wrong = await signIn(page, { method: 'password', login_name: 'admin', password: 'wrong' });
    expect(codeOf(wrong)).toEqual([401, 'sign-in-failed']);
    const client = await modules.server.as('operator');
    const token = client.token ?? '';
    expect((await signIn(page, { method: 'token', token })).json).toMatchObject({
      person: { login_name: 'operator' },
    });
    expect((await page.send('GET', `${modulesApi}/search`)).status).toBe(200);
    await page.send('DELETE', '/api/session');
    await modules.console.bff.upkeep();
    expect((await client.get('/v1/tokens/self')).status).toBe(200);
    for (const bad of ['made up', 'made-up'])
      expect((await signIn(page, { method: 'token', token: bad })).json['code']).toBe('sign-in-failed');
    modules.server.clock.advance(60_000);
    const other = await modules.signedIn('operator');
    const before = (await client.get('/v1/tokens')).body['tokens'] as object[];
    await other.send('DELETE', '/api/session');
    await modules.console.bff.upkeep();
    const after = (await client.get('/v1/tokens')).body['tokens'] as object[];
    expect(after).toHaveLength(before.length - 1);
  });

  test('report an invalid token once', async () => {
    const page = await modules.signedIn('read-only');
    const client = await modules.server.as('read-only');
    const tokens = (await client.get('/v1/tokens')).body['tokens'] as { id: string; current: boolean }[];
    for (const { id, current } of tokens) if (!current) await client.delete(`/v1/tokens/${id}`);
    expect(codeOf(await page.send('GET', `${modulesApi}/search`))).toEqual([424, 'not-connected']);
    const lines = asked(modules);
    expect(codeOf(await page.send('GET', `${modulesApi}/search`))).toEqual([424, 'not-connected']);
    expect(codeOf(await readArchive(page))).toEqual([424, 'not-connected']);
    // It isn't JSON: only connected users have their large bodies read.
    const send = (path: string, size: number) => page.send('POST', path, { body: Buffer.alloc(size) });
    for (const path of [`${modulesApi}/archive`, `${moduleAt('acme/net/aws')}/versions/9.0.0/publish`]) {
      expect(codeOf(await send(path, 2 ** 20 + 1))).toEqual([424, 'not-connected']);
      expect(codeOf(await send(path, 2 ** 20))).toEqual([400, 'invalid-request']);
    }
    expect(codeOf(await send('/api/environments/test/moves', 2 ** 20 + 1))).toEqual([424, 'not-connected']);
    expect(lines).toEqual([]);
    const { connections } = (await page.send('GET', '/api/connections')).json as {
      readonly connections?: readonly object[];
    };
    expect(connections).toMatchObject([{ service: 'modules', state: 'expired' }]);
  });

  test("show everyone's activity only to its administrators, if it is the only service", async () => {
    const reader = await modules.signedIn('read-only');
    const sees = async (page: Browser) =>
      (await page.send('GET', '/api/environments/test/activity')).json['sees'];
    expect(await sees(reader)).toBe('own');
    expect(await sees(admin)).toBe('all');
  });
});
