import { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Client, WireAnswer } from '@gatehouse/service-kit/testing/client';
import { holdNextSlice } from '@gatehouse/service-kit/testing/held-slice';
import { holdNextWrite } from '@gatehouse/service-kit/testing/held-write';
import { expect, test, vi } from 'vitest';
import { send } from '../testing/publishing.ts';
import { startServer, testPassword, type TestServer } from '../testing/server.ts';

const members = '/api/v1/organizations/acme/members';
const box = '/api/v1/box/acme/box';
const version = `${box}/version/1.0`;
const provider = `${version}/provider/libvirt`;

/** An organization with a box, a second owner and a publisher. */
async function organize(server: TestServer) {
  const admin = await server.as('administrator');
  await admin.post('/api/v1/organizations', { organization: { username: 'acme' } });
  for (const username of ['owner', 'publisher']) {
    await server.accounts.create({
      loginName: username,
      password: testPassword,
      roles: { boxes: 'operator' },
    });
    await admin.post(members, { member: { username, role: username } });
  }
  await admin.post('/api/v1/boxes', { box: { username: 'acme', name: 'box', is_private: false } });
  await admin.post(`${box}/versions`, { version: { version: '1.0' } });
  await admin.post(`${version}/providers`, { provider: { name: 'libvirt', url: 'https://example.com/b' } });
  return { admin, owner: await server.signIn('owner'), publisher: await server.signIn('publisher') };
}

/** Sends a request that is judged before `other` is sent, but written after it. */
async function writtenAfter(
  request: () => Promise<{ readonly status: number }>,
  other: () => Promise<WireAnswer>,
): Promise<number> {
  const held = holdNextWrite();
  const answer = request();
  await held;
  expect((await other()).status).toBe(200);
  return (await answer).status;
}

test.each([
  [
    'add themselves again',
    'DELETE',
    `${members}/owner`,
    undefined,
    'POST',
    members,
    { member: { username: 'owner', role: 'owner' } },
  ],
  [
    'become an owner again',
    'PUT',
    `${members}/owner`,
    { member: { role: 'reader' } },
    'PUT',
    `${members}/owner`,
    { role: 'owner' },
  ],
  [
    'remove others',
    'PUT',
    `${members}/owner`,
    { member: { role: 'reader' } },
    'DELETE',
    `${members}/publisher`,
    undefined,
  ],
  [
    'change the profile',
    'PUT',
    `${members}/owner`,
    { role: 'publisher' },
    'PUT',
    '/api/v1/organizations/acme',
    { profile_markdown: 'x' },
  ],
  [
    'delete the organization',
    'DELETE',
    `${members}/owner`,
    undefined,
    'DELETE',
    '/api/v1/organizations/acme',
    undefined,
  ],
  ['change a box', 'DELETE', `${members}/owner`, undefined, 'PUT', box, { description: 'x' }],
] as const)(
  'a former owner can not %s by a request sent before',
  async (_, method, path, body, lateMethod, latePath, lateBody) => {
    await using server = await startServer();
    const { admin, owner } = await organize(server);
    const late = (): Promise<WireAnswer> => owner.send(lateMethod, latePath, lateBody);
    expect(await writtenAfter(late, () => admin.send(method, path, body))).toBe(403);
    const { text } = await admin.get('/api/v1/organizations/acme');
    expect(text).not.toContain('"username":"owner","role":"owner"');
    expect(text).toContain('publisher');
  },
);

test('a removal that was sent before a promotion, but is written after it, still removes', async () => {
  await using server = await startServer();
  const { admin, owner } = await organize(server);
  const removal = (): Promise<WireAnswer> => admin.delete(`${members}/owner`);
  expect(await writtenAfter(removal, () => owner.put(`${members}/owner`, { role: 'owner' }))).toBe(200);
  expect((await owner.get('/api/v1/organizations/acme')).body['actions']).toEqual([]);
});

const publications: readonly (readonly [name: string, request: (client: Client) => Promise<WireAnswer>])[] = [
  ['create a box', (client) => client.post('/api/v1/boxes', { box: { username: 'acme', name: 'other' } })],
  ['change a box', (client) => client.put(box, { description: 'x' })],
  ['delete a box', (client) => client.delete(box)],
  ['create a version', (client) => client.post(`${box}/versions`, { version: '2.0' })],
  ['release a version', (client) => client.put(`${version}/release`)],
  ['delete a version', (client) => client.delete(version)],
  ['create a provider', (client) => client.post(`${version}/providers`, { name: 'qemu' })],
  ['change a provider', (client) => client.put(provider, { url: 'https://example.org/b' })],
  ['delete a provider', (client) => client.delete(provider)],
  ['request an upload', (client) => client.get(`${provider}/upload`)],
];

test.each(publications)('a former publisher can not %s by a request sent before', async (_, request) => {
  await using server = await startServer();
  const { admin, publisher } = await organize(server);
  const before = (await admin.get(box)).text;
  const removal = (): Promise<WireAnswer> => admin.delete(`${members}/publisher`);
  expect(await writtenAfter(() => request(publisher), removal)).toBe(403);
  expect((await admin.get(box)).text).toBe(before);
  expect((await admin.get('/api/v1/box/acme/other')).status).toBe(404);
});

test.each([
  { change: { roles: { boxes: 'read-only' } }, status: 403 },
  { change: { disabled: true }, status: 401 },
] as const)(
  'an account whose role or state has changed since changes nothing either: $change',
  async ({ change, status }) => {
    await using server = await startServer();
    const { admin, publisher } = await organize(server);
    const account = server.accounts.getByLoginName('publisher');
    const late = writtenAfter(
      () => publisher.put(box, { description: 'x' }),
      async () => {
        await server.accounts.update(account?.id ?? '', account?.version ?? 0, change);
        return admin.put(box, { short_description: 'y' });
      },
    );
    expect(await late).toBe(status);
    expect((await admin.get(box)).body).toMatchObject({ description_markdown: '', short_description: 'y' });
  },
);

test('an image that a former publisher sent before is not kept', async () => {
  await using server = await startServer();
  const { admin, publisher } = await organize(server);
  const { body } = await publisher.get(`${provider}/upload`);
  const image = (): Promise<Response> => send(String(body['upload_path']), Buffer.from('image'));
  expect(await writtenAfter(image, () => admin.delete(`${members}/publisher`))).toBe(403);
  expect((await admin.get(provider)).body['hosted']).toBe(false);
});

test('an administrator creates nothing in an organization that has been deleted since', async () => {
  await using server = await startServer();
  const { admin, owner } = await organize(server);
  await admin.delete(box);
  for (const [path, body] of [
    ['/api/v1/boxes', { box: { username: 'acme', name: 'other' } }],
    [members, { member: { username: 'operator', role: 'reader' } }],
  ] as const) {
    expect(
      await writtenAfter(
        () => admin.post(path, body),
        () => owner.delete('/api/v1/organizations/acme'),
      ),
    ).toBe(404);
    await admin.post('/api/v1/organizations', { organization: { username: 'acme' } });
    await admin.post(members, { member: { username: 'owner', role: 'owner' } });
  }
});

/** Holds the next answer that is sent in parts at its first part. @returns a function that lets it continue */
function holdNextAnswer(): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<() => void>();
  vi.spyOn(ServerResponse.prototype, 'write').mockImplementationOnce(function hold(
    this: ServerResponse,
    part: unknown,
  ) {
    resolve(() => {
      this.write(part);
      this.emit('drain');
    });
    return false;
  });
  return promise;
}

const disable = ({ accounts }: TestServer): Promise<unknown> => {
  const account = accounts.getByLoginName('publisher');
  return accounts.update(account?.id ?? '', account?.version ?? 0, { disabled: true });
};
const leave = (_server: TestServer, admin: Client): Promise<unknown> => admin.delete(`${members}/publisher`);
const hide = (_server: TestServer, admin: Client): Promise<unknown> => admin.put(box, { is_private: true });

test.each([
  ["an owner's boxes to a former member", 'publisher', '/api/v1/user/acme', leave],
  ["an owner's boxes to a disabled account", 'publisher', '/api/v1/user/acme', disable],
  ['a private box', 'publisher', '/api/v1/box/acme/private', leave],
  ["a private box's metadata", 'publisher', '/acme/private', leave],
  ['a box that becomes private', 'anonymous', box, hide],
  ['the metadata of a box that becomes private', 'anonymous', '/acme/box', hide],
  ['all organizations', 'publisher', '/api/v1/organizations', disable],
  ['all namespaces', 'publisher', '/api/v1/namespaces', disable],
] as const)('an answer with %s ends when its slow reader may no longer read it', async (...of) => {
  const [, reader, path, lose] = of;
  await using server = await startServer();
  const { admin, publisher } = await organize(server);
  const description = 'x'.repeat(65_536);
  await admin.put(box, { description });
  await admin.put(`${version}/release`);
  await admin.post('/api/v1/boxes', { username: 'acme', name: 'private', description });
  await admin.post('/api/v1/box/acme/private/versions', { version: '1.0' });
  await admin.post('/api/v1/box/acme/private/version/1.0/providers', {
    provider: { name: 'libvirt', url: 'https://example.com/b' },
  });
  await admin.put('/api/v1/box/acme/private/version/1.0/release');
  using database = new DatabaseSync(join(server.dataDir, 'box-registry.db'));
  database.exec(`
    INSERT INTO namespace (id, kind, name, name_key, profile, created_time)
      WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 2500)
      SELECT 'ns' || at, 'organization', 'n' || at, 'n' || at, '', 0 FROM n;
    INSERT INTO member SELECT namespace.id, member.account_id, 'publisher', 0 FROM namespace, member
      WHERE namespace.id GLOB 'ns[0-9]*' AND role = 'publisher'`);
  const held = holdNextAnswer();
  const answer = (reader === 'anonymous' ? server.anonymous : publisher).get(path);
  const sendRest = await held;
  await lose(server, admin);
  await admin.post('/api/v1/boxes', { username: 'acme', name: 'later' });
  await admin.post(`${box}/versions`, { version: '2.0' });
  sendRest();
  await expect(answer).rejects.toThrow(/^(?:terminated|fetch failed)$/);
});

const demote = ({ accounts }: TestServer): Promise<unknown> => {
  const account = accounts.getByLoginName('admin');
  const roles = { boxes: 'read-only' } as const;
  return accounts.update(account?.id ?? '', account?.version ?? 0, { roles });
};

test.each([
  ['publisher leaves the organization', 'publisher', leave, 403],
  ["publisher's account is disabled", 'publisher', disable, 401],
  ['administrator becomes a reader', 'administrator', demote, 403],
] as const)('a search ends when its %s', async (_, reader, lose, status) => {
  await using server = await startServer();
  const { admin, publisher } = await organize(server);
  const held = holdNextSlice();
  const answer = (reader === 'publisher' ? publisher : admin).get('/api/v1/search?q=box');
  const release = await held;
  await lose(server, admin);
  release();
  expect((await answer).status).toBe(status);
});
