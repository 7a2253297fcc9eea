import type { WireAnswer } from '@gatehouse/service-kit/testing/client';
import { expect, test } from 'vitest';
import { currentClient } from '../testing/current-client.ts';
import { digest, send } from '../testing/publishing.ts';
import { startServer, testPassword } from '../testing/server.ts';

const image = Buffer.from('an image of a machine');
const box = { username: 'admin', name: 'deb' };
const version = { ...box, version: '1.0.0' };
const amd64 = { ...version, provider: 'libvirt', architecture: 'amd64' };
const arm64 = { ...amd64, architecture: 'arm64' };

async function ok(answer: Promise<WireAnswer>): Promise<WireAnswer['body']> {
  const { status, text, body } = await answer;
  expect([status, text]).toEqual([200, text]);
  return body;
}

test('answers every call of the current client, from sign-in to sign-out', async () => {
  await using server = await startServer();
  const { token } = await ok(currentClient(server.url).createToken('admin', testPassword));
  const client = currentClient(server.url, String(token));
  expect(await ok(client.validateToken())).toMatchObject({ user: { username: 'admin' } });
  expect((await client.requestCode('admin', 'wrong')).status).toBe(401);

  const created = await ok(
    client.createBox(box, { short_description: 'Debian', description: null, is_private: false }),
  );
  expect(created).toMatchObject({ tag: 'admin/deb', current_version: null, versions: [], private: false });
  expect(await ok(client.updateBox(box, { description: '# Deb', short_description: null }))).toMatchObject({
    short_description: 'Debian',
    description_markdown: '# Deb',
  });
  expect(await ok(client.updateBox(box, { description: null, is_private: false }))).toMatchObject({
    description_markdown: '# Deb',
  });
  const addresses = `${server.url}/api/v2/box/admin/deb/version/1.0.0`;
  expect(await ok(client.createVersion(version))).toMatchObject({
    status: 'unreleased',
    release_url: `${addresses}/release`,
    revoke_url: `${addresses}/revoke`,
    providers: [],
  });
  expect(await ok(client.updateVersion(version, 'First'))).toMatchObject({ description_markdown: 'First' });

  const checksum = { checksum: digest('sha1', image), checksum_type: 'sha1' };
  const first = { default_architecture: null, url: null, ...checksum };
  expect(await ok(client.createProvider(amd64, first))).toMatchObject({
    name: 'libvirt',
    architecture: 'amd64',
    default_architecture: true,
    download_url: null,
    ...checksum,
  });
  const wrong = { ...arm64, architecture: 'arm' };
  expect(await ok(client.createProvider(wrong, { default_architecture: false }))).toMatchObject({
    architecture: 'arm',
    default_architecture: false,
  });
  expect(await ok(client.updateProvider(wrong, { architecture: 'arm64', checksum: null }))).toMatchObject({
    architecture: 'arm64',
    default_architecture: false,
  });
  expect((await client.provider(wrong)).status).toBe(404);

  const plain = await ok(client.upload(amd64));
  expect((await send(String(plain['upload_path']), image)).status).toBe(200);
  const direct = await ok(client.uploadDirect(arm64));
  expect(String(direct['callback'])).toMatch(`${addresses}/provider/libvirt/arm64/upload/direct/`);
  expect((await send(String(direct['upload_path']), image)).status).toBe(200);
  expect(await ok(client.provider(arm64))).toMatchObject({ download_url: null });
  expect(await ok(client.finishUpload(direct['callback']))).toMatchObject({
    architecture: 'arm64',
    checksum: digest('sha256', image),
    download_url: `${server.url}/admin/boxes/deb/versions/1.0.0/providers/libvirt/arm64/vagrant.box`,
  });
  // The callback of one architecture doesn't work for another.
  const other = String(direct['callback']).replace('arm64', 'amd64');
  expect((await client.finishUpload(other)).status).toBe(404);

  expect(await ok(client.releaseVersion(version))).toMatchObject({ status: 'active' });
  const providers = [
    { name: 'libvirt', architecture: 'amd64', default_architecture: true },
    { name: 'libvirt', architecture: 'arm64', default_architecture: false },
  ];
  expect(await ok(client.version(version))).toMatchObject({ number: '1.0.0', providers });
  expect(await ok(client.box(box))).toMatchObject({
    current_version: { providers },
    versions: [{ providers }],
  });
  expect(await ok(client.organization('admin'))).toMatchObject({ boxes: [{ versions: [{ providers }] }] });
  const query = { q: 'deb', architecture: 'arm64', provider: 'libvirt', sort: 'updated', order: 'asc' };
  const found = await ok(client.search({ ...query, limit: '5', page: '1' }));
  expect(Object.keys(found)).toEqual(['boxes']);
  expect(found['boxes']).toMatchObject([{ tag: 'admin/deb', current_version: { providers } }]);

  expect(await ok(client.updateProvider(arm64, { default_architecture: true }))).toMatchObject({
    default_architecture: true,
  });
  expect(await ok(client.provider(amd64))).toMatchObject({ default_architecture: false });
  expect(await ok(client.deleteProvider(amd64))).toMatchObject({ architecture: 'amd64' });
  expect(await ok(client.revokeVersion(version))).toMatchObject({ status: 'revoked' });
  expect(await ok(client.deleteVersion(version))).toMatchObject({ version: '1.0.0' });
  expect(await ok(client.deleteBox(box))).toMatchObject({ tag: 'admin/deb' });
  expect((await client.box(box)).body).toEqual({ errors: ['Resource not found!'], success: false });
  expect((await client.deleteToken()).status).toBe(204);
  expect((await client.validateToken()).status).toBe(401);
});

test('a client without architectures publishes with version 1, and reads the box with version 2', async () => {
  await using server = await startServer();
  const client = currentClient(server.url, (await server.as('administrator')).token);
  const plain = { ...version, provider: 'virtualbox' };
  await ok(client.createBox(box));
  await ok(client.createVersion(version));
  await ok(client.createProvider(plain));
  const direct = await ok(client.uploadDirect(plain));
  expect(String(direct['callback'])).toMatch(`${server.url}/api/v1/box/`);
  expect((await send(String(direct['upload_path']), image)).status).toBe(200);
  // Another architecture becomes the default before the callback, which still refers to the sent image.
  const later = { ...plain, architecture: 'arm64' };
  await ok(client.createProvider(later, { default_architecture: true }));
  expect(await ok(client.finishUpload(direct['callback']))).toMatchObject({ architecture: 'unknown' });
  expect(await ok(client.provider(plain))).toMatchObject({ architecture: 'arm64', download_url: null });
  expect(await ok(client.provider({ ...plain, architecture: 'unknown' }))).toMatchObject({
    default_architecture: false,
    checksum: digest('sha256', image),
  });
  await ok(client.releaseVersion(version));
  expect(await ok(client.box(box))).toMatchObject({
    current_version: { providers: [{ architecture: 'arm64' }, { architecture: 'unknown' }] },
  });
});

test('version 2 accepts every form of a token, and limits and refuses like version 1', async () => {
  await using server = await startServer({ rateLimit: { requests: { burst: 100, perSecond: 1 } } });
  const admin = await server.as('administrator');
  const operator = await server.as('operator');
  const token = admin.token ?? '';
  await admin.post('/api/v2/boxes', { box: { name: 'closed' } });
  const path = '/api/v2/box/admin/closed';
  const atlas = { 'x-atlas-token': token };
  expect((await server.anonymous.send('GET', path, undefined, atlas)).status).toBe(200);
  expect((await server.anonymous.get(`${path}?access_token=${token}`)).status).toBe(200);
  expect((await server.with('void').get('/api/v2/search')).body).toEqual({
    errors: ['The token is not valid'],
    success: false,
  });
  for (const client of [server.anonymous, operator]) expect((await client.get(path)).status).toBe(404);
  const head = await admin.send('HEAD', path, undefined, { host: 'elsewhere.example' });
  expect([head.status, head.text, head.headers.get('x-ratelimit-limit')]).toEqual([200, '', '100']);
  expect((await server.anonymous.get('/api/v2/authenticate')).status).toBe(401);
  const refused = await admin.send('POST', '/api/v2/authenticate', {});
  expect([refused.status, refused.headers.get('allow'), refused.body['success']]).toEqual([
    405,
    'GET',
    false,
  ]);
  // A provider without an architecture is created with version 1.
  await admin.post(`${path}/versions`, { version: '1.0' });
  await admin.post(`${path}/version/1.0/providers`, { name: 'libvirt' });
  expect((await admin.get(`${path}/version/1.0/provider/libvirt`)).status).toBe(404);
  expect((await admin.get(`${path}/version/1.0/provider/LibVirt/Unknown`)).body).toMatchObject({
    name: 'libvirt',
    architecture: 'unknown',
    default_architecture: true,
  });
});
