import { readdirSync, renameSync } from 'node:fs';
import * as disk from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { diskObjects } from '@gatehouse/service-kit/object-store/disk';
import type { FileSystem } from '@gatehouse/service-kit/object-store/disk';
import type { ObjectStore } from '@gatehouse/service-kit/object-store/object-store';
import { StoreUnavailable } from '@gatehouse/service-kit/store-error';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import type { Client } from '@gatehouse/service-kit/testing/client';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { checksumTypes } from '../../domain/checksum.ts';
import { createProvider, digest, send, uploadPath } from '../../testing/publishing.ts';
import { startServer } from '../../testing/server.ts';
import type { TestServer } from '../../testing/server.ts';

const image = Buffer.from('an image of a machine '.repeat(40_000));

/** The files of images in the data folder, complete or not. */
function filesOf({ dataDir }: Pick<TestServer, 'dataDir'>): string[] {
  return ['incoming', 'images'].flatMap((name) => readdirSync(join(dataDir, 'box-images', name)));
}

test('keeps images when the registry starts without its database, which returns later', async () => {
  await using server = await startServer();
  const made = await createProvider(await server.as('administrator'), 'kept');
  const admin = await server.as('administrator');
  expect((await send(await uploadPath(admin, made), image)).status).toBe(200);
  await admin.put(`${made.version}/release`);
  const file = join(server.dataDir, 'box-registry.db');
  await server.restart(async () => renameSync(file, `${file}.away`));
  const other = await createProvider(await server.as('administrator'), 'other');
  expect((await send(await uploadPath(await server.as('administrator'), other), image)).status).toBe(200);
  await server.restart(async () => renameSync(`${file}.away`, file));
  expect((await fetchImage(server, made.download)).equals(image)).toBe(true);
  expect(filesOf(server)).toHaveLength(2);
});

test("deletes at a start the images that the image store didn't delete before", async () => {
  using folder = temporaryFolder();
  const objects = await diskObjects(folder.path, 'images');
  let fails = true;
  const images: ObjectStore = {
    ...objects,
    remove: (key) =>
      fails ? Promise.reject(new StoreUnavailable('failed', undefined)) : objects.remove(key),
  };
  await using server = await startServer({ images });
  const admin = await server.as('administrator');
  const [kept, deleted] = [await createProvider(admin, 'kept'), await createProvider(admin, 'deleted')];
  for (const made of [kept, kept, deleted])
    expect((await send(await uploadPath(admin, made), image)).status).toBe(200);
  expect((await admin.delete(deleted.box)).status).toBe(200);
  const stored = (): string[] => readdirSync(join(folder.path, 'images'));
  expect(stored()).toHaveLength(3);
  fails = false;
  await server.restart();
  expect(stored()).toHaveLength(1);
  expect((await fetchImageAs(admin, server, kept.download)).equals(image)).toBe(true);
  expect((await admin.delete(kept.box)).status).toBe(200);
  expect(stored()).toEqual([]);
  using db = new DatabaseSync(join(server.dataDir, 'box-registry.db'));
  expect(db.prepare('SELECT key FROM leftover').all()).toEqual([]);
});

async function fetchImage(server: TestServer, path: string): Promise<Buffer> {
  const answer = await fetch(server.url + path);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

test("verifies an image against its provider's checksum, of every kind", async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  for (const type of checksumTypes) {
    const right = { checksum: digest(type, image).toUpperCase(), checksum_type: type };
    const good = await createProvider(admin, `good-${type}`, right);
    expect((await send(await uploadPath(admin, good), image)).status).toBe(200);
    const read = await admin.get(good.provider);
    expect(read.body).toMatchObject({
      checksum: digest(type, image),
      checksum_type: type,
      size: image.length,
    });
    expect((await fetchImageAs(admin, server, good.download)).equals(image)).toBe(true);

    const before = filesOf(server);
    const wrong = { checksum: digest(type, Buffer.from('another')), checksum_type: type };
    const bad = await createProvider(admin, `bad-${type}`, wrong);
    const refused = await send(await uploadPath(admin, bad), image);
    expect([refused.status, await refused.json()]).toEqual([
      422,
      {
        errors: ["Checksum of the uploaded image doesn't match the provider's: the image was discarded"],
        success: false,
      },
    ]);
    expect(filesOf(server)).toEqual(before);
    expect((await admin.put(`${bad.version}/release`)).status).toBe(422);
  }
});

async function fetchImageAs(client: Client, server: TestServer, path: string): Promise<Buffer> {
  const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${client.token}` } });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

test('gives a provider without a checksum that of its image, which another image may replace', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'plain');
  expect((await send(await uploadPath(admin, made), image)).status).toBe(200);
  expect((await admin.get(made.provider)).body).toMatchObject({
    checksum: digest('sha256', image),
    checksum_type: 'sha256',
  });
  const other = Buffer.from('another image');
  expect((await send(await uploadPath(admin, made), other)).status).toBe(200);
  expect((await admin.get(made.provider)).body).toMatchObject({ checksum: digest('sha256', other) });
});

test('applies a direct upload only at its callback, which may be repeated', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'direct');
  const prepared = await admin.get(`${made.provider}/upload/direct`);
  const callback = String(prepared.body['callback']);
  expect(callback.startsWith(`${server.url}${made.provider}/upload/direct/`)).toBe(true);
  const path = callback.slice(server.url.length);

  expect((await admin.put(path)).body).toEqual({
    errors: ['No image has been uploaded yet'],
    success: false,
  });
  expect((await send(String(prepared.body['upload_path']), image)).status).toBe(200);
  expect((await admin.get(made.provider)).body).toMatchObject({ download_url: null });
  expect((await admin.put(`${made.version}/release`)).status).toBe(422);
  expect((await server.anonymous.put(path)).status).toBe(401);
  const operator = await server.as('operator');
  expect((await operator.put(path)).status).toBe(403);

  for (let time = 0; time < 2; time++) {
    const done = await admin.put(path);
    expect([done.status, done.body['size']]).toEqual([200, image.length]);
  }
  expect((await admin.put(`${made.version}/release`)).status).toBe(200);
  expect((await fetchImage(server, made.download)).equals(image)).toBe(true);
  expect(filesOf(server)).toHaveLength(1);
});

test('accepts a repeated upload of the same image, and refuses another image', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'again');
  const path = await uploadPath(admin, made);
  expect((await send(path, image)).status).toBe(200);
  expect((await send(path, image)).status).toBe(200);
  expect((await send(path, Buffer.from('another one'))).status).toBe(422);
  expect(filesOf(server)).toHaveLength(1);
  expect((await fetchImageAs(admin, server, made.download)).equals(image)).toBe(true);
});

test('replaces the image by another upload, and deletes the old one', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'replaced', { checksum: '', checksum_type: '' });
  await send(await uploadPath(admin, made), image);
  const other = Buffer.from('the second image');
  await admin.put(made.provider, {
    provider: { checksum: digest('md5', other), checksum_type: 'md5' },
  });
  expect((await admin.put(`${made.version}/release`)).body).toEqual({
    errors: ["Version has no valid provider: an uploaded image doesn't match its provider's checksum"],
    success: false,
  });
  expect((await send(await uploadPath(admin, made), other)).status).toBe(200);
  expect((await admin.put(`${made.version}/release`)).status).toBe(200);
  expect(filesOf(server)).toHaveLength(1);
  expect((await fetchImage(server, made.download)).equals(other)).toBe(true);
});

test('computes a checksum of another kind for a stored image', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'rehashed');
  await send(await uploadPath(admin, made), image);
  const sha512 = digest('sha512', image);
  const changed = await admin.put(made.provider, { checksum: sha512, checksum_type: 'sha512' });
  expect([changed.status, changed.body['checksum']]).toEqual([200, sha512]);
  expect((await admin.put(`${made.version}/release`)).status).toBe(200);
});

test("an upload URL is valid for an hour and can't be forged", async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'expiring');
  const path = await uploadPath(admin, made);
  const url = new URL(path);
  const later = new URL(path);
  later.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1));
  const flipped = new URL(path);
  flipped.searchParams.set('signature', `A${url.searchParams.get('signature')?.slice(1)}`);
  const bare = new URL(url.pathname, url);
  for (const foreign of [later, flipped, bare]) {
    if (foreign.href === path) continue;
    expect((await send(foreign.href, image)).status).toBe(404);
  }
  server.clock.advance(60 * 60 * 1000 - 1);
  expect((await send(path, image)).status).toBe(200);
  server.clock.advance(1);
  const expired = await send(path, image);
  expect([expired.status, await expired.json()]).toEqual([
    403,
    { errors: ['The upload URL has expired: request a new one'], success: false },
  ]);
});

test('an account has at most 1,000 incomplete uploads, and expired ones are deleted a few at a time', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'asked');
  const ask = () => admin.get(`${made.provider}/upload`);
  const { upload_path: path, callback } = (await admin.get(`${made.provider}/upload/direct`)).body;
  expect((await send(String(path), Buffer.from('image'))).status).toBe(200);
  for (let n = 1; n < 1_000; n += 1) expect((await ask()).status).toBe(200);
  const refused = await ask();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
  expect(refused.body).toEqual({
    errors: [
      'You have 1000 uploads without an image or a callback. Complete them, or wait until they expire',
    ],
    success: false,
  });
  expect((await admin.put(new URL(String(callback)).pathname)).status).toBe(200);
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(429);
  const operator = await server.as('operator');
  const other = await createProvider(operator, 'other', {}, 'operator');
  expect((await operator.get(`${other.provider}/upload`)).status).toBe(200);
  server.clock.advance(60 * 60 * 1000);
  const rows = (): unknown => {
    using database = new DatabaseSync(join(server.dataDir, 'box-registry.db'), { readOnly: true });
    return database.prepare('SELECT count(*) AS count FROM upload').get()?.['count'];
  };
  expect((await ask()).status).toBe(200);
  expect(rows()).toBe(503);
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(200);
  expect(rows()).toBe(3);
});

test("a request for an upload URL doesn't wait until the image store has deleted expired images", async () => {
  using folder = temporaryFolder();
  const removed: string[] = [];
  const images: ObjectStore = {
    ...(await diskObjects(folder.path, 'images')),
    remove(key) {
      removed.push(key);
      return new Promise(() => undefined);
    },
  };
  await using server = await startServer({ images });
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'expired');
  const { upload_path: path } = (await admin.get(`${made.provider}/upload/direct`)).body;
  expect((await send(String(path), image)).status).toBe(200);
  server.clock.advance(24 * 60 * 60 * 1000);
  expect((await admin.get(`${made.provider}/upload`)).status).toBe(200);
  expect(removed).toEqual(readdirSync(join(folder.path, 'images')));
});

test('an upload URL is useless once the token that requested it is revoked', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'left');
  const stolen = await server.as('administrator');
  const before = await uploadPath(admin, made);
  const path = await uploadPath(stolen, made);
  expect((await stolen.delete('/api/v1/authenticate')).status).toBe(204);
  expect((await send(path, image)).status).toBe(403);
  expect((await admin.get(made.provider)).body['size']).toBeNull();
  // Other tokens of the account are not affected.
  expect((await send(before, image)).status).toBe(200);
});

test.each([
  [
    '403',
    'the token that requested its URL',
    (_admin: Client, token: Client) => token.delete('/api/v1/authenticate'),
  ],
  ['404', 'its box', (admin: Client) => admin.delete('/api/v1/box/admin/endless')],
])('cuts off an upload (%s) soon after %s is deleted', async (status, _what, lose) => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const token = await server.as('administrator');
  const { pathname, search } = new URL(await uploadPath(token, await createProvider(admin, 'endless')));
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nim`);
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk))).on('error', () => undefined);
  await expect.poll(() => filesOf(server)).toHaveLength(1);
  await lose(admin, token);
  const more = (): string => {
    socket.write('age');
    return answer;
  };
  await expect.poll(more, { timeout: 10_000 }).toContain(`HTTP/1.1 ${status}`);
  await expect.poll(() => filesOf(server)).toEqual([]);
  socket.destroy();
});

test('an upload URL is useless once the account that requested it may not publish there', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  await admin.post('/api/v1/organizations', { organization: { username: 'crew' } });
  const made = await createProvider(admin, 'left', {}, 'crew');
  const members = '/api/v1/organizations/crew/members';
  const join = () => admin.post(members, { username: 'operator', role: 'publisher' });
  const change = async (fields: Parameters<typeof server.accounts.update>[2]): Promise<void> => {
    const { id, version } = server.accounts.getByLoginName('operator') ?? { id: '', version: 0 };
    await server.accounts.update(id, version, fields);
  };
  await join();
  const path = await uploadPath(await server.as('operator'), made);
  const losses = [
    [() => admin.delete(`${members}/operator`), join],
    [
      () => admin.put(`${members}/operator`, { role: 'reader' }),
      () => admin.put(`${members}/operator`, { role: 'publisher' }),
    ],
    [() => change({ roles: { boxes: 'read-only' } }), () => change({ roles: { boxes: 'operator' } })],
  ] as const;
  for (const [lose, regain] of losses) {
    await lose();
    expect((await send(path, image)).status).toBe(403);
    await regain();
    // The right is lost while the image arrives: nothing of the image is kept.
    const { pathname, search } = new URL(path);
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      `PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n\r\nim`,
    );
    const answer = readAll(socket);
    await expect.poll(() => filesOf(server)).toHaveLength(1);
    await lose();
    socket.write('age');
    expect(await answer).toContain('HTTP/1.1 403');
    expect(filesOf(server)).toEqual([]);
    await regain();
  }
  expect((await send(path, image)).status).toBe(200);
  let stolen = await uploadPath(await server.as('operator'), made);
  await change({ disabled: true });
  expect((await send(stolen, image)).status).toBe(403);
  await change({ disabled: false });
  expect((await send(stolen, image)).status).toBe(403);
  stolen = await uploadPath(await server.as('operator'), made);
  await server.accounts.setPassword(server.accounts.getByLoginName('operator')?.id ?? '', 'a new password');
  expect((await send(stolen, image)).status).toBe(403);
});

describe('a change of the checksum type', () => {
  /** A server whose reads of images wait. @param body what is read; the stored image unless given */
  async function startWaiting(body?: Readable) {
    const folder = temporaryFolder();
    const images = await diskObjects(folder.path, 'images');
    const release = Promise.withResolvers<void>();
    let reads = 0;
    const server = await startServer({
      images: {
        ...images,
        async read(key) {
          reads += 1;
          await release.promise;
          return body ?? images.read(key);
        },
      },
    });
    const admin = await server.as('administrator');
    await admin.post('/api/v1/organizations', { organization: { username: 'crew' } });
    await admin.post('/api/v1/organizations/crew/members', { username: 'operator', role: 'publisher' });
    const made = await createProvider(admin, 'slow', {}, 'crew');
    expect((await send(await uploadPath(admin, made), image)).status).toBe(200);
    return {
      server,
      admin,
      made,
      release,
      reads: () => reads,
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]();
        folder[Symbol.dispose]();
      },
    };
  }
  const fields = { checksum: digest('md5', image), checksum_type: 'md5' };

  test('keeps its turn to compute the checksum, however long that takes', async () => {
    await using it = await startWaiting();
    const other = await createProvider(it.admin, 'waits', {}, 'crew');
    expect((await send(await uploadPath(it.admin, other), image)).status).toBe(200);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    for (const { provider } of [it.made, other]) {
      const answers: unknown[] = [];
      const changed = it.admin.put(provider, { provider: fields }).then((answer) => answers.push(answer));
      await vi.waitFor(
        () => {
          vi.advanceTimersByTime(1_000);
          expect(answers).toHaveLength(1);
        },
        { interval: 10 },
      );
      await changed;
      expect(answers).toMatchObject([
        {
          status: 503,
          body: { errors: [expect.stringContaining("md5 checksum of the image isn't computed")] },
        },
      ]);
    }
    vi.useRealTimers();
    expect(it.reads()).toBe(1);
    it.release.resolve();
    await expect.poll(it.reads).toBe(2);
    for (const { provider } of [it.made, other])
      expect((await it.admin.put(provider, { provider: fields })).body).toMatchObject(fields);
    expect(it.reads()).toBe(2);
  });

  test('is refused if the account loses the right while the checksum is computed', async () => {
    await using it = await startWaiting();
    const changed = (await it.server.as('operator')).put(it.made.provider, { provider: fields });
    await expect.poll(it.reads).toBe(1);
    await it.admin.put('/api/v1/organizations/crew/members/operator', { role: 'reader' });
    it.release.resolve();
    expect((await changed).status).toBe(403);
    expect((await it.admin.get(it.made.provider)).body).toMatchObject({ checksum: digest('sha256', image) });
  });

  test('does not begin to compute a checksum whose account has lost the right', async () => {
    await using it = await startWaiting();
    const next = await createProvider(it.admin, 'next', {}, 'crew');
    expect((await send(await uploadPath(it.admin, next), image)).status).toBe(200);
    const operator = await it.server.as('operator');
    const first = operator.put(it.made.provider, { provider: fields });
    await expect.poll(it.reads).toBe(1);
    const second = operator.put(next.provider, { provider: fields });
    await it.admin.put('/api/v1/organizations/crew/members/operator', { role: 'reader' });
    it.release.resolve();
    expect([(await first).status, (await second).status]).toEqual([403, 403]);
    expect(it.reads()).toBe(1);
  });

  test('stops computing a checksum once its account has lost the right', async () => {
    const endless = new Readable({
      read() {
        setImmediate(() => this.push(Buffer.alloc(1_000)));
      },
    });
    onTestFinished(() => void endless.destroy());
    await using it = await startWaiting(endless);
    it.release.resolve();
    const changed = (await it.server.as('operator')).put(it.made.provider, { provider: fields });
    await expect.poll(it.reads).toBe(1);
    await it.admin.put('/api/v1/organizations/crew/members/operator', { role: 'reader' });
    expect((await changed).status).toBe(403);
    expect(endless.destroyed).toBe(true);
  });

  test('is not made once its client has left, but repeating it does not compute the checksum again', async () => {
    await using it = await startWaiting();
    const gone = new AbortController();
    const headers = { authorization: `Bearer ${it.admin.token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ provider: fields });
    const left = fetch(it.server.url + it.made.provider, {
      method: 'PUT',
      headers,
      body,
      signal: gone.signal,
    });
    await expect.poll(it.reads).toBe(1);
    gone.abort();
    await expect(left).rejects.toThrow();
    // The registry has noticed that the client left once it answers on the same server.
    expect((await it.admin.get(it.made.provider)).body).toMatchObject({ checksum_type: 'sha256' });
    const repeated = it.admin.put(it.made.provider, { provider: fields });
    it.release.resolve();
    expect((await repeated).body).toMatchObject(fields);
    expect(it.reads()).toBe(1);
  });
});

test('deletes an image that was received but never finished when its URL expires', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'forgotten');
  const { upload_path: path } = (await admin.get(`${made.provider}/upload/direct`)).body;
  expect((await send(String(path), image)).status).toBe(200);
  await server.restart();
  expect(filesOf(server)).toHaveLength(1);
  server.clock.advance(60 * 60 * 1000);
  await uploadPath(admin, made);
  await expect.poll(() => filesOf(server)).toEqual([]);
});

test('an upload may outlast its URL, and still has time for its callback', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'slow');
  const { upload_path: path, callback } = (await admin.get(`${made.provider}/upload/direct`)).body;
  const { pathname, search } = new URL(String(path));
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    `PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n\r\nim`,
  );
  const answer = readAll(socket);
  await expect.poll(() => filesOf(server)).toHaveLength(1);
  server.clock.advance(2 * 60 * 60 * 1000);
  await uploadPath(admin, made);
  socket.write('age');
  expect(await answer).toContain('HTTP/1.1 200 OK');
  server.clock.advance(59 * 60 * 1000);
  await uploadPath(admin, made);
  expect((await admin.put(new URL(String(callback)).pathname)).status).toBe(200);
});

test('an upload to a provider that is deleted during it is not found', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'short');
  const { pathname, search } = new URL(await uploadPath(admin, made));
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    `PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n\r\nim`,
  );
  const answer = readAll(socket);
  await expect.poll(() => filesOf(server)).toHaveLength(1);
  expect((await admin.delete(made.provider)).status).toBe(200);
  socket.write('age');
  expect(await answer).toContain('HTTP/1.1 404');
  expect(filesOf(server)).toEqual([]);
});

test('upload URLs have the configured origin, whatever host is requested', async () => {
  await using server = await startServer({ publicUrl: 'https://boxes.example.com/' });
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'elsewhere');
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    `GET ${made.provider}/upload/direct HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\n` +
      `Authorization: Bearer ${admin.token}\r\nConnection: close\r\n\r\n`,
  );
  const text = await readAll(socket);
  expect(text).not.toContain('evil');
  expect(text).toContain('"upload_path":"https://boxes.example.com/upload/');
  expect(text).toContain(`"callback":"https://boxes.example.com${made.provider}/upload/direct/`);
});

test('a client that expects 100-continue sends its image only if it is accepted', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'patient');
  const { pathname, search } = new URL(await uploadPath(admin, made));
  const head = (target: string): string =>
    `PUT ${target} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\n`;

  const wanted = connect(server.port, '127.0.0.1');
  wanted.write(head(pathname + search));
  wanted.once('data', (first: Buffer) => {
    if (first.toString().startsWith('HTTP/1.1 100')) wanted.write('image');
  });
  expect(await readAll(wanted)).toContain('HTTP/1.1 200 OK');

  const unwanted = connect(server.port, '127.0.0.1');
  unwanted.write(head(pathname));
  const answer = await readAll(unwanted);
  expect(answer.startsWith('HTTP/1.1 404')).toBe(true);
});

test('never parses an image as JSON, whatever its content type', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'packed');
  const answer = await fetch(await uploadPath(admin, made), {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${admin.token}` },
    body: '{"not": json',
  });
  expect(answer.status).toBe(200);
  expect((await fetchImageAs(admin, server, made.download)).toString()).toBe('{"not": json');
});

test('refuses an empty image', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'empty');
  const path = await uploadPath(admin, made);
  expect((await send(path, Buffer.alloc(0))).status).toBe(422);
  const { pathname, search } = new URL(path);
  const chunked = connect(server.port, '127.0.0.1');
  const head = `PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
  chunked.write(`${head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`);
  expect((await readAll(chunked)).startsWith('HTTP/1.1 422')).toBe(true);
  expect(filesOf(server)).toEqual([]);
});

test('refuses an image for a version that has been revoked since the URL was requested', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'revoked');
  expect((await send(await uploadPath(admin, made), Buffer.from('image'))).status).toBe(200);
  const path = await uploadPath(admin, made);
  for (const step of ['release', 'revoke'])
    expect((await admin.put(`${made.version}/${step}`)).status).toBe(200);
  expect((await send(path, Buffer.from('another'))).status).toBe(422);
  expect(filesOf(server)).toHaveLength(1);
});

test('allows a repeated upload the full time, whatever happened to the first one', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'twice');
  const { pathname, search } = new URL(await uploadPath(admin, made));
  const begin = (): Socket => {
    const socket = connect(server.port, '127.0.0.1');
    const head = `PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5`;
    socket.write(`${head}\r\n\r\nim`);
    return socket;
  };
  const [first, second] = [begin(), begin()];
  const answer = readAll(second);
  await expect.poll(() => filesOf(server)).toHaveLength(2);
  first.resetAndDestroy();
  await expect.poll(() => filesOf(server)).toHaveLength(1);
  server.clock.advance(2 * 60 * 60 * 1000);
  await uploadPath(admin, made);
  second.write('age');
  expect(await answer).toContain('HTTP/1.1 200 OK');
  expect((await fetchImageAs(admin, server, made.download)).toString()).toBe('image');
});

test('leaves nothing behind when an upload is cut off anywhere, and accepts it again', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'cut');
  const { pathname, search } = new URL(await uploadPath(admin, made));
  const cut = async (at: number): Promise<void> => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Length: ${image.length}\r\n\r\n`);
    await new Promise<void>((resolve, reject) => {
      socket.write(image.subarray(0, at), (error) => (error ? reject(error) : resolve()));
    });
    socket.resetAndDestroy();
  };
  await fc.assert(
    fc.asyncProperty(fc.nat(image.length - 1), async (at) => {
      await cut(at);
      expect((await admin.get(made.provider)).body).toMatchObject({ download_url: null });
    }),
    { numRuns: 20, examples: [[0], [1], [image.length - 1]] },
  );
  await expect.poll(() => filesOf(server)).toEqual([]);
  expect((await send(`${server.url}${pathname}${search}`, image)).status).toBe(200);
  expect((await fetchImageAs(admin, server, made.download)).equals(image)).toBe(true);
});

test("receives 16 images of an account at once, and other accounts' images beside them", async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const operator = await server.as('operator');
  const made = await createProvider(admin, 'many');
  const begin = async (): Promise<Socket> => {
    const { pathname, search } = new URL(await uploadPath(admin, made));
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      `PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n`,
    );
    return socket;
  };
  const first = await begin();
  const begun = [first];
  while (begun.length < 16) begun.push(await begin());
  await expect.poll(() => filesOf(server).length).toBe(16);
  const last = await begin();
  let isAsked = false;
  last.once('data', (answer: Buffer) => (isAsked = answer.toString().startsWith('HTTP/1.1 100')));
  const other = await createProvider(operator, 'other', {}, 'operator');
  expect((await send(await uploadPath(operator, other), image)).status).toBe(200);
  expect(isAsked).toBe(false);
  first.destroy();
  await expect.poll(() => isAsked).toBe(true);
  for (const socket of [...begun, last]) socket.destroy();
});

test('gives up an upload that stands still', async () => {
  await using server = await startServer({ idleDeadlineMs: 50 });
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'still');
  const { pathname, search } = new URL(await uploadPath(admin, made));
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nten bytes!`);
  await readAll(socket);
  await expect.poll(() => filesOf(server)).toEqual([]);
});

test('reports a full disk, keeps nothing, and accepts uploads once space is free', async () => {
  using folder = temporaryFolder();
  let room = 300_000;
  /** A disk with `room` free bytes in total. */
  const small: FileSystem = {
    freeBytes: () => Promise.resolve(2 ** 40),
    async open(...given) {
      const file: FileHandle = await disk.open(...given);
      const writev = file.writev.bind(file);
      file.writev = async (chunks, position) => {
        room -= chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
        if (room < 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' });
        return writev(chunks, position);
      };
      return file;
    },
  };
  await using server = await startServer({ images: await diskObjects(folder.path, 'images', small) });
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'full');
  const path = await uploadPath(admin, made);
  const large = Buffer.alloc(5_000_000, 'x');
  const refused = await send(path, large);
  expect([refused.status, await refused.json()]).toEqual([
    507,
    { errors: ['There is no space left to store the image'], success: false },
  ]);
  const names = (): string[] =>
    ['incoming', 'images'].flatMap((name) => readdirSync(join(folder.path, name)));
  expect(names()).toEqual([]);
  expect((await admin.get(made.provider)).status).toBe(200);
  room = 300_000_000;
  expect((await send(path, large)).status).toBe(200);
  expect(names()).toHaveLength(1);
});

test('refuses an image without enough free space before it is sent', async () => {
  using folder = temporaryFolder();
  const freeBytes = async (): Promise<number> => 100 * 2 ** 20;
  await using server = await startServer({
    images: await diskObjects(folder.path, 'images', { open: disk.open, freeBytes }),
  });
  const admin = await server.as('administrator');
  const made = await createProvider(admin, 'roomless');
  const { pathname, search } = new URL(await uploadPath(admin, made));
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    `PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${50 * 2 ** 20}\r\n\r\n`,
  );
  expect((await readAll(socket)).startsWith('HTTP/1.1 507')).toBe(true);
});

function readAll(socket: Socket): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  socket.once('close', () => resolve(text));
  socket.on('error', () => undefined);
  return promise;
}
