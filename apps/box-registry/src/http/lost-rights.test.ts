import type { Client, WireAnswer } from '@gatehouse/service-kit/testing/client';
import { holdNextWrite } from '@gatehouse/service-kit/testing/held-write';
import { expect, test } from 'vitest';
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
