import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client, Wire } from '../testing/client.ts';
import { startIssuingServer } from '../testing/issuing-server.ts';
import type { IssuingServer } from '../testing/issuing-server.ts';
import { errorsOf, tokenOf, tokenWith } from '../testing/people.ts';
import { testPassword } from '../testing/server.ts';

let server: IssuingServer;
let admin: Client;
beforeAll(async () => {
  server = await startIssuingServer();
  const login = await server.client().write('auth/userpass/login/admin', { password: testPassword });
  // The tests advance the clock beyond the day that a sign-in lasts.
  const token = await tokenWith(server.client(tokenOf(login)), { no_parent: true, ttl: '700h' });
  admin = server.client(token);
  await admin.write('sys/policies/acl/issue', {
    policy:
      'path "ledger/*" { capabilities = ["update"] } path "sys/leases/lookup" { capabilities = ["update", "list"] }',
  });
});
afterAll(() => server[Symbol.asyncDispose]());

const issue = async (body: Wire = {}, client = admin, path = 'deploy') => {
  const answer = await client.write(`ledger/creds/${path}`, body);
  expect(answer.status).toBe(200);
  return { answer, id: String(answer.body['lease_id']), name: String(answer.data['name']) };
};
const isKnown = async (id: string): Promise<boolean> =>
  (await admin.write('sys/leases/lookup', { lease_id: id })).status === 200;

test('a lease is returned with the issued credentials', async () => {
  const { answer, id } = await issue({ ttl: '1h' });
  expect(answer.body).toMatchObject({ lease_id: id, lease_duration: 3600, renewable: true });
  expect(id).toMatch(/^ledger\/creds\/deploy\/[0-9A-Za-z]{24}$/);
  const looked = await admin.write('sys/leases/lookup', { lease_id: id });
  const time = (ms: number) => new Date(ms).toISOString().replace('Z', '000000Z');
  expect(looked.data).toEqual({
    id,
    issue_time: time(server.clock.now()),
    expire_time: time(server.clock.now() + 3_600_000),
    last_renewal: null,
    path: 'ledger/creds/deploy',
    renewable: true,
    ttl: 3600,
  });
});

describe('renewing', () => {
  test('sets a new expiry, up to the maximum', async () => {
    const { id } = await issue({ ttl: 600, max_ttl: 1000 });
    server.clock.advance(300_000);
    const same = await admin.write('sys/leases/renew', { lease_id: id });
    expect(same.body).toMatchObject({ lease_id: id, lease_duration: 600, renewable: true, warnings: null });
    const capped = await admin.write(`sys/leases/renew/${id}`, { increment: 900 });
    expect(capped.body['lease_duration']).toBe(700);
    expect(capped.body['warnings']).toHaveLength(1);
    const { data } = await admin.write('sys/leases/lookup', { lease_id: id });
    expect(data).toMatchObject({ ttl: 700, last_renewal: expect.any(String) });
  });

  test("is refused for leases that can't be renewed or don't exist, and for negative increments", async () => {
    const { id } = await issue({ renewable: false });
    const refusals = [
      await admin.write('sys/leases/renew', { lease_id: id }),
      await admin.write('sys/leases/renew', { lease_id: 'unknown' }),
      await admin.write('sys/leases/renew', {}),
      await admin.write('sys/leases/renew', { lease_id: (await issue()).id, increment: -1 }),
    ];
    expect(refusals.map((answer) => [answer.status, errorsOf(answer)])).toEqual([
      [400, ['lease is not renewable']],
      [400, ['lease not found']],
      [400, ['lease_id must be specified']],
      [400, ['increment cannot be negative']],
    ]);
  });
});

describe('a lease is revoked', () => {
  test('on request', async () => {
    for (const path of ['sys/leases/revoke', 'sys/revoke']) {
      const { id, name } = await issue();
      expect((await admin.send('PUT', path, { lease_id: id })).status).toBe(204);
      expect([server.issued.has(name), await isKnown(id)]).toEqual([false, false]);
    }
    const { id, name } = await issue();
    expect((await admin.write(`sys/leases/revoke/${id}`)).status).toBe(204);
    expect(server.issued.has(name)).toBe(false);
    expect((await admin.write('sys/leases/revoke', { lease_id: 'unknown' })).status).toBe(204);
  });

  test("after its expiry, from which on it can't be looked up", async () => {
    const { id, name } = await issue({ ttl: 60 });
    server.clock.advance(60_000);
    expect(await isKnown(id)).toBe(false);
    await server.sweep();
    expect(server.issued.has(name)).toBe(false);
  });

  test('automatically after its expiry', async () => {
    const { name } = await issue({ ttl: 60 });
    server.clock.advance(60_000);
    await expect.poll(() => server.issued.has(name)).toBe(false);
  });

  test('with its token', async () => {
    const token = await tokenWith(admin, { policies: ['issue'] });
    const { id, name } = await issue({}, server.client(token));
    await admin.write('auth/token/revoke', { token });
    await server.sweep();
    expect([server.issued.has(name), await isKnown(id)]).toEqual([false, false]);
  });

  test('with the parent of its token', async () => {
    await admin.write('sys/policies/acl/maker', {
      policy: 'path "auth/token/create" { capabilities = ["update"] }',
    });
    const parent = await tokenWith(admin, { policies: ['issue', 'maker'] });
    const child = await tokenWith(server.client(parent), { policies: ['issue'] });
    const { name } = await issue({}, server.client(child));
    await admin.write('auth/token/revoke', { token: parent });
    await server.sweep();
    expect(server.issued.has(name)).toBe(false);
  });

  test('when its token expires', async () => {
    const token = await tokenWith(admin, { policies: ['issue'], ttl: 60 });
    const { name } = await issue({ ttl: 3600 }, server.client(token));
    server.clock.advance(60_000);
    await server.sweep();
    expect(server.issued.has(name)).toBe(false);
  });

  test('at once if its token had one use left', async () => {
    const token = await tokenWith(admin, { policies: ['issue'], num_uses: 1 });
    const before = server.issued.size;
    const answer = await server.client(token).write('ledger/creds/deploy');
    expect([answer.status, errorsOf(answer)]).toEqual([
      400,
      ['Secret cannot be returned; token had one use left, so leased credentials were immediately revoked.'],
    ]);
    expect(server.issued.size).toBe(before);
  });

  test('by prefix', async () => {
    const one = await issue({}, admin, 'prefix/a');
    const two = await issue({}, admin, 'prefix/b');
    const other = await issue({}, admin, 'other');
    expect((await admin.write('sys/leases/revoke-prefix/ledger/creds/prefix')).status).toBe(204);
    expect([one, two, other].map(({ name }) => server.issued.has(name))).toEqual([false, false, true]);
  });

  test('but not by an empty prefix', async () => {
    const { name } = await issue();
    const paths = ['revoke-prefix', 'revoke-force'].flatMap((path) => [path, `leases/${path}`]);
    for (const path of paths) {
      for (const end of ['', '/']) {
        const { status } = await admin.send('PUT', `sys/${path}${end}`);
        expect([path, end, status]).toEqual([path, end, 400]);
      }
    }
    expect(server.issued.has(name)).toBe(true);
  });

  test('at a later attempt if the first one fails', async () => {
    const { id, name } = await issue();
    server.broken = true;
    const answer = await admin.write('sys/leases/revoke', { lease_id: id, sync: true });
    expect([answer.status, errorsOf(answer)]).toEqual([
      400,
      ['failed to revoke 1 lease(s); the server keeps retrying'],
    ]);
    expect(await isKnown(id)).toBe(false);
    expect((await admin.write('sys/leases/renew', { lease_id: id })).status).toBe(400);
    server.broken = false;
    await server.sweep();
    expect(server.issued.has(name)).toBe(true);
    server.clock.advance(10_000);
    await server.sweep();
    expect(server.issued.has(name)).toBe(false);
  });

  test('after a restart', async () => {
    const { id, name } = await issue({ ttl: 60 });
    const { token } = admin;
    server.clock.advance(60_000);
    await server.restart();
    admin = server.client(token);
    await server.sweep();
    expect([server.issued.has(name), await isKnown(id)]).toEqual([false, false]);
  });

  test('or removed by force', async () => {
    const { id, name } = await issue({}, admin, 'forced');
    server.broken = true;
    expect((await admin.write('sys/leases/revoke-force/ledger/creds/forced')).status).toBe(204);
    server.broken = false;
    expect([server.issued.has(name), await isKnown(id)]).toEqual([true, false]);
    expect((await admin.list('sys/leases/lookup/ledger/creds/forced')).status).toBe(404);
  });
});

describe('listing', () => {
  test('returns the folders and leases of a prefix', async () => {
    const { id } = await issue({}, admin, 'listed');
    const keys = async (prefix: string) => (await admin.list(`sys/leases/lookup${prefix}`)).data['keys'];
    expect(await keys('')).toEqual(['ledger/']);
    expect(await keys('/ledger/')).toEqual(['creds/']);
    expect(await keys('/ledger/creds')).toContain('listed/');
    expect(await keys('/ledger/creds/listed')).toEqual([id.slice('ledger/creds/listed/'.length)]);
    expect((await admin.list('sys/leases/lookup/nothing')).status).toBe(404);
  });

  test('requires sudo, like revoking by prefix', async () => {
    const client = server.client(await tokenWith(admin, { policies: ['issue'] }));
    expect((await client.list('sys/leases/lookup')).status).toBe(403);
    await admin.write('sys/policies/acl/nosudo', {
      policy: 'path "sys/leases/*" { capabilities = ["update", "list"] }',
    });
    const nosudo = server.client(await tokenWith(admin, { policies: ['nosudo'] }));
    expect((await nosudo.list('sys/leases/lookup/ledger')).status).toBe(403);
    expect((await nosudo.write('sys/leases/revoke-prefix/ledger')).status).toBe(403);
    expect((await nosudo.write('sys/leases/revoke-force/ledger')).status).toBe(403);
  });
});
