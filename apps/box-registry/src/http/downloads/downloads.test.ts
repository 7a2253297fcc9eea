import { once } from 'node:events';
import { request } from 'node:http';
import type { Readable } from 'node:stream';
import { createLog } from '@gatehouse/service-kit/log';
import { diskObjects } from '@gatehouse/service-kit/object-store/disk';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createProvider, send, uploadPath } from '../../testing/publishing.ts';
import { startServer } from '../../testing/server.ts';
import { parseRange } from './downloads.ts';

const image = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 31) % 251));

test('redirects to a URL with characters that a header cannot contain', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'snow', { url: 'http://example.com/☃.box?a=%20b' });
  await admin.put(`${made.version}/release`);
  const answer = await fetch(server.url + made.download, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([
    302,
    'http://example.com/%E2%98%83.box?a=%20b',
  ]);
});

test('downloads a box by its metadata, also in ranges, and counts one download', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'ranged');
  await send(await uploadPath(admin, made), image);
  expect((await server.anonymous.get('/admin/ranged')).body['versions']).toEqual([]);
  expect((await server.anonymous.get(made.download)).status).toBe(404);
  await admin.put(`${made.version}/release`);

  for (const path of ['/admin/ranged', '/admin/ranged.json', '/api/v2/vagrant/admin/ranged']) {
    const head = await server.anonymous.send('HEAD', path);
    expect([head.status, head.headers.get('content-type'), head.text]).toEqual([200, 'application/json', '']);
    expect((await server.anonymous.get(path)).body).toMatchObject({ name: 'admin/ranged' });
  }
  const url = server.url + made.download;
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), head.headers.get('accept-ranges')]).toEqual([
    200,
    String(image.length),
    'bytes',
  ]);
  const get = async (range: string, more: Record<string, string> = {}) => {
    const answer = await fetch(url, { headers: { range, ...more } });
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const resumed = await get('bytes=65000-');
  expect([resumed.answer.status, resumed.answer.headers.get('content-range')]).toEqual([
    206,
    'bytes 65000-69999/70000',
  ]);
  expect(resumed.bytes.equals(image.subarray(65_000))).toBe(true);
  expect((await admin.get(made.box)).body['downloads']).toBe(0);
  const last = await get('bytes=-10');
  expect(last.bytes.equals(image.subarray(-10))).toBe(true);
  const beyond = await get('bytes=70000-');
  expect([beyond.answer.status, beyond.answer.headers.get('content-range')]).toEqual([416, 'bytes */70000']);
  const headBeyond = await fetch(url, { method: 'HEAD', headers: { range: 'bytes=70000-' } });
  expect([headBeyond.status, headBeyond.headers.get('content-length')]).toEqual([200, '70000']);
  expect((await get('bytes=0-9', { 'if-range': '"another"' })).answer.status).toBe(200);
  const etag = head.headers.get('etag') ?? '';
  for (const tags of [`"another", ${etag}`, `W/${etag}`, '*']) {
    const known = await get('', { 'if-none-match': tags });
    expect([known.answer.status, known.bytes.length]).toEqual([304, 0]);
  }
  expect((await get('bytes=5-9', { 'if-range': etag })).bytes.equals(image.subarray(5, 10))).toBe(true);
  expect((await admin.get(made.box)).body['downloads']).toBe(1);
  await fetch(url);
  expect((await admin.get(made.provider)).body['downloads']).toBe(2);

  await admin.put(`${made.version}/revoke`);
  expect((await server.anonymous.get(made.download)).status).toBe(404);
  expect((await server.anonymous.get('/admin/ranged')).body['versions']).toEqual([]);
});

test('counts downloads by day for a year, for those who can read the box', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'daily');
  await send(await uploadPath(admin, made), image);
  await admin.put(`${made.version}/release`);
  const url = server.url + made.download;
  const today = () => new Date(server.clock.now()).toISOString().slice(0, 10);
  const daily = async () => (await admin.get('/api/v1/box/admin/daily/downloads')).body;
  expect(await daily()).toEqual({ downloads: [] });
  const first = today();
  await fetch(url);
  await fetch(url);
  server.clock.advance(365 * 86_400_000);
  const second = today();
  await fetch(url);
  expect(await daily()).toEqual({
    downloads: [
      { date: first, count: 2 },
      { date: second, count: 1 },
    ],
  });
  server.clock.advance(86_400_000);
  await fetch(url);
  expect(await daily()).toMatchObject({ downloads: [{ date: second }, { date: today(), count: 1 }] });
  await admin.put(made.box, { box: { is_private: true } });
  expect((await server.anonymous.get('/api/v1/box/admin/daily/downloads')).status).toBe(404);
});

test('logs nothing when a client disconnects before its image is opened', async () => {
  using folder = temporaryFolder();
  const images = await diskObjects(folder.path, 'kept');
  const opened = Promise.withResolvers<Readable>();
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const lines: string[] = [];
  await using server = await startServer({
    log: createLog({
      service: 'boxes',
      level: 'warn',
      destination: { write: (line) => void lines.push(line) },
    }),
    images: {
      ...images,
      async read(key, range) {
        asked.resolve();
        await left.promise;
        const bytes = await images.read(key, range);
        opened.resolve(bytes);
        return bytes;
      },
    },
  });
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'left');
  await send(await uploadPath(admin, made), image);
  await admin.put(`${made.version}/release`);
  const client = request(server.url + made.download).on('error', () => undefined);
  client.end();
  await asked.promise;
  client.destroy();
  // The answer shows that the server has already noticed the disconnected client.
  await server.anonymous.get('/admin/left');
  left.resolve();
  await once(await opened.promise, 'close');
  expect(lines).toEqual([]);
});

test('parses a range within the image, or reports it as unsatisfiable', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('bytes', '=', '-', ',', '0', '1', '5', '9') }),
      fc.nat(1000),
      (text, size) => {
        const range = parseRange(text, size);
        if (range === undefined || range === 'unsatisfiable') return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThanOrEqual(range.start);
        expect(range.end).toBeLessThan(size);
      },
    ),
    {
      examples: [
        ['bytes=0-0', 1],
        ['bytes=-5', 3],
        ['bytes=2-1', 5],
        ['bytes=-0', 5],
        ['bytes=99999999999999999999-', 5],
      ],
    },
  );
  expect(parseRange('bytes=1-2', 10)).toEqual({ start: 1, end: 2 });
  expect(parseRange('Bytes=1-2', 10)).toEqual({ start: 1, end: 2 });
  expect(parseRange('bytes=1-2,4-5', 10)).toBeUndefined();
});
