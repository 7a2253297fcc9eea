/** Cloud engines from root credentials to leases, over the embedded server and a double of the provider. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { testPassword } from '@gatehouse/access-controller/testing/controller';
import {
  readOnly,
  rootFields,
  rootKey,
  roleX,
  roleY,
  usersOf,
} from '@gatehouse/secrets-server/testing/cloud';
import { createLog } from '@gatehouse/service-kit/log';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import { engineAt, roleAt, startCloud, type CloudConsole } from '#test/cloud.ts';
import { secretsApi } from '#test/secrets.ts';

const canary = 'CanarySecretKeyOfAnotherRootUser01234567';
const document = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}';
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
  admin = await live.signedIn();
  await confirm(admin);
});
afterAll(() => live[Symbol.asyncDispose]());
afterEach(() => {
  live.provider.inject = undefined;
  live.proxy.fault = { kind: 'none' };
  delete live.proxy.onRequest;
});

const confirm = (by: Browser) => by.send('POST', '/api/session/confirm', { body: { secret: testPassword } });
const userFields = {
  credential_type: 'iam_user',
  role_arns: [],
  policy_arns: [readOnly],
  policy_document: '',
  iam_groups: [],
  iam_tags: {},
  default_sts_ttl: '',
  max_sts_ttl: '',
  user_path: '',
  permissions_boundary_arn: '',
};
const create = (name: string, fields: object = {}, page = admin): Promise<BrowserAnswer> =>
  page.send('POST', engineAt('/roles'), { body: { name, ...userFields, ...fields } });
const revisionOf = async (path: string): Promise<string> =>
  String((await admin.send('GET', path)).json['revision']);
const update = async (name: string, body: object, revision?: string): Promise<BrowserAnswer> =>
  admin.send('PATCH', roleAt(name), { revision: revision ?? (await revisionOf(roleAt(name))), body });
const stored = async (name: string): Promise<unknown> => (await live.direct.read(`cloud/roles/${name}`)).data;
const generate = (name: string, body: object = {}, page = admin): Promise<BrowserAnswer> =>
  page.send('POST', roleAt(name, '/credentials'), { body: { from: 'creds', ...body } });
const leasesOf = (name: string, page = admin): Promise<BrowserAnswer> =>
  page.send('GET', roleAt(name, '/leases'));
const idsOf = async (name: string): Promise<string[]> =>
  ((await leasesOf(name)).json['items'] as { id: string }[]).map(({ id }) => id);
const invalid = (field: string) => ({ code: 'invalid-request', fields: [{ path: field }] });

describe('engines', () => {
  test('are listed with what the caller may do, and mounted once', async () => {
    const list = await admin.send('GET', `${secretsApi}/cloud`);
    const may = { list_roles: true, create_roles: true, read_root: true, rotate_root: true };
    expect(list.json).toMatchObject({
      items: [{ mount: 'cloud', plugin: 'cloud', configured: true, may }],
      available: ['cloud'],
      may_mount: true,
    });
    const mount = (body: object, page = admin) =>
      page.send('POST', `${secretsApi}/cloud`, {
        body: { mount: 'team/cloud', plugin: 'cloud', description: 'second', ...body },
      });
    expect((await mount({})).json).toMatchObject({
      mount: 'team/cloud',
      description: 'second',
      configured: false,
    });
    expect((await mount({})).json).toMatchObject({
      code: 'conflict',
      conflict: { reason: 'created', current: { mount: 'team/cloud' } },
    });
    expect((await mount({ mount: 'secret' })).json).toMatchObject(invalid('mount'));
    expect((await mount({ mount: 'x', plugin: 'kv' })).json).toMatchObject(invalid('plugin'));
    expect((await mount({ mount: 'x', plugin: 'aws' })).json).toMatchObject(invalid('plugin'));
    const reader = await live.signedIn('read-only');
    expect((await mount({ mount: 'x' }, reader)).json).toMatchObject({ code: 'forbidden' });
    expect((await reader.send('GET', `${secretsApi}/cloud`)).json).toMatchObject({ may_mount: false });
  });

  test('of another kind are asked for nothing, and keep what they have', async () => {
    const sent: string[] = [];
    live.proxy.onRequest = (bytes) => sent.push(bytes.toString('latin1'));
    for (const [method, path, request] of [
      ['GET', engineAt('/root', 'secret'), {}],
      ['POST', roleAt('x', '/credentials', 'secret'), { body: { from: 'creds' } }],
      ['POST', engineAt('/roles', 'secret'), { body: { name: 'x', ...userFields } }],
      ['PUT', engineAt('/lease', 'secret'), { revision: 'none', body: { lease: '1m', lease_max: '1h' } }],
    ] as const) {
      const answer = await admin.send(method, path, request);
      expect(answer.json, path).toMatchObject({ code: 'invalid-request' });
    }
    expect(sent.filter((text) => text.includes(' /v1/secret/'))).toEqual([]);
    expect((await admin.send('GET', engineAt('/root', 'none'))).json).toMatchObject({ code: 'not-found' });
  });
});

describe('root credentials', () => {
  const at = engineAt('/root', 'team/root');
  const fields = {
    access_key: 'AKIAFIRST',
    secret_key: canary,
    region: 'eu-central-1',
    iam_endpoint: '',
    sts_endpoint: 'https://sts.example',
    max_retries: 3,
  };
  const save = (body: object, revision: string) => admin.send('PUT', at, { revision, body });

  test('are saved over what was seen alone, and say who saved them', async () => {
    await live.direct.write('sys/mounts/team/root', { type: 'cloud' });
    const before = await admin.send('GET', at);
    expect(before.json).toMatchObject({ configured: false, revision: 'none', changed: null });
    expect((await save({ ...fields, secret_key: '' }, 'none')).json).toMatchObject(invalid('secret_key'));
    const saved = await save(fields, 'none');
    const { secret_key: _secret, ...shown } = fields;
    expect(saved.json).toMatchObject({ ...shown, configured: true, changed: { by: 'admin' } });
    expect(saved.text).not.toContain(canary);
    // Whether the secret key is the same can't be known; and an empty field is not "as it is".
    for (const other of [{ secret_key: `${canary}2` }, { access_key: 'AKIASECOND' }, { region: '' }]) {
      expect((await save({ ...fields, ...other }, 'none')).json).toMatchObject({
        code: 'conflict',
        conflict: { reason: 'modified', current: { access_key: 'AKIAFIRST' }, changedBy: 'admin' },
      });
    }
    const next = { ...fields, access_key: 'AKIATHIRD', region: '' };
    live.proxy.onRequest = (bytes) => {
      if (bytes.toString('latin1').startsWith('POST /v1/team/root/config/root ')) live.proxy.cutNext = 20;
    };
    // The lost answer of one's own write is no conflict.
    expect((await save(next, String(saved.json['revision']))).json).toMatchObject({
      access_key: 'AKIATHIRD',
      region: '',
    });
    delete live.proxy.onRequest;
    const seen = await admin.send('GET', at);
    expect(seen.json).toMatchObject({ changed: { by: 'admin' } });
    expect((await admin.send('PUT', at, { body: fields })).status).toBe(428);
    const none = { ...fields, access_key: '', secret_key: '' };
    expect((await save(none, String(seen.json['revision']))).json).toMatchObject({ access_key: '' });
    expect((await live.direct.read('team/root/config/root')).data).toMatchObject({
      access_key: '',
      region: 'eu-central-1',
      max_retries: 3,
    });
  });

  test('a first key is no harm in production, another one in its place is', async () => {
    await using production = await startCloud({ kind: 'production' });
    const page = await production.signedIn();
    await production.direct.write('sys/mounts/fresh', { type: 'cloud' });
    const put = async (mount: string) => {
      const path = engineAt('/root', mount);
      const { json } = await page.send('GET', path);
      return page.send('PUT', path, { revision: String(json['revision']), body: fields });
    };
    expect((await put('fresh')).status).toBe(200);
    expect((await put('fresh')).json).toMatchObject({ code: 'confirmation-required' });
    expect((await put('cloud')).json).toMatchObject({ code: 'confirmation-required' });
    // What may not be read may be a key as well.
    const writer = await production.withPolicy(
      'writer',
      'path "fresh/config/root" { capabilities = ["update"] }',
    );
    const blind = await writer.send('PUT', engineAt('/root', 'fresh'), { revision: 'none', body: fields });
    expect(blind.json).toMatchObject({ code: 'confirmation-required' });
  });

  test('are rotated, with what was before and what was left behind', async () => {
    const rotate = () => admin.send('POST', engineAt('/root/rotate'));
    live.provider.inject = ({ action }) =>
      action === 'DeleteAccessKey'
        ? { effect: 'before', answer: { status: 409, code: 'EntityTemporarilyUnmodifiable' } }
        : undefined;
    const first = await rotate();
    expect(first.json).toMatchObject({
      previous_access_key: rootKey.id,
      warnings: [expect.stringContaining(rootKey.id)],
    });
    expect((await rotate()).json).toMatchObject({
      code: 'invalid-request',
      detail: expect.stringContaining('other access keys'),
    });
    live.provider.inject = undefined;
    live.server.clock.advance(60_000);
    await expect.poll(() => live.provider.dump()['root']?.keys).toEqual([first.json['access_key']]);
    live.provider.inject = () => ({ effect: 'before', answer: { status: 403, code: 'AccessDenied' } });
    expect((await rotate()).json).toMatchObject({
      code: 'invalid-request',
      detail: 'The cloud provider refused it (AccessDenied): the root credentials may not do this.',
    });
    live.provider.inject = () => ({ effect: 'before' });
    expect((await rotate()).json).toMatchObject({ code: 'service-unavailable' });
    live.provider.inject = undefined;
    const { access_key } = (await admin.send('GET', engineAt('/root'))).json;
    // The answer is lost on its way; what is stored tells the new key.
    live.proxy.onRequest = (bytes) => {
      if (bytes.toString('latin1').includes('/config/rotate-root ')) live.proxy.cutNext = 20;
    };
    const second = await rotate();
    delete live.proxy.onRequest;
    expect(second.json).toMatchObject({ previous_access_key: access_key });
    expect(live.provider.dump()['root']?.keys).toEqual([second.json['access_key']]);
    await live.direct.write('sys/mounts/bare', { type: 'cloud' });
    const bare = () => admin.send('POST', engineAt('/root/rotate', 'bare'));
    expect((await bare()).json).toMatchObject({ detail: expect.stringContaining('configured yet') });
    await live.direct.write('bare/config/root', {});
    expect((await bare()).json).toMatchObject({ detail: expect.stringContaining('environment') });
  });
});

test('lease times are compared however they are written', async () => {
  const at = engineAt('/lease');
  expect((await admin.send('GET', at)).json).toMatchObject({ configured: false, revision: 'none' });
  const save = (lease: string, lease_max: string, revision: string) =>
    admin.send('PUT', at, { revision, body: { lease, lease_max } });
  const saved = await save('90s', '2h', 'none');
  expect(saved.json).toMatchObject({ configured: true, lease: '1m30s', lease_max: '2h0m0s' });
  expect((await save('1m30s', '120m', 'none')).status).toBe(200);
  expect((await save('1m', '2h', 'none')).json).toMatchObject({ code: 'conflict' });
  expect((await save('3h', '2h', String(saved.json['revision']))).json).toMatchObject(invalid('lease_max'));
});

describe('roles', () => {
  test('are created from what their type has, and nothing else', async () => {
    const sent: string[] = [];
    live.proxy.onRequest = (bytes) => sent.push(bytes.toString('latin1'));
    const made = await create('made', {
      policy_document: JSON.stringify(JSON.parse(document), null, 4),
      iam_tags: { owner: 'a,b', 'x=y': 'z' },
      default_sts_ttl: '1h',
      role_arns: [roleX],
    });
    expect(made.json).toMatchObject({
      name: 'made',
      policy_document: JSON.stringify(JSON.parse(document), null, 2),
      iam_tags: { owner: 'a,b', 'x=y': 'z' },
      default_sts_ttl: 0,
      role_arns: [],
      legacy: false,
      may: { read: true, generate: true, list_leases: true, revoke_leases: true },
    });
    const body = sent.find((text) => text.startsWith('POST /v1/cloud/roles/made'));
    expect(JSON.parse(body?.split('\r\n\r\n')[1] ?? '')).toEqual({
      credential_type: 'iam_user',
      policy_arns: [readOnly],
      policy_document: document,
      iam_groups: [],
      iam_tags: { owner: 'a,b', 'x=y': 'z' },
      user_path: '',
      permissions_boundary_arn: '',
    });
    expect((await create('made')).json).toMatchObject({
      code: 'conflict',
      conflict: { reason: 'created', current: { name: 'made' }, changedBy: 'admin' },
    });
    expect((await create('sts', { credential_type: 'assumed_role' })).json).toMatchObject(
      invalid('role_arns'),
    );
  });

  test('decide rights: who writes one is asked for the password', async () => {
    const asked = { code: 'confirmation-required', status: 403 };
    const fresh = await live.signedIn();
    expect((await create('guarded', {}, fresh)).json).toMatchObject(asked);
    await create('guarded');
    const revision = await revisionOf(roleAt('guarded'));
    const change = () => fresh.send('PATCH', roleAt('guarded'), { revision, body: { iam_groups: ['g1'] } });
    expect((await change()).json).toMatchObject(asked);
    await confirm(fresh);
    expect((await change()).json).toMatchObject({ iam_groups: ['g1'] });
  });

  test('of another type lose what it does not have', async () => {
    await create('turned', {
      credential_type: 'federation_token',
      default_sts_ttl: '15m',
      max_sts_ttl: '1h',
    });
    expect((await update('turned', { credential_type: 'iam_user', user_path: '/p/' })).status).toBe(200);
    expect(await stored('turned')).toMatchObject({ default_sts_ttl: 0, max_sts_ttl: 0, user_path: '/p/' });
    const assumed = { credential_type: 'assumed_role', role_arns: [roleX], max_sts_ttl: '90m' };
    expect((await update('turned', assumed)).json).toMatchObject({ max_sts_ttl: 5400, user_path: '' });
    expect((await update('turned', { credential_type: 'federation_token' })).json).toMatchObject({
      role_arns: [],
      policy_arns: [readOnly],
      max_sts_ttl: 5400,
    });
    expect((await update('turned', { policy_arns: [] })).json).toMatchObject(invalid('policy_arns'));
    expect((await update('turned', {})).json).toMatchObject({ code: 'invalid-request' });
  });

  test('are changed over what was seen alone', async () => {
    await create('shared');
    const seen = await revisionOf(roleAt('shared'));
    expect((await update('shared', { iam_groups: ['g1'] }, seen)).json).toMatchObject({ iam_groups: ['g1'] });
    expect((await update('shared', { iam_groups: ['g1'] }, seen)).status).toBe(200);
    expect((await update('shared', { iam_groups: ['g2'] }, seen)).json).toMatchObject({
      code: 'conflict',
      conflict: { reason: 'modified', current: { iam_groups: ['g1'] }, changedBy: 'admin' },
    });
    const remove = (revision: string) => admin.send('DELETE', roleAt('shared'), { revision });
    expect((await remove(seen)).json).toMatchObject({ code: 'conflict' });
    const now = await revisionOf(roleAt('shared'));
    expect((await remove(now)).status).toBe(204);
    expect((await remove(now)).json).toMatchObject({ code: 'not-found' });
    expect((await update('shared', { iam_groups: [] }, now)).json).toMatchObject({
      conflict: { reason: 'deleted' },
    });
    expect((await admin.send('GET', roleAt('shared'))).json).toMatchObject({ code: 'not-found' });
  });

  test('keep a policy document that can’t be printed as it is, whatever else is changed', async () => {
    const raw = '{"Version": "2012-10-17", "Statement": [], "Statement": [{"n": 12345678901234567890}]}';
    await live.direct.write('cloud/roles/raw', { credential_type: 'iam_user', policy_arns: [readOnly] });
    const deep = `{"a":${'['.repeat(40_000)}${']'.repeat(40_000)}}`;
    expect((await create('deep', { policy_document: deep })).json).toMatchObject(invalid('policy_document'));
    const sent: string[] = [];
    live.proxy.onRequest = (bytes) => sent.push(bytes.toString('latin1'));
    const bodies = () =>
      sent
        .filter((text) => text.startsWith('POST /v1/cloud/roles/raw '))
        .map((text) => JSON.parse(text.split('\r\n\r\n')[1] ?? '') as Record<string, unknown>);
    await update('raw', { policy_document: raw });
    expect(bodies()).toMatchObject([{ policy_document: raw.replaceAll(': ', ':').replaceAll(', ', ',') }]);
    await update('raw', { policy_document: document });
    expect((await update('raw', { iam_groups: ['g1'] })).json).toMatchObject({
      policy_document: JSON.stringify(JSON.parse(document), null, 2),
    });
    expect(bodies().at(-1)).not.toHaveProperty('policy_document');
    expect(await stored('raw')).toMatchObject({ policy_document: document, iam_groups: ['g1'] });
  });

  test('take one of two changes that saw the same', async () => {
    const codes = async (...answers: Promise<BrowserAnswer>[]): Promise<string[]> =>
      (await Promise.all(answers))
        .map(({ status, json }) => (status < 300 ? 'done' : String(json['code'])))
        .toSorted();
    const twice = (fields: object): Promise<BrowserAnswer> => create('twice', fields);
    expect(await codes(twice({ iam_groups: ['g1'] }), twice({ user_path: '/p/' }))).toEqual([
      'conflict',
      'done',
    ]);
    const seen = await revisionOf(roleAt('twice'));
    expect(
      await codes(
        ...['g2', 'g3', 'g4'].map((group) => update('twice', { iam_groups: [group] }, seen)),
        admin.send('DELETE', roleAt('twice'), { revision: seen }),
      ),
    ).toEqual(['conflict', 'conflict', 'conflict', 'done']);
    await live.direct.write('sys/mounts/raced', { type: 'cloud' });
    const save = (region: string): Promise<BrowserAnswer> =>
      admin.send('PUT', engineAt('/root', 'raced'), {
        revision: 'none',
        body: { ...rootFields(live.provider.url), max_retries: 0, region },
      });
    expect(await codes(save('eu-west-1'), save('eu-west-2'))).toEqual(['conflict', 'done']);
  });

  test('of an earlier server are read-only until their type is chosen', async () => {
    await live.direct.write('cloud/roles/old', { policy: document });
    expect((await admin.send('GET', roleAt('old'))).json).toMatchObject({
      legacy: true,
      credential_type: 'iam_user,federation_token',
    });
    expect((await update('old', { iam_groups: ['g1'] })).json).toMatchObject(invalid('credential_type'));
    expect((await update('old', { credential_type: 'iam_user' })).json).toMatchObject({
      legacy: false,
      credential_type: 'iam_user',
    });
  });

  test('are listed in pages, with their names alone where they may not be read', async () => {
    for (const name of ['page-c', 'Page-a', 'page-b']) await create(name);
    const list = async (query: string, page = admin) =>
      (await page.send('GET', engineAt(`/roles?${query}`))).json;
    expect(await list('q=PAGE&limit=2')).toMatchObject({
      items: [
        { name: 'Page-a', credential_type: 'iam_user', has_policy_document: false },
        { name: 'page-b' },
      ],
      total: 3,
    });
    expect(await list('q=page&limit=2&offset=2')).toMatchObject({ items: [{ name: 'page-c' }], total: 3 });
    const lister = await live.withPolicy('lister', 'path "cloud/roles" { capabilities = ["list"] }');
    expect(await list('q=page-c', lister)).toMatchObject({
      items: [{ name: 'page-c', credential_type: null, role_arns: null, default_sts_ttl: null }],
    });
    const reader = await live.signedIn('read-only');
    await confirm(reader);
    expect((await create('page-d', {}, reader)).json).toMatchObject({ code: 'forbidden' });
    expect(
      await list('', await live.withPolicy('other', 'path "x" { capabilities = ["read"] }')),
    ).toMatchObject({ code: 'forbidden' });
  });
});

describe('credentials', () => {
  test('of each type are issued once, with when they end', async () => {
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

  test('a refusal of the provider is named by its code', async () => {
    await create('unknown-policy', { policy_arns: ['arn:aws:iam::123456789012:policy/none'] });
    expect((await generate('unknown-policy')).json).toMatchObject({
      code: 'invalid-request',
      detail: expect.stringContaining('(NoSuchEntity)'),
    });
    live.provider.inject = () => ({ effect: 'before', answer: { status: 400, code: 'Throttling' } });
    expect((await generate('unknown-policy')).json).toMatchObject({ code: 'rate-limited' });
  });

  test('are never asked for twice when the answer is lost', async () => {
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
  test('of both addresses are listed by their ends, renewed and revoked', async () => {
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
      failed: [{ id: second?.id, message: expect.stringContaining('keeps trying') }],
    });
    live.provider.inject = undefined;
    live.server.clock.advance(60_000);
    await expect.poll(() => idsOf('leased')).toEqual([]);
    expect(await idsOf('leased2')).toEqual([foreign]);
  });

  test('are all revoked, with sudo or one by one, and those of no other role', async () => {
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

test('no secret is in the trail, the logs or the files of the console', async () => {
  const issued = (await generate('user')).json;
  await generate('roles', { role_arn: roleX });
  const rotated = await admin.send('PUT', engineAt('/root'), {
    revision: await revisionOf(engineAt('/root')),
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
