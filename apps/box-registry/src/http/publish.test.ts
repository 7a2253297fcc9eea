import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { startServer } from '../testing/server.ts';

const box = '/api/v1/box/admin/bionic';
const version = `${box}/version/1.0.0`;
const provider = `${version}/provider/virtualbox`;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('publishes a box step by step, and downloads it like a client', async () => {
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

test("limits the total size of a box's versions and providers, and accepts changes that reduce it", async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  await admin.post('/api/v1/boxes', { box: { username: 'admin', name: 'bionic' } });
  // In JSON, each of these characters takes six bytes.
  const describe = (number: string, length: number = 65_000) =>
    admin.post(`${box}/versions`, { version: { version: number, description: '\0'.repeat(length) } });
  let made = 0;
  while (made < 100 && (await describe(`1.${made}.0`)).status === 200) made += 1;
  expect(made).toBe(21);
  const refused = await describe('2.0.0');
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    422,
    expect.stringContaining('8 MiB in total: delete some'),
  ]);
  expect(Buffer.byteLength((await admin.get(box)).text)).toBeLessThan(8.5 * 1024 * 1024);
  const provide = (length: number) =>
    admin.post(`${box}/version/3.0.0/providers`, {
      provider: { name: `p${length}`, url: `https://x.example/${'a'.repeat(length)}` },
    });
  expect((await admin.post(`${box}/versions`, { version: { version: '3.0.0' } })).status).toBe(200);
  const answers = [];
  for (let length = 3000; length < 3060; length += 1) answers.push((await provide(length)).status);
  expect([answers[0], answers.at(-1)]).toEqual([200, 422]);
  // Less than one provider's space was left; deleting two leaves room for a version.
  for (const name of ['p3000', 'p3001'])
    expect((await admin.delete(`${box}/version/3.0.0/provider/${name}`)).status).toBe(200);
  expect((await describe('4.0.0', 750)).status).toBe(200);
  expect((await admin.put(`${box}/version/1.1.0`, { version: { description: '' } })).status).toBe(200);
  expect((await provide(3060)).status).toBe(200);
  expect((await admin.delete(`${box}/version/1.0.0`)).status).toBe(200);
  expect((await describe('2.0.0')).status).toBe(200);
});

test.each([
  ['addresses', (n: number) => ({ url: `https://x.example/${n}/${'"'.repeat(4000)}` })],
  ['addresses in other alphabets', (n: number) => ({ url: `https://x.example/${n}/${'版'.repeat(4000)}` })],
  ['images here', () => ({ checksum: 'a'.repeat(128), checksum_type: 'sha512' })],
])('limits the size of a version with its providers: %s', async (_what, fieldsOf) => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  await admin.post('/api/v1/boxes', { box: { username: 'admin', name: 'bionic' } });
  await admin.post(`${box}/versions`, { version: { version: '1.0.0', description: '\0'.repeat(60_000) } });
  const provide = (n: number, fields: object) =>
    admin.post(`${version}/providers`, { provider: { name: `p${n}`, ...fields } });
  let made = 0;
  while (made < 300 && (await provide(made, fieldsOf(made))).status === 200) made += 1;
  const refused = await provide(made, fieldsOf(made));
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    422,
    expect.stringContaining('512 KiB in total: shorten'),
  ]);
  const size = Buffer.byteLength((await admin.get(box)).text);
  expect(size).toBeGreaterThan(450 * 1024);
  expect(size).toBeLessThan(520 * 1024);
  expect(
    (await admin.put(`${version}/provider/p0`, { provider: { url: 'https://x.example/' } })).status,
  ).toBe(200);
});

test('sends large answers in parts, and small ones with their length', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  await admin.post('/api/v1/boxes', {
    box: { username: 'admin', name: 'bionic', is_private: false, description: 'x'.repeat(10_000) },
  });
  const paths = ['/admin/bionic', '/api/v2/box/admin/bionic', '/api/v2/user/admin', '/api/v2/search'];
  const lengths = async (): Promise<readonly boolean[]> => {
    const all = [];
    for (const path of paths) all.push((await admin.get(path)).headers.has('content-length'));
    return all;
  };
  expect(await lengths()).toEqual([true, true, true, true]);
  await admin.post(`${box}/versions`, { version: { version: '1.0.0' } });
  for (let n = 0; n < 30; n += 1)
    await admin.post(`${version}/providers`, {
      provider: { name: `p${n}`, url: `https://x.example/${'a'.repeat(4000)}` },
    });
  await admin.put(`${version}/release`);
  await admin.put(box, { box: { description: 'x'.repeat(65_536) } });
  expect(await lengths()).toEqual([false, false, false, false]);
  for (const path of paths.slice(0, 3)) expect((await admin.get(path)).text).toContain('"p29"');
});
