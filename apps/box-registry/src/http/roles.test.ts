import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Client } from '@gatehouse/service-kit/testing/client';
import { withdrawAccounts } from '@gatehouse/service-kit/testing/test-accounts';
import { expect, test } from 'vitest';
import { startServer, testPassword } from '../testing/server.ts';

const version = '/version/1.0';

/** Both versions of the API. */
const apis = [
  { api: '/api/v1', architecture: '' },
  { api: '/api/v2', architecture: '/unknown' },
] as const;

/** Requests about a box, and their statuses for publishers, for readers, and for users who see only public boxes. */
const requestsOf = (
  architecture: string,
  provider = `${version}/provider/libvirt${architecture}`,
): readonly (readonly [
  method: string,
  path: string,
  body: unknown,
  publisher: number,
  reader: number,
  stranger: number,
])[] => [
  ['GET', '', undefined, 200, 200, 200],
  ['PUT', '', { description: 'x' }, 200, 403, 403],
  ['POST', '/versions', { version: '2.0' }, 200, 403, 403],
  ['GET', version, undefined, 200, 200, 404],
  ['PUT', version, { description: 'x' }, 200, 403, 403],
  ['POST', `${version}/providers`, { name: 'qemu' }, 200, 403, 403],
  ['GET', provider, undefined, 200, 200, 404],
  ['PUT', provider, { url: 'https://example.com/b' }, 200, 403, 403],
  ['GET', `${provider}/upload`, undefined, 200, 403, 403],
  ['GET', `${provider}/upload/direct`, undefined, 200, 403, 403],
  ['DELETE', `${version}/provider/qemu${architecture}`, undefined, 200, 403, 403],
  ['PUT', `${version}/release`, undefined, 200, 403, 403],
  ['PUT', `${version}/revoke`, undefined, 200, 403, 403],
  ['DELETE', version, undefined, 200, 403, 403],
  ['DELETE', '', undefined, 200, 403, 403],
];

const cases = apis.flatMap((one) => [false, true].map((isPrivate) => ({ ...one, isPrivate })));

test.each(cases)(
  'applies the roles in an organization to its box ($api, private: $isPrivate)',
  async ({ api, architecture, isPrivate }) => {
    await using server = await startServer();
    const admin = await server.as('administrator');
    for (const loginName of ['owner', 'publisher', 'reader', 'capped'])
      await server.accounts.create({
        loginName,
        password: testPassword,
        roles: { boxes: loginName === 'capped' ? 'read-only' : 'operator' },
      });
    await admin.post('/api/v1/organizations', { organization: { username: 'acme' } });
    for (const [username, role] of [
      ['owner', 'owner'],
      ['publisher', 'publisher'],
      ['reader', 'reader'],
      // A member's role in an organization never exceeds the role in the registry.
      ['capped', 'owner'],
    ])
      expect((await admin.post('/api/v1/organizations/acme/members', { username, role })).status).toBe(200);

    const people: readonly (readonly [Client, 'publisher' | 'reader' | 'stranger'])[] = [
      [admin, 'publisher'],
      [await server.signIn('owner'), 'publisher'],
      [await server.signIn('publisher'), 'publisher'],
      [await server.signIn('reader'), 'reader'],
      [await server.signIn('capped'), 'reader'],
      [await server.as('operator'), 'stranger'],
      [await server.as('read-only'), 'stranger'],
    ];
    for (const [client, kind] of people) {
      await admin.post(`${api}/boxes`, { box: { username: 'acme', name: 'box', is_private: isPrivate } });
      await admin.post(`${api}/box/acme/box/versions`, { version: '1.0' });
      await admin.post(`${api}/box/acme/box${version}/providers`, {
        name: 'libvirt',
        url: 'https://example.com/a',
      });
      for (const [method, path, body, publisher, reader, stranger] of requestsOf(architecture)) {
        const expected = { publisher, reader, stranger: isPrivate ? 404 : stranger }[kind];
        const answer = await client.send(method, `${api}/box/acme/box${path}`, body);
        expect([method, path, kind, answer.status]).toEqual([method, path, kind, expected]);
        if (method !== 'GET') {
          const anonymous = await server.anonymous.send(method, `${api}/box/acme/box${path}`, body);
          expect(anonymous.status).toBe(401);
        }
      }
    }
    const statuses = await Promise.all(
      people.map(
        async ([client]) => (await client.post(`${api}/boxes`, { username: 'acme', name: 'new' })).status,
      ),
    );
    expect(statuses).toEqual([200, 422, 422, 403, 403, 403, 403]);
  },
);

test('lets users publish in their own namespace, unless they are read-only', async () => {
  await using server = await startServer();
  const operator = await server.as('operator');
  const reader = await server.as('read-only');
  expect((await operator.post('/api/v1/boxes', { name: 'mine' })).body['tag']).toBe('operator/mine');
  expect((await reader.post('/api/v1/boxes', { name: 'mine' })).status).toBe(403);
  expect((await operator.post('/api/v1/boxes', { name: 'mine', username: 'admin' })).status).toBe(403);
  // The right is checked before the body.
  for (const name of [undefined, 1, 'a b'])
    expect((await operator.post('/api/v1/boxes', { name, username: 'admin' })).status).toBe(403);
  for (const body of [[], {}, { name: 1 }])
    expect((await reader.post('/api/v1/boxes', body)).status).toBe(403);
  expect((await reader.get('/api/v1/box/operator/mine')).status).toBe(404);
  expect((await server.anonymous.get('/api/v1/box/operator/mine')).status).toBe(404);
  expect((await server.anonymous.get('/operator/mine')).status).toBe(404);
  expect((await operator.get('/api/v1/namespaces')).body).toEqual({
    namespaces: [{ username: 'operator', kind: 'person', actions: ['read', 'publish'] }],
  });
  expect((await reader.get('/api/v1/namespaces')).body).toEqual({ namespaces: [] });
  expect((await reader.get('/api/v1/namespaces/operator')).body).toEqual({
    username: 'operator',
    kind: 'person',
    actions: [],
  });
});

test('manages organizations and their members', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const operator = await server.as('operator');
  const organizations = '/api/v1/organizations';
  const acme = `${organizations}/acme`;
  expect((await operator.post(organizations, { username: 'acme' })).status).toBe(403);
  expect((await operator.put('/api/v1/settings', { organization_creators: 'operators' })).status).toBe(403);
  expect((await admin.put('/api/v1/settings', { organization_creators: 'anybody' })).status).toBe(422);
  const settings = await admin.put('/api/v1/settings', { settings: { organization_creators: 'operators' } });
  expect(settings.body).toEqual({ organization_creators: 'operators', may_change: true });
  expect((await operator.get('/api/v1/settings')).body).toEqual({
    organization_creators: 'operators',
    may_change: false,
  });
  const created = await operator.post(organizations, { username: 'acme', profile_markdown: '**A**' });
  expect([created.status, created.body]).toEqual([
    200,
    {
      username: 'acme',
      profile_html: '<p><strong>A</strong></p>\n',
      profile_markdown: '**A**',
      created_at: '2026-01-01T00:00:00.000Z',
      actions: ['read', 'publish', 'manage'],
      members: [
        { username: 'operator', full_name: '', role: 'owner', created_at: '2026-01-01T00:00:00.000Z' },
      ],
    },
  ]);
  for (const username of ['ACME', 'admin', 'api', '..', 'a/b', ''])
    expect((await admin.post(organizations, { username })).status).toBe(422);
  expect((await operator.get(organizations)).body).toEqual({
    may_create: true,
    organizations: [{ username: 'acme', actions: ['read', 'publish', 'manage'] }],
  });
  const reader = await server.as('read-only');
  expect((await reader.get(acme)).body).toMatchObject({ actions: [], members: null });
  expect((await server.anonymous.get('/api/v1/user/acme')).body).toMatchObject({ profile_markdown: '**A**' });

  const members = `${acme}/members`;
  expect((await operator.post(members, { username: 'nobody', role: 'reader' })).status).toBe(422);
  expect((await operator.post(members, { username: 'admin', role: 'king' })).status).toBe(422);
  expect((await operator.post(members, { member: { username: 'read-only', role: 'reader' } })).status).toBe(
    200,
  );
  expect((await operator.post(members, { username: 'read-only', role: 'reader' })).status).toBe(422);
  expect((await operator.put(`${members}/operator`, { role: 'reader' })).body['errors']).toEqual([
    'This is the last owner of the organization: add another owner first',
  ]);
  expect((await reader.delete(`${members}/operator`)).status).toBe(403);
  expect((await operator.delete(`${members}/operator`)).status).toBe(422);
  expect((await operator.put(`${members}/read-only`, { role: 'owner' })).status).toBe(200);
  expect((await operator.delete(`${members}/operator`)).body).toMatchObject({ actions: [], members: null });
  expect((await admin.put(acme, { profile_markdown: '' })).body).toMatchObject({ profile_html: '' });
  expect((await admin.put(acme, { username: 'other' })).status).toBe(422);

  await admin.post('/api/v1/boxes', { username: 'acme', name: 'box' });
  expect((await admin.delete(acme)).body['errors']).toEqual([
    'Organization still has boxes: delete them first',
  ]);
  await admin.delete('/api/v1/box/acme/box');
  expect((await admin.delete(acme)).status).toBe(200);
  expect((await admin.get(acme)).status).toBe(404);
});

test('boxes follow a renamed user, and stay when the user is deleted', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const operator = await server.as('operator');
  await operator.post('/api/v1/boxes', { name: 'mine' });
  const { id, version } = server.accounts.getByLoginName('operator') ?? { id: '', version: 0 };
  await server.accounts.update(id, version, { loginName: 'olga' });
  await expect.poll(async () => (await operator.get('/api/v1/box/olga/mine')).status).toBe(200);
  expect((await operator.get('/api/v1/box/operator/mine')).status).toBe(404);

  await server.accounts.remove(id);
  await expect
    .poll(async () => (await admin.get('/api/v1/organizations/olga')).body)
    .toMatchObject({ members: [] });
  // A new user doesn't inherit boxes by login name.
  await server.accounts.create({ loginName: 'olga', password: testPassword, roles: { boxes: 'operator' } });
  const other = await server.signIn('olga');
  expect((await other.get('/api/v1/box/olga/mine')).status).toBe(404);
  expect((await other.post('/api/v1/boxes', { name: 'mine' })).status).toBe(403);
  expect((await admin.get('/api/v1/box/olga/mine')).status).toBe(200);
});

test('takes nothing from users whose accounts are missing at a start, and return later', async () => {
  await using server = await startServer();
  const operator = await server.as('operator');
  await operator.post('/api/v1/boxes', { name: 'mine' });
  const admin = await server.as('administrator');
  await admin.post('/api/v1/organizations', { organization: { username: 'crew' } });
  await admin.post('/api/v1/organizations/crew/members', { username: 'operator', role: 'owner' });
  await operator.post('/api/v1/two-factor', { user: { password: testPassword } });
  const { id } = server.accounts.getByLoginName('operator') ?? expect.fail();
  using db = new DatabaseSync(join(server.dataDir, 'box-registry.db'));
  const owned = () =>
    ['namespace', 'member', 'two_factor', 'token'].map((table) =>
      db.prepare(`SELECT * FROM ${table} WHERE account_id = ?`).all(id),
    );
  const before = owned();
  expect(before.map((rows) => rows.length)).toEqual([1, 1, 1, 1]);
  let restore = (): void => undefined;
  await server.restart(async () => {
    restore = withdrawAccounts(join(server.dataDir, 'accounts.db'), ['operator']);
  });
  expect(owned()).toEqual(before);
  expect((await operator.get('/api/v1/box/operator/mine')).status).toBe(401);
  await server.restart(async () => restore());
  expect((await operator.get('/api/v1/box/operator/mine')).status).toBe(200);
});

test('keeps the tokens of a later password than an older backup of the accounts has', async () => {
  await using server = await startServer();
  const { id } = server.accounts.getByLoginName('operator') ?? expect.fail();
  await server.accounts.setPassword(id, testPassword);
  const operator = await server.as('operator');
  using accounts = new DatabaseSync(join(server.dataDir, 'accounts.db'));
  const passwordIs = async (version: number) =>
    accounts.prepare('UPDATE account SET password_version = ? WHERE id = ?').run(version, id);
  await server.restart(() => passwordIs(1));
  expect((await operator.get('/api/v1/authenticate')).status).toBe(401);
  await server.restart(() => passwordIs(2));
  expect((await operator.get('/api/v1/authenticate')).status).toBe(200);
});

test('applies changes of users that happened while the registry was stopped', async () => {
  await using server = await startServer();
  const operator = await server.as('operator');
  await operator.post('/api/v1/boxes', { name: 'mine' });
  const { id, version } = server.accounts.getByLoginName('operator') ?? { id: '', version: 0 };
  await server.restart(() => server.accounts.update(id, version, { loginName: 'olga' }));
  expect((await operator.get('/api/v1/box/olga/mine')).status).toBe(200);
  const admin = await server.as('administrator');
  await admin.post('/api/v1/organizations', { organization: { username: 'crew' } });
  await admin.post('/api/v1/organizations/crew/members', { username: 'olga', role: 'owner' });
  await operator.post('/api/v1/two-factor', { user: { password: testPassword } });
  await server.restart(() => server.accounts.remove(id));
  expect((await admin.get('/api/v1/organizations/olga')).body).toMatchObject({ members: [] });
  // The only owner who is left.
  expect((await admin.delete('/api/v1/organizations/crew/members/admin')).status).toBe(422);
  using db = new DatabaseSync(join(server.dataDir, 'box-registry.db'));
  for (const table of ['member', 'two_factor', 'token'])
    expect(db.prepare(`SELECT account_id FROM ${table} WHERE account_id = ?`).all(id)).toEqual([]);
});
