import type { Client, Wire } from '@gatehouse/service-kit/testing/client';
import { expect, test } from 'vitest';
import { startServer } from '../testing/server.ts';

async function publish(
  client: Client,
  username: string,
  name: string,
  fields: Readonly<Record<string, unknown>> = {},
  provider = 'virtualbox',
): Promise<void> {
  await client.post('/api/v1/boxes', { box: { username, name, is_private: false, ...fields } });
  const box = `/api/v1/box/${username}/${name}`;
  await client.post(`${box}/versions`, { version: { version: '1.0' } });
  await client.post(`${box}/version/1.0/providers`, {
    provider: { name: provider, url: 'https://example.com/a' },
  });
  const released = await client.put(`${box}/version/1.0/release`);
  expect(released.status).toBe(200);
}

async function found(client: Client, query: string): Promise<string[]> {
  const answer = await client.get(`/api/v1/search${query}`);
  expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['boxes']]);
  return (answer.body['boxes'] as { tag: string }[]).map(({ tag }) => tag);
}

test('searches visible boxes by text, provider, sort, order, limit and page', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const operator = await server.as('operator');
  await publish(admin, 'admin', 'bionic64', { short_description: 'Ubuntu 100% free' });
  server.clock.advance(1000);
  await publish(admin, 'admin', 'secret', { is_private: true });
  server.clock.advance(1000);
  await publish(operator, 'operator', 'alpine', {}, 'libvirt');
  server.clock.advance(1000);
  await admin.post('/api/v1/boxes', { box: { name: 'unreleased', is_private: false } });
  await admin.put('/api/v1/box/admin/bionic64', { description: 'x' });
  await server.anonymous.get('/operator/boxes/alpine/versions/1.0/providers/libvirt.box');

  const { anonymous } = server;
  expect(await found(anonymous, '')).toEqual(['operator/alpine', 'admin/bionic64']);
  expect(await found(operator, '')).toEqual(['operator/alpine', 'admin/bionic64']);
  expect(await found(admin, '?sort=created')).toEqual(['operator/alpine', 'admin/secret', 'admin/bionic64']);
  expect(await found(anonymous, '?sort=updated')).toEqual(['admin/bionic64', 'operator/alpine']);
  expect(await found(anonymous, '?sort=downloads&order=asc')).toEqual(['admin/bionic64', 'operator/alpine']);
  expect(await found(anonymous, '?q=UBUNTU')).toEqual(['admin/bionic64']);
  expect(await found(anonymous, '?q=admin/bio')).toEqual(['admin/bionic64']);
  expect(await found(anonymous, '?q=100%25')).toEqual(['admin/bionic64']);
  expect(await found(anonymous, '?q=%25')).toEqual(['admin/bionic64']);
  expect(await found(anonymous, '?q=_')).toEqual([]);
  expect(await found(anonymous, `?q=${encodeURIComponent("' OR 1=1 --")}`)).toEqual([]);
  expect(await found(anonymous, '?provider=libvirt')).toEqual(['operator/alpine']);
  expect(await found(anonymous, '?limit=1&page=2')).toEqual(['admin/bionic64']);
  expect(await found(anonymous, '?limit=1000&page=999999999')).toEqual([]);
  expect(await found(anonymous, '?q=&provider=&sort=&limit=&page=')).toHaveLength(2);

  const [first] = (await anonymous.get('/api/v1/search?q=bionic')).body['boxes'] as Record<string, unknown>[];
  expect(Object.keys(first ?? {})).toEqual([
    'created_at',
    'updated_at',
    'tag',
    'name',
    'short_description',
    'description_html',
    'description_markdown',
    'username',
    'private',
    'downloads',
    'current_version',
  ]);
  expect(first?.['current_version']).toMatchObject({ version: '1.0', status: 'active' });
});

test('refuses invalid parameters', async () => {
  await using server = await startServer();
  for (const query of [
    'sort=name',
    'order=up',
    'limit=0',
    'limit=-1',
    'limit=ten',
    'page=0',
    'page=1e3',
    'page=99999999999999999999',
    'q=a&q=b',
    `q=${'x'.repeat(201)}`,
  ]) {
    const answer = await server.anonymous.get(`/api/v1/search?${query}`);
    expect([query, answer.status, answer.body['success']]).toEqual([query, 422, false]);
  }
});

test('returns an owner with the boxes that the reader may see', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const operator = await server.as('operator');
  await publish(operator, 'operator', 'open');
  await publish(operator, 'operator', 'closed', { is_private: true });
  await operator.post('/api/v1/boxes', { box: { name: 'new', is_private: false } });
  const names = async (client: Client): Promise<unknown> => {
    const { status, body } = await client.get('/api/v1/user/operator');
    return status === 200 ? (body['boxes'] as { name: string }[]).map(({ name }) => name) : status;
  };
  expect(await names(server.anonymous)).toEqual(['open']);
  expect(await names(await server.as('read-only'))).toEqual(['open']);
  expect(await names(operator)).toEqual(['closed', 'new', 'open']);
  expect(await names(admin)).toEqual(['closed', 'new', 'open']);
  expect((await operator.get('/api/v1/user/admin')).body).toEqual({
    username: 'admin',
    avatar_url: null,
    profile_html: '',
    profile_markdown: '',
    boxes: [],
  });
  // Clients without a token don't learn whether such a user exists.
  expect((await server.anonymous.get('/api/v1/user/admin')).status).toBe(404);
  expect((await operator.get('/api/v1/user/stranger')).status).toBe(404);
});

test("renders no descriptions in lists, and only a box's own in a box", async () => {
  await using server = await startServer();
  const operator = await server.as('operator');
  for (const name of ['one', 'two']) await publish(operator, 'operator', name, { description: '*B*' });
  const at = '/api/v2/box/operator/one';
  const version = `${at}/version/1.0`;
  await operator.put(version, { version: { description: '*V*' } });
  const listed = { description_html: null, description_markdown: null };
  const box = { name: 'one', description_html: null, description_markdown: '*B*', current_version: listed };
  for (const api of ['v1', 'v2']) {
    const { boxes } = (await operator.get(`/api/${api}/user/operator`)).body;
    expect(boxes).toMatchObject([{ ...box, versions: [listed] }, { name: 'two' }]);
    const found = (await operator.get(`/api/${api}/search?q=operator/one`)).body;
    expect(found['boxes']).toMatchObject([box]);
  }
  const own = { description_html: null, description_markdown: '*V*' };
  expect((await operator.get(at)).body).toMatchObject({
    description_html: '<p><em>B</em></p>\n',
    current_version: own,
    versions: [own],
  });
  expect((await operator.get(version)).body).toMatchObject({ description_html: '<p><em>V</em></p>\n' });
});

test('gives each box of a list an equal share of 2 MiB, in which the newest versions come first', async () => {
  await using server = await startServer();
  const operator = await server.as('operator');
  const url = `https://example.com/${'a'.repeat(4_000)}`;
  for (const name of ['large', 'small']) {
    await publish(operator, 'operator', name, { description: 'x'.repeat(20_000) });
    if (name === 'small') continue;
    for (let n = 2; n <= 30; n++) {
      const at = `/api/v2/box/operator/${name}`;
      await operator.post(`${at}/versions`, { version: { version: `${n}.0` } });
      for (let image = 0; image < 30; image++)
        await operator.post(`${at}/version/${n}.0/providers`, { provider: { name: `p${image}`, url } });
      await operator.put(`${at}/version/${n}.0/release`);
    }
  }
  interface Listed {
    readonly name: string;
    readonly description_markdown: string | null;
    readonly current_version: { readonly version: string; readonly providers: readonly object[] };
    readonly versions?: readonly { readonly version: string; readonly providers: readonly object[] }[];
    readonly incomplete?: readonly string[];
  }
  const listed = async (path: string) => {
    const { text, body } = await server.anonymous.get(path);
    const boxes = body['boxes'] as readonly Listed[];
    const of = (name: string) => boxes.find((one) => one.name === name);
    return { bytes: text.length, large: of('large'), small: of('small') };
  };
  // A share of 1 MiB.
  const owner = await listed('/api/v2/user/operator');
  expect(owner.bytes).toBeLessThan(2 ** 21);
  expect(owner.large?.current_version.providers).toHaveLength(30);
  expect(owner.large?.versions?.map(({ version }) => version)).toEqual(
    Array.from({ length: owner.large?.versions?.length ?? 0 }, (_, n) => `${30 - n}.0`),
  );
  expect(owner.large?.versions?.length).toBeGreaterThan(4);
  expect(owner.large?.versions?.length).toBeLessThan(30);
  expect(owner.large?.incomplete).toEqual(['versions']);
  expect(owner.small?.versions).toHaveLength(1);
  expect(owner.small).not.toHaveProperty('incomplete');
  // A share of 20 KiB.
  const found = await listed('/api/v2/search?limit=100');
  expect(found.bytes).toBeLessThan(60_000);
  expect(found.large).toMatchObject({ description_markdown: null, current_version: { version: '30.0' } });
  expect(found.large?.current_version.providers).toHaveLength(4);
  expect(found.large?.incomplete).toEqual(['providers', 'description_markdown']);
  expect(found.small?.description_markdown).toHaveLength(20_000);
  expect(found.small?.current_version.providers).toHaveLength(1);
});

test("the share of a box in an owner's list reveals no boxes that the reader may not see", async () => {
  await using server = await startServer();
  const operator = await server.as('operator');
  const description = 'x'.repeat(65_536);
  const create = (name: string, isPrivate: boolean) =>
    operator.post('/api/v1/boxes', { name, description, is_private: isPrivate });
  await create('shown', false);
  await operator.post('/api/v1/box/operator/shown/versions', { version: '1.0' });
  const provider = { name: 'libvirt', url: 'https://example.com/b' };
  await operator.post('/api/v1/box/operator/shown/version/1.0/providers', { provider });
  await operator.put('/api/v1/box/operator/shown/version/1.0/release');
  // With these, a share is too small for the description.
  for (let box = 0; box < 32; box += 1) await create(`hidden${box}`, box % 2 === 0);
  for (const [reader, boxes, incomplete] of [
    [server.anonymous, 1, undefined],
    [operator, 33, ['description_markdown']],
  ] as const) {
    const listed = (await reader.get('/api/v2/user/operator')).body['boxes'] as readonly Wire[];
    expect(listed).toHaveLength(boxes);
    expect(listed.find(({ name }) => name === 'shown')?.['incomplete']).toEqual(incomplete);
  }
});
