/** Cloud roles' credentials and leases, with the embedded server and a test double of the provider. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { testPassword } from '@gatehouse/access-controller/testing/controller';
import { rootFields, rootKey, roleX, roleY, usersOf } from '@gatehouse/secrets-server/testing/cloud';
import { createLog } from '@gatehouse/service-kit/log';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import {
  endFaults,
  createRole,
  engineAt,
  generate as generateAs,
  invalid,
  revisionAt,
  roleAt,
  startCloud,
  type CloudConsole,
} from '#test/cloud.ts';
import { confirmAs } from '#test/console.ts';

const canary = 'CanarySecretKeyOfAnotherRootUser01234567';
const lines: string[] = [];

let live: CloudConsole;
let admin: Browser;
beforeAll(async () => {
  live = await startCloud({
    log: createLog({
      service: 'console',
      level: 'debug',
      destination: { write: (line) => void lines.push(line) },
    }),
  });
  await live.direct.write('cloud/config/lease', { lease: '90s', lease_max: '2h' });
  admin = await live.signedIn();
  await confirmAs(admin, testPassword);
});
afterAll(() => live[Symbol.asyncDispose]());
afterEach(() => {
  endFaults(live);
});

const create = (name: string, fields: object = {}): Promise<BrowserAnswer> => createRole(admin, name, fields);
const generate = (role: string, body: object = {}, page = admin): Promise<BrowserAnswer> =>
  generateAs(page, role, body);
const leasesOf = (name: string, page = admin): Promise<BrowserAnswer> =>
  page.send('GET', roleAt(name, '/leases'));
const idsOf = async (name: string): Promise<string[]> =>
  ((await leasesOf(name)).json['items'] as { id: string }[]).map(({ id }) => id);

describe('credentials', () => {
  test('of each type are issued once, with their expiry', async () => {
    const now = live.server.clock.now();
    await create('user');
    const user = (await generate('user')).json;
    expect(user).toMatchObject({
      security_token: null,
      renewable: true,
      lease_id: expect.stringMatching(/^cloud\/creds\/user\//),
      issued_time: new Date(now).toISOString(),
      expire_time: new Date(now + 90_000).toISOString(),
    });
    expect(Object.values(live.provider.dump()).flatMap(({ keys }) => keys)).toContain(user['access_key']);
    await create('roles', { credential_type: 'assumed_role', role_arns: [roleX, roleY] });
    expect((await generate('roles')).json).toMatchObject(invalid('role_arn'));
    expect((await generate('roles', { role_arn: `${roleX}z` })).json).toMatchObject(invalid('role_arn'));
    const query = { role_arn: roleX, role_session_name: 'me', ttl: '15m' };
    const role = await generate('roles', { ...query, from: 'sts' });
    expect(role.json).toMatchObject({
      arn: 'arn:aws:sts::123456789012:assumed-role/x/me',
      security_token: expect.any(String),
      renewable: false,
      expire_time: new Date(now + 900_000).toISOString(),
    });
    expect(role.headers['cache-control']).toBe('no-store');
    expect((await generate('none')).json).toMatchObject({ code: 'not-found' });
    const reader = await live.signedIn('read-only');
    expect((await generate('user', {}, reader)).json).toMatchObject({ code: 'forbidden' });
  });

  test("shows the provider's error code if the provider refuses", async () => {
    await create('unknown-policy', { policy_arns: ['arn:aws:iam::123456789012:policy/none'] });
    expect((await generate('unknown-policy')).json).toMatchObject({
      code: 'invalid-request',
      detail: expect.stringContaining('(NoSuchEntity)'),
    });
    live.provider.inject = () => ({ effect: 'before', answer: { status: 400, code: 'Throttling' } });
    expect((await generate('unknown-policy')).json).toMatchObject({ code: 'rate-limited' });
  });

  test('are never requested twice if the answer is lost', async () => {
    await create('lost');
    let asked = 0;
    live.proxy.onRequest = (bytes) => {
      if (!bytes.toString('latin1').startsWith('GET /v1/cloud/creds/lost')) return;
      asked++;
      live.proxy.cutNext = 20;
    };
    expect((await generate('lost')).json).toMatchObject({
      code: 'outcome-unknown',
      detail: expect.stringContaining('leases'),
    });
    expect(asked).toBe(1);
    expect(await idsOf('lost')).toHaveLength(1);
  });
});

describe('leases', () => {
  test('of both paths are listed by expiry, renewed and revoked', async () => {
    await create('leased');
    await create('leased2');
    await generate('leased2');
    await generate('leased', { from: 'sts' });
    live.server.clock.advance(1000);
    await generate('leased');
    const list = (await leasesOf('leased')).json;
    const [first, second] = list['items'] as { id: string; expire_time: string }[];
    expect(list).toMatchObject({
      items: [{ id: expect.stringContaining('/sts/'), renewable: true }, { id: expect.any(String) }],
      total: 2,
    });
    const renew = (lease_id: unknown, increment?: string) =>
      admin.send('POST', roleAt('leased', '/leases/renew'), { body: { lease_id, increment } });
    const renewed = (await renew(first?.id, '1h')).json;
    expect(Date.parse(String(renewed['expire_time']))).toBeGreaterThan(Date.parse(second?.expire_time ?? ''));
    const [foreign] = await idsOf('leased2');
    expect((await renew(foreign)).json).toMatchObject(invalid('lease_id'));
    const [fixed] = await idsOf('roles');
    const fixedAt = roleAt('roles', '/leases/renew');
    expect((await admin.send('POST', fixedAt, { body: { lease_id: fixed } })).json).toMatchObject(
      invalid('lease_id'),
    );
    const revoke = (...lease_ids: unknown[]) =>
      admin.send('POST', roleAt('leased', '/leases/revoke'), { body: { lease_ids } });
    expect((await revoke(first?.id, foreign)).json).toMatchObject(invalid('lease_ids'));
    expect((await revoke(`${first?.id}/x`)).json).toMatchObject(invalid('lease_ids'));
    expect((await revoke(first?.id)).json).toEqual({ revoked: [first?.id], failed: [] });
    expect((await renew(first?.id)).json).toMatchObject({ code: 'not-found' });
    live.provider.inject = () => ({ effect: 'before', answer: { status: 503, code: 'ServiceUnavailable' } });
    expect((await revoke(second?.id)).json).toMatchObject({
      revoked: [],
      failed: [{ id: second?.id, message: expect.stringContaining('keeps retrying') }],
    });
    live.provider.inject = undefined;
    live.server.clock.advance(60_000);
    await expect.poll(() => idsOf('leased')).toEqual([]);
    expect(await idsOf('leased2')).toEqual([foreign]);
  });

  test("can all be revoked, with sudo or one by one, without other roles' leases", async () => {
    for (const name of ['all', 'all2']) await create(name);
    const issued = async () => {
      for (const body of [{}, { from: 'sts' }, {}]) await generate('all', body);
      return generate('all2');
    };
    await issued();
    const revokeAll = (page: Browser) => page.send('POST', roleAt('all', '/leases/revoke-all'));
    expect((await revokeAll(admin)).status).toBe(204);
    expect((await leasesOf('all')).json).toEqual({ items: [], total: 0 });
    expect(await idsOf('all2')).toHaveLength(1);
    await issued();
    const single = await live.withPolicy(
      'single',
      `path "sys/leases/lookup/*" { capabilities = ["list", "sudo"] }
       path "sys/leases/revoke" { capabilities = ["update"] }
       path "cloud/creds/all" { capabilities = ["read"] }`,
    );
    expect((await revokeAll(single)).status).toBe(204);
    expect((await leasesOf('all')).json).toEqual({ items: [], total: 0 });
    expect(usersOf(live.provider).filter((name) => name.includes('-all-'))).toEqual([]);
    expect(await idsOf('all2')).toHaveLength(2);
    const none = await live.withPolicy('creds', 'path "cloud/creds/all" { capabilities = ["read"] }');
    expect((await leasesOf('all', none)).json).toEqual({ items: null, total: 0 });
    expect((await revokeAll(none)).json).toMatchObject({ code: 'forbidden' });
  });
});

test("stores no secret in the trail, the logs or the console's files", async () => {
  const issued = (await generate('user')).json;
  await generate('roles', { role_arn: roleX });
  const rotated = await admin.send('PUT', engineAt('/root'), {
    revision: await revisionAt(admin, engineAt('/root')),
    body: { ...rootFields(live.provider.url), secret_key: canary, max_retries: 0 },
  });
  expect(rotated.status).toBe(200);
  const activity = await admin.send('GET', '/api/environments/test/activity?page_size=500');
  expect(activity.text).toContain('cloud-credential.generate');
  const { dataDir } = live.console;
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const kept = [
    activity.text,
    ...lines,
    ...files.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1')),
  ];
  expect(kept.length).toBeGreaterThan(lines.length + 1);
  for (const secret of [canary, String(issued['secret_key']), rootKey.secret]) {
    expect(kept.filter((text) => text.includes(secret))).toEqual([]);
  }
});
