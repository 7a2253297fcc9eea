import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { diskObjects } from '@gatehouse/service-kit/object-store/disk';
import { s3Objects } from '@gatehouse/service-kit/object-store/s3';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { hasMoto } from '@gatehouse/service-kit/testing/moto';
import { startS3 } from '@gatehouse/service-kit/testing/s3-server';
import type { S3Server } from '@gatehouse/service-kit/testing/s3-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProvider, digest, send, uploadPath } from '../testing/publishing.ts';
import { startServer } from '../testing/server.ts';

if (!hasMoto)
  process.stderr.write(
    '\n*** NOT TESTED: moto is not installed here; images are tested on disk alone. ***\n\n',
  );

let s3: S3Server;
beforeAll(async () => {
  if (hasMoto) s3 = await startS3();
});
afterAll(() => s3?.[Symbol.asyncDispose]());

const image = Buffer.alloc(20 * 2 ** 20, 'image of a machine in parts');

test.runIf(hasMoto)('keeps images in an S3-compatible store', async () => {
  await using server = await startServer({ images: await s3Objects(s3.options) });
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'remote', {
    checksum: digest('sha1', image),
    checksum_type: 'sha1',
  });
  expect((await send(await uploadPath(admin, made), Buffer.from('another'))).status).toBe(422);
  expect(await s3.objects()).toEqual([]);
  const path = await uploadPath(admin, made);
  const { pathname, search } = new URL(path);
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Length: ${image.length}\r\n\r\n`);
  await new Promise((resolve) => socket.write(image.subarray(0, 18 * 2 ** 20), resolve));
  socket.resetAndDestroy();
  expect((await send(path, image)).status).toBe(200);
  await expect.poll(() => s3.objects()).toHaveLength(1);

  await admin.put(`${made.version}/release`);
  const part = await fetch(server.url + made.download, { headers: { range: 'bytes=100-199' } });
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer()).equals(image.subarray(100, 200))).toBe(true);
  const whole = await fetch(server.url + made.download);
  expect(digest('sha1', Buffer.from(await whole.arrayBuffer()))).toBe(digest('sha1', image));

  await server.restart();
  expect(await s3.objects()).toHaveLength(1);
  await admin.delete(made.box);
  expect(await s3.objects()).toEqual([]);
});

test.runIf(hasMoto)('reports an unreachable image store in its health, and still serves boxes', async () => {
  const gone = await startS3();
  await using server = await startServer({ images: await s3Objects(gone.options) });
  const health = async () => {
    const answer = await server.anonymous.get('/health');
    return [answer.status, answer.body['store_reachable']];
  };
  expect(await health()).toEqual([200, true]);
  await gone[Symbol.asyncDispose]();
  // The last health of the store is kept for a moment.
  await expect.poll(health, { timeout: 10_000 }).toEqual([200, false]);
  expect((await server.anonymous.get('/api/v2/search')).status).toBe(200);
});

test.runIf(hasMoto)('deletes the objects that are left over, but no others', async () => {
  const images = await s3Objects(s3.options);
  const body = async function* () {
    yield Buffer.from('image');
  };
  const kept = await images.receive(body(), 'sha256');
  const left = await images.receive(body(), 'sha256');
  const others = await s3Objects({ ...s3.options, prefix: '' });
  const other = await others.receive(body(), 'sha256', undefined, crypto.randomUUID());
  expect(await images.sweep(new Set([left.key, other.key]))).toBe(2);
  expect(await s3.objects()).toEqual([`boxes/${kept.key}`, other.key].sort());
  await others.remove(other.key);
  await images.remove(kept.key);
  await expect(images.read(kept.key)).rejects.toThrow(kept.key);
});

test.runIf(hasMoto)('reports an unreachable store as unavailable', async () => {
  await expect(s3Objects({ ...s3.options, bucket: 'missing' })).rejects.toMatchObject({ reason: 'failed' });
  const images = await s3Objects(s3.options);
  await using server = await startServer({ images });
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'unreachable');
  const path = await uploadPath(admin, made);
  await s3[Symbol.asyncDispose]();
  const refused = await send(path, Buffer.from('image'));
  expect([refused.status, await refused.json()]).toEqual([
    503,
    { errors: ['The store is not available at the moment.'], success: false },
  ]);
});

/** A store with the test's answers. */
async function storeThat(answers: RequestListener, answerMs = 60_000, sweepMs = 30_000) {
  const store = createServer(answers);
  await once(store.listen(0, '127.0.0.1'), 'listening');
  const { port } = store.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const images = await s3Objects({
    bucket: 'images',
    prefix: '',
    region: 'us-east-1',
    endpoint,
    credentials,
    answerMs,
    sweepMs,
  });
  return {
    images,
    [Symbol.dispose]() {
      store.close();
      store.closeAllConnections();
    },
  };
}

test('reports a store that fails during an image as unavailable', async () => {
  using store = await storeThat((req, res) => {
    if (req.method === 'POST' && req.url?.includes('uploads') === true) {
      res.end('<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>');
      return;
    }
    res.statusCode = req.method === 'PUT' ? 500 : 200;
    req.resume().once('end', () => res.end());
  });
  const pieces = async function* () {
    for (let count = 0; count < 80; count++) yield Buffer.alloc(2 ** 20);
  };
  await expect(store.images.receive(pieces(), 'sha256')).rejects.toMatchObject({ reason: 'failed' });
});

test('keeps three parts of an image in memory while the store takes none', async () => {
  let parts = 0;
  using store = await storeThat((req, res) => {
    if (req.method === 'POST') {
      res.end('<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>');
      return;
    }
    // The bytes of a part are never read, and never answered.
    if (req.method === 'PUT') parts += 1;
    else res.end();
  });
  let taken = 0;
  const pieces = async function* () {
    for (; taken < 100; taken += 1) yield Buffer.alloc(2 ** 20);
  };
  const receiving = store.images.receive(pieces(), 'sha256');
  receiving.catch(() => undefined);
  await expect.poll(() => parts).toBe(2);
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  expect(taken).toBeLessThanOrEqual(25);
});

const oneMegabyte = async function* () {
  yield Buffer.alloc(2 ** 20);
};

test('reports a store that accepts an image but never answers as unavailable', async () => {
  using store = await storeThat((req, res) => {
    req.resume();
    if (req.method === 'HEAD') res.end();
  }, 50);
  const unavailable = { name: 'StoreUnavailable', reason: 'failed' };
  await expect(store.images.receive(oneMegabyte(), 'sha256')).rejects.toMatchObject(unavailable);
  await expect(store.images.read('an image')).rejects.toMatchObject(unavailable);
  await expect(store.images.remove('an image')).rejects.toMatchObject(unavailable);
});

test('a download that its client leaves no longer waits for a silent store', async () => {
  const asked = Promise.withResolvers<IncomingMessage>();
  using store = await storeThat((req, res) => {
    if (req.method === 'HEAD') res.end();
    else asked.resolve(req);
  });
  using folder = temporaryFolder();
  const images = await diskObjects(folder.path, 'images');
  await using server = await startServer({
    images: { ...images, read: (...asked) => store.images.read(...asked) },
  });
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'waiting');
  await send(await uploadPath(admin, made), Buffer.from('image'));
  await admin.put(`${made.version}/release`);
  const client = request(server.url + made.download).on('error', () => undefined);
  client.end();
  const waiting = await asked.promise;
  client.destroy();
  await expect(once(waiting.socket, 'close')).resolves.toBeDefined();
});

const begun = 'an answer that is begun';

test.each<[string, RequestListener]>([
  [
    'stands still',
    (_req, res) => {
      res.writeHead(200, { ETag: '"1"' }).write(begun);
    },
  ],
  [
    'is an error that stands still',
    (_req, res) => {
      res.writeHead(400).write(begun);
    },
  ],
  [
    'has no end',
    (_req, res) => {
      res.writeHead(200, { ETag: '"1"' });
      const more = (): void => {
        while (!res.destroyed && res.write(Buffer.alloc(2 ** 16, ' ')));
      };
      res.on('drain', more);
      more();
    },
  ],
])(
  'reports a store whose answer %s as unavailable',
  async (_kind, answers) => {
    using store = await storeThat((req, res) => {
      req.resume();
      if (req.method === 'HEAD') res.end();
      else answers(req, res);
    }, 500);
    const unavailable = { name: 'StoreUnavailable', reason: 'failed' };
    await expect(store.images.receive(oneMegabyte(), 'sha256')).rejects.toMatchObject(unavailable);
    await expect(store.images.remove('an image')).rejects.toMatchObject(unavailable);
    await expect(store.images.sweep(new Set())).rejects.toMatchObject(unavailable);
  },
  20_000,
);

test('refuses long answers of a store before they are parsed', async () => {
  const long = ' '.repeat(2 ** 16);
  using store = await storeThat((req, res) => {
    req.resume();
    if (req.method === 'HEAD') return void res.end();
    if (req.method === 'GET') res.statusCode = 500;
    res.end(`<Answer><UploadId>1</UploadId>${long}</Answer>`);
  });
  const tooLong = { reason: 'failed', cause: { message: 'The answer was too long' } };
  await expect(store.images.read('an image')).rejects.toMatchObject(tooLong);
  await expect(store.images.remove('an image')).rejects.toMatchObject(tooLong);
  const parts = async function* () {
    yield Buffer.alloc(20 * 2 ** 20);
  };
  await expect(store.images.receive(parts(), 'sha256')).rejects.toMatchObject(tooLong);
});

test('lists incomplete uploads in pages of at most 1 MiB', async () => {
  let length = 2 ** 20 - 1_000;
  const pages: (string | null)[] = [];
  using store = await storeThat((req, res) => {
    if (req.method === 'HEAD') return void res.end();
    pages.push(new URL(req.url ?? '', 'http://store').searchParams.get('max-uploads'));
    res.end(`<ListMultipartUploadsResult>${' '.repeat(length)}</ListMultipartUploadsResult>`);
  });
  expect(await store.images.sweep(new Set())).toBe(0);
  expect(pages).toEqual(['100']);
  length = 2 ** 20;
  await expect(store.images.sweep(new Set())).rejects.toMatchObject({
    cause: { message: 'The answer was too long' },
  });
});

test("limits the delay when a replaced image can't be deleted to a few seconds", async () => {
  using store = await storeThat((req, res) => {
    if (req.method === 'HEAD') res.end();
  });
  await expect(store.images.remove('an image')).rejects.toMatchObject({ name: 'StoreUnavailable' });
}, 20_000);

test('stops a sweep in time when a list never ends', async () => {
  let lists = 0;
  using store = await storeThat(
    (req, res) => {
      if (req.url?.includes('uploads') !== true) return void res.end('<ListResult/>');
      lists += 1;
      res.end('<ListMultipartUploadsResult><IsTruncated>true</IsTruncated></ListMultipartUploadsResult>');
    },
    undefined,
    300,
  );
  await expect(store.images.sweep(new Set())).rejects.toMatchObject({ name: 'StoreUnavailable' });
  expect(lists).toBeGreaterThan(1);
});

test('refuses a range with other bytes from the store', async () => {
  const image = Buffer.from('0123456789');
  using store = await storeThat((req, res) => {
    res.writeHead(200, { 'Content-Length': image.length }).end(req.method === 'HEAD' ? undefined : image);
  });
  await expect(store.images.read('an image', { start: 4, end: 6 })).rejects.toMatchObject({
    name: 'StoreUnavailable',
    reason: 'failed',
  });
});

test('detects a store that kept less than it acknowledged, and deletes the incomplete object', async () => {
  const removed: string[] = [];
  using store = await storeThat((req, res) => {
    const [path = ''] = req.url?.split('?') ?? [];
    if (req.method === 'DELETE') removed.push(path);
    if (req.method === 'HEAD') res.setHeader('Content-Length', 2 ** 20 - 1);
    if (req.method === 'PUT') res.setHeader('ETag', '"1"');
    req.resume().once('end', () => res.end());
  });
  await using server = await startServer({ images: store.images });
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'short');
  const refused = await send(await uploadPath(admin, made), Buffer.alloc(2 ** 20));
  expect([refused.status, await refused.json()]).toEqual([
    503,
    { errors: ["The store didn't keep the whole upload. Upload it again."], success: false },
  ]);
  expect(removed).toEqual([expect.stringMatching(/^\/images\/[0-9a-f-]{36}$/)]);
});

test('opens an image while many others are read slowly', async () => {
  using store = await storeThat((req, res) => {
    res.writeHead(200, { 'Content-Length': 1000 });
    if (req.method === 'HEAD') res.end();
    else res.write('begun, and not read to its end');
  });
  const { images } = store;
  const bodies = await Promise.all(Array.from({ length: 60 }, () => images.read('an image')));
  expect(bodies).toHaveLength(60);
  for (const body of bodies) body.destroy();
});
