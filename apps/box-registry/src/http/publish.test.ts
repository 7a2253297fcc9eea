import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { startServer } from '../testing/server.ts';

const box = '/api/v1/box/admin/bionic';
const version = `${box}/version/1.0.0`;
const provider = `${version}/provider/virtualbox`;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('a box is published step by step, and fetched as clients do', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const image = Buffer.alloc(3_000_000, 'box image ');

  const created = await admin.post('/api/v1/boxes', {
    box: {
      username: 'admin',
      name: 'bionic',
      short_description: 'Ubuntu',
      description: '# Hi',
      is_private: false,
    },
  });
  expect(created.status).toBe(200);
  expect(created.body).toEqual({
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    tag: 'admin/bionic',
    name: 'bionic',
    short_description: 'Ubuntu',
    description_html: '<h1>Hi</h1>\n',
    description_markdown: '# Hi',
    username: 'admin',
    private: false,
    downloads: 0,
    current_version: null,
    versions: [],
  });
  const unreleased = await admin.post(`${box}/versions`, {
    version: { version: '1.0.0', description: 'First' },
  });
  expect(unreleased.status).toBe(200);
  expect(unreleased.body).toMatchObject({
    version: '1.0.0',
    number: '1.0.0',
    status: 'unreleased',
    providers: [],
  });
  const hosted = await admin.post(`${version}/providers`, {
    provider: { name: 'virtualbox', checksum: sha256(image), checksum_type: 'sha256' },
  });
  expect(hosted.status).toBe(200);
  expect(hosted.body).toMatchObject({
    name: 'virtualbox',
    hosted: true,
    original_url: null,
    download_url: null,
  });
  expect((await admin.put(`${version}/release`)).status).toBe(422);

  const prepared = await admin.get(`${provider}/upload`);
  const sent = await fetch(String(prepared.body['upload_path']), { method: 'PUT', body: image });
  expect([sent.status, await sent.json()]).toEqual([200, {}]);
  const released = await admin.put(`${version}/release`);
  expect([released.status, released.body['status']]).toEqual([200, 'active']);

  const metadata = await server.anonymous.get('/admin/bionic');
  expect(metadata.headers.get('content-type')).toBe('application/json');
  const url = `${server.url}/admin/boxes/bionic/versions/1.0.0/providers/virtualbox.box`;
  expect(metadata.body).toEqual({
    name: 'admin/bionic',
    description: '# Hi',
    short_description: 'Ubuntu',
    versions: [
      {
        version: '1.0.0',
        status: 'active',
        providers: [
          {
            name: 'virtualbox',
            architecture: 'unknown',
            default_architecture: true,
            url,
            checksum: sha256(image),
            checksum_type: 'sha256',
          },
        ],
      },
    ],
  });
  const fetched = Buffer.from(await (await fetch(url)).arrayBuffer());
  expect(sha256(fetched)).toBe(sha256(image));
  expect((await admin.get(box)).body).toMatchObject({ downloads: 1, current_version: { version: '1.0.0' } });
});

test('the descriptions of all versions of a box have a bound together', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  await admin.post('/api/v1/boxes', { box: { username: 'admin', name: 'bionic' } });
  const describe = (version: string, length: number) =>
    admin.post(`${box}/versions`, { version: { version, description: 'x'.repeat(length) } });
  for (let n = 0; n < 63; n++) expect((await describe(`1.${n}.0`, 65_536)).status).toBe(200);
  expect((await describe('2.0.0', 65_530)).status).toBe(200);
  const refused = await describe('2.1.0', 7);
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    422,
    expect.stringContaining('4 MiB together'),
  ]);
  expect((await describe('2.1.0', 6)).status).toBe(200);
  const longer = { version: { description: 'x'.repeat(7) } };
  expect((await admin.put(`${box}/version/2.1.0`, longer)).status).toBe(422);
  expect((await admin.get(`${box}/version/2.1.0`)).body).toMatchObject({ description_markdown: 'xxxxxx' });
  expect((await admin.put(`${box}/version/2.0.0`, { version: { description: '' } })).status).toBe(200);
});
