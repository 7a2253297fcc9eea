import { expect, test } from 'vitest';
import { createProvider, send, uploadPath } from '../../testing/publishing.ts';
import { startServer } from '../../testing/server.ts';

const box = '/api/v1/box/admin/one';

test('creates, reads, updates and deletes a box, with grouped and flat bodies', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const flat = await admin.post('/api/v1/boxes', { name: 'one', username: 'admin', short_description: 'A' });
  expect([flat.status, flat.body['private']]).toEqual([200, true]);
  expect((await admin.get(box)).body).toEqual(flat.body);
  server.clock.advance(1000);
  const changed = await admin.put(box, { box: { description: '*B*', is_private: false } });
  expect(changed.body).toEqual({
    ...flat.body,
    description_markdown: '*B*',
    description_html: '<p><em>B</em></p>\n',
    private: false,
    updated_at: '2026-01-01T00:00:01.000Z',
  });
  const unchanged = await admin.put(box, { description: null, name: 'two' });
  expect(unchanged.body).toMatchObject({
    tag: 'admin/two',
    description_markdown: '*B*',
    short_description: 'A',
  });
  expect((await admin.get(box)).status).toBe(404);
  const deleted = await admin.delete('/api/v1/box/ADMIN/Two');
  expect([deleted.status, deleted.body]).toEqual([200, unchanged.body]);
  expect((await admin.get('/api/v1/box/admin/two')).status).toBe(404);
});

test('reports the faults of a box', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  await admin.post('/api/v1/boxes', { name: 'one' });
  const cases: readonly (readonly [unknown, number, string])[] = [
    [{ name: 'one' }, 422, 'Type has already been taken'],
    [{ name: 'ONE' }, 422, 'Type has already been taken'],
    [{}, 422, 'box parameter is required!'],
    [{ box: {} }, 422, 'box parameter is required!'],
    [{ box: [] }, 422, 'box parameter is required!'],
    [{ unknown: 1 }, 422, 'box parameter is required!'],
    [[], 400, 'The body must be a JSON object'],
    ['{"name":', 400, 'The body is not valid JSON.'],
    [{ short_description: 'x' }, 422, "Name can't be blank"],
    [{ name: '' }, 422, "Name can't be blank"],
    [
      { name: '..' },
      422,
      'Name may contain letters, digits, ".", "_" and "-", and must begin with a letter or digit',
    ],
    [{ name: 7 }, 422, 'Name must be a string'],
    [{ name: 'a.json' }, 422, 'Name must not end in .json'],
    [{ name: 'a'.repeat(101) }, 422, 'Name is too long (maximum is 100 characters)'],
    [{ name: 'a', is_private: 'perhaps' }, 422, 'Is private must be true or false'],
    [
      { name: 'a', short_description: 'x'.repeat(513) },
      422,
      'Short description is too long (maximum is 512 characters)',
    ],
    [{ name: 'a', username: 'somebody' }, 404, 'Resource not found!'],
  ];
  for (const [body, status, error] of cases) {
    const answer = await admin.post('/api/v1/boxes', body);
    expect([answer.status, answer.body['errors']]).toEqual([status, [error]]);
    expect(answer.body['success']).toBe(false);
  }
  await admin.post('/api/v1/boxes', { name: 'two' });
  expect((await admin.put('/api/v1/box/admin/two', { name: 'one' })).status).toBe(422);
  expect((await admin.put('/api/v1/box/admin/two', { username: 'operator' })).body['errors']).toEqual([
    'Username cannot be changed',
  ]);
});

test('lets one of twenty concurrent requests create a box of the same name', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => admin.post('/api/v1/boxes', { box: { name: 'one' } })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(19);
});

test('moves versions only from unreleased to active to revoked', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  await admin.post('/api/v1/boxes', { name: 'one' });
  const created = await admin.post(`${box}/versions`, { version: '1.0', description: 'D' });
  expect(created.body).toEqual({
    version: '1.0',
    status: 'unreleased',
    description_html: '<p>D</p>\n',
    description_markdown: 'D',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    number: '1.0',
    release_url: `${server.url}${box}/version/1.0/release`,
    revoke_url: `${server.url}${box}/version/1.0/revoke`,
    providers: [],
  });
  const version = `${box}/version/1.0`;
  const errors = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await admin.send(method, path, body);
    return [answer.status, answer.body['errors']];
  };
  expect(await errors('PUT', `${version}/revoke`)).toEqual([422, ['Version is not released']]);
  expect(await errors('PUT', `${version}/release`)).toEqual([
    422,
    ['Version has no valid provider: a provider needs a url or an uploaded image'],
  ]);
  await admin.post(`${version}/providers`, {
    provider: { name: 'libvirt', url: 'https://example.com/a.box' },
  });
  expect((await admin.put(`${version}/release`, {})).body['status']).toBe('active');
  expect(await errors('PUT', `${version}/release`)).toEqual([422, ['Version has already been released']]);
  expect((await admin.put(`${version}/revoke`)).body['status']).toBe('revoked');
  expect(await errors('PUT', `${version}/revoke`)).toEqual([422, ['Version has already been revoked']]);
  expect(await errors('PUT', `${version}/release`)).toEqual([
    422,
    ['Version was revoked and cannot be released again'],
  ]);
  expect(await errors('GET', `${version}/provider/libvirt/upload`)).toEqual([
    422,
    ['Version was revoked: it accepts no more images'],
  ]);

  expect(await errors('POST', `${box}/versions`, { version: '1.0' })).toEqual([
    422,
    ['Version has already been taken'],
  ]);
  for (const number of ['v1.0', '1.0.0+1', '1_0', '', '1.', '-1', '1..2', '../1', '1'.repeat(129)]) {
    expect((await admin.post(`${box}/versions`, { version: { version: number } })).status).toBe(422);
  }
  expect(await errors('POST', `${box}/versions`, {})).toEqual([422, ['version parameter is required!']]);
  const updated = await admin.put(version, { version: { version: '1.1', description: null } });
  expect(updated.body).toMatchObject({ version: '1.1', description_markdown: 'D' });
  expect((await admin.delete(`${box}/version/1.1`)).body).toEqual(updated.body);
  expect(await errors('DELETE', `${box}/version/1.1`)).toEqual([404, ['Resource not found!']]);
});

test('sorts versions in the order of RubyGems, newest first', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  await admin.post('/api/v1/boxes', { name: 'one' });
  for (const version of ['1.0.0', '1.10', '1.0.0-beta', '1.9', '1.0.0.pre1'])
    await admin.post(`${box}/versions`, { version });
  const { versions } = (await admin.get(box)).body;
  expect((versions as { version: string }[]).map(({ version }) => version)).toEqual([
    '1.10',
    '1.9',
    '1.0.0',
    '1.0.0.pre1',
    '1.0.0-beta',
  ]);
});

test('creates, updates and deletes providers', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'one', { url: 'https://example.com/a.box' });
  const first = await admin.get(made.provider);
  expect(first.body).toEqual({
    name: 'virtualbox',
    architecture: 'unknown',
    default_architecture: true,
    hosted: false,
    hosted_token: null,
    original_url: 'https://example.com/a.box',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    download_url: `${server.url}${made.download}`,
    checksum: null,
    checksum_type: null,
    size: null,
    downloads: 0,
  });
  const post = async (provider: unknown): Promise<unknown> =>
    (await admin.post(`${made.version}/providers`, { provider })).body['errors'];
  expect(await post({ name: 'VirtualBox' })).toEqual(['Metadata provider must be unique for version']);
  expect(await post({ url: 'https://example.com' })).toEqual(["Name can't be blank"]);
  expect(await post({ name: 'x', url: 'ftp://example.com/a' })).toEqual([
    'Url must begin with http:// or https://',
  ]);
  expect(await post({ name: 'x', url: 'javascript:alert(1)' })).toEqual([
    'Url must begin with http:// or https://',
  ]);
  expect(await post({ name: 'x', url: 'https://a:b@example.com/' })).toEqual([
    'Url must not contain credentials',
  ]);
  expect(await post({ name: 'x', url: 'nowhere' })).toEqual(['Url is not a valid URL']);
  expect(await post({ name: 'x', checksum: 'abc' })).toEqual([
    'Checksum type must be one of md5, sha1, sha256, sha384, sha512',
  ]);
  expect(await post({ name: 'x', checksum: 'abc', checksum_type: 'md5' })).toEqual([
    'Checksum is not a md5 checksum: it must have 32 hexadecimal digits',
  ]);
  expect(await post(undefined)).toEqual(['provider parameter is required!']);

  const redirect = await server.anonymous.get(made.download);
  expect(redirect.status).toBe(404);
  await admin.put(`${made.version}/release`);
  const open = await server.anonymous.get(made.download);
  expect([open.status, open.headers.get('location')]).toEqual([302, 'https://example.com/a.box']);
  expect((await admin.get(made.box)).body['downloads']).toBe(1);

  const hosted = await admin.put(made.provider, { provider: { url: '', name: 'vmware' } });
  expect(hosted.body).toMatchObject({ name: 'vmware', hosted: true, original_url: null, download_url: null });
  expect(hosted.body['hosted_token']).toEqual(expect.any(String));
  const renamed = { ...made, provider: `${made.version}/provider/vmware` };
  expect((await send(await uploadPath(admin, renamed), Buffer.from('image'))).status).toBe(200);
  const back = await admin.put(renamed.provider, { url: 'https://example.com/b.box', checksum: '' });
  expect(back.body).toMatchObject({ hosted: false, size: null, checksum: null });
  expect((await admin.delete(renamed.provider)).body).toEqual(back.body);
  expect((await admin.get(renamed.provider)).status).toBe(404);
});

test('refuses other methods and paths in the common form of errors', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const answer = await admin.send('PATCH', '/api/v1/boxes', {});
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  expect((await admin.get('/api/v1/nothing/here/at/all')).body).toEqual({
    errors: ['Resource not found!'],
    success: false,
  });
});
