import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { testPassword } from '@gatehouse/box-registry/testing/server';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openSqlite } from '#store/sqlite.ts';
import { json, startAnswering } from '#test/answering-server.ts';
import { startBoxes, type BoxesConsole } from '#test/boxes.ts';
import type { Browser } from '#test/browser.ts';
import { signInAs, startConsole } from '#test/console.ts';
import { act, itemsOf, moveIn, moveOnce, movesApi, planned, readMove, reportOf } from '#test/moves.ts';
import { postgresProxy } from '#test/postgres-proxy.ts';
import { ageLeases, startPostgres } from '#test/postgres.ts';
import { imageOf, sha256 } from '#test/publish.ts';
import { silenceDisk } from '#test/silent-disk.ts';

/** One user's quota in the spool, in bytes. */
const quota = 3_000_000;

let source: Awaited<ReturnType<typeof startAnswering>>;
let here: BoxesConsole;
let page: Browser;
let other: Browser;
/** Handlers of image requests, by the last segment of their paths. */
let images: Record<string, (res: ServerResponse) => void> = {};
/** The box that the source has under every name. */
let box: object = {};

const answering: RequestListener = (req, res) => {
  const path = new URL(req.url ?? '/', source.url).pathname;
  const image = images[path.slice(path.lastIndexOf('/') + 1)];
  if (image !== undefined) image(res);
  else if (path.startsWith('/api/v2/box/')) json(res, box);
  else res.writeHead(404).end();
};

beforeAll(async () => {
  source = await startAnswering();
  here = await startBoxes({
    moves: { sources: [source.url] },
    uploads: { personQuotaBytes: quota },
    bff: { retryDelaysMs: [10] },
  });
  page = await here.signedIn();
  other = await here.signedIn('operator');
  source.answer = answering;
});
afterEach(() => {
  images = {};
  source.seen.length = 0;
});
afterAll(async () => {
  await here[Symbol.asyncDispose]();
  await source[Symbol.asyncDispose]();
});

/** A box with one version and an image for each of these providers. */
const boxOf = (...providers: object[]): object => ({
  name: 'box',
  versions: [{ version: '1.0.0', status: 'active', providers }],
});
const provider = (name: string, more: object = {}): object => ({
  name,
  hosted: true,
  download_url: `${source.url}/${name}`,
  ...more,
});
const asked = (name: string): number => source.seen.filter(({ url }) => url === `/${name}`).length;
const begun = async (name: string): Promise<string> => {
  const { id } = await planned(page, source, [`admin/${name}`]);
  moveIn(await act(page, id, 'start', { token: '' }));
  return id;
};
const open = async (options: Parameters<typeof here.another>[0]): Promise<void> => {
  here.console = await here.another(options);
  page = await here.signedIn();
  other = await here.signedIn('operator');
};
/** A move that hangs at a silent disk, at a console with little patience, which is closed before the disk answers. */
const begunOnSilentDisk = async (name: string) => {
  await here.console.close();
  await open({ bff: { patienceMs: 10 } });
  const silent = silenceDisk();
  const end = async (): Promise<void> => {
    await here.console.close().finally(() => silent.answer());
    await open({});
  };
  try {
    const id = await begun(name);
    await expect.poll(() => silent.asked).toContain('statfs');
    return { id, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
};
const files = (): string[] => {
  const folder = join(here.console.dataDir, 'uploads');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.part')) : [];
};

test('retries what failed while the rest is copied, and copies the rest once', async () => {
  const image = imageOf(1_000, 1);
  const finish: Record<string, () => void> = {};
  const slowly = (name: string) => (res: ServerResponse) => {
    res.writeHead(200, { 'content-length': image.length }).write(image.subarray(0, 10));
    finish[name] = () => void res.end(image.subarray(10));
  };
  images = {
    libvirt: (res) => void res.writeHead(404).end(),
    virtualbox: slowly('virtualbox'),
    qemu: slowly('qemu'),
  };
  box = boxOf(provider('libvirt'), provider('virtualbox'), provider('qemu'));
  const id = await begun('retried');
  await expect.poll(async () => (await readMove(page, id)).pieces).toMatchObject({ failed: 1, copying: 2 });
  await expect.poll(() => Object.keys(finish).toSorted()).toEqual(['qemu', 'virtualbox']);
  const before = asked('libvirt');
  moveIn(await act(page, id, 'retry', { item: null, token: '' }));
  finish['qemu']?.();
  await expect.poll(async () => (await readMove(page, id)).pieces).toMatchObject({ copied: 1, failed: 1 });
  expect(asked('libvirt')).toBeGreaterThan(before);
  finish['virtualbox']?.();
  expect(await moveOnce(page, id, ['done'])).toMatchObject({ pieces: { copied: 2, failed: 1 } });
  expect([asked('virtualbox'), asked('qemu')]).toEqual([1, 1]);
});

test('copies what is retried while the last versions are being released', async () => {
  const image = imageOf(1_000, 1);
  const isSlow = (path: string) => path.includes('/slow');
  source.answer = (req, res) => {
    const link = { original_url: 'https://images.example/image.box', hosted: false };
    box = isSlow(req.url ?? '')
      ? boxOf(provider('virtualbox', link))
      : boxOf(provider('libvirt'), provider('qemu'));
    answering(req, res);
  };
  images = { libvirt: (res) => void res.writeHead(404).end(), qemu: (res) => void res.end(image) };
  const draft = async (name: string, url: string) => {
    const at = `/api/v2/box/admin/${name}`;
    await here.direct.post('/api/v2/boxes', { box: { username: 'admin', name } });
    await here.direct.post(`${at}/versions`, { version: { version: '1.0.0' } });
    const linked = { name: 'virtualbox', architecture: 'unknown', url };
    expect((await here.direct.post(`${at}/version/1.0.0/providers`, { provider: linked })).status).toBe(200);
  };
  await draft('slow', 'https://images.example/image.box');
  const { id } = await planned(page, source, ['admin/failing', 'admin/slow']);
  // The version isn't released with someone else's image.
  await draft('failing', 'https://images.example/other.box');
  const released = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  here.proxy.onRequest = (bytes) => {
    if (!/^PUT \S*\/slow\/\S*\/release /.test(bytes.toString('latin1'))) return undefined;
    asked.resolve();
    return released.promise;
  };
  moveIn(await act(page, id, 'start', { token: '' }));
  await asked.promise;
  expect(await readMove(page, id)).toMatchObject({ pieces: { copied: 1, failed: 1, here: 1 } });
  images = { libvirt: (res) => void res.end(image) };
  moveIn(await act(page, id, 'retry', { item: null, token: '' }));
  released.resolve();
  expect(await moveOnce(page, id, ['done'])).toMatchObject({ pieces: { copied: 2, failed: 0, here: 1 } });
  delete here.proxy.onRequest;
  source.answer = answering;
});

test('makes a box of unknown privacy private if any token was used, and adds nothing to a public one', async () => {
  const image = imageOf(1_000, 2);
  images = { virtualbox: (res) => void res.writeHead(200, { 'content-length': image.length }).end(image) };
  box = boxOf(provider('virtualbox'));
  const boxHere = (name: string, is_private: boolean) =>
    here.direct.post('/api/v1/boxes', { box: { username: 'admin', name, is_private } });
  const planOf = (name: string, token: string) => planned(page, source, [`admin/${name}`], { token });
  const copy = async (id: string, token = '') => {
    moveIn(await act(page, id, 'start', { token }));
    return moveOnce(page, id, ['done']);
  };
  const isPrivate = async (tag: string) =>
    ((await here.direct.get(`/api/v1/box/${tag}`)).body as { readonly private: boolean }).private;

  await copy((await planOf('late-token', '')).id, 'token');
  expect(await isPrivate('admin/late-token')).toBe(true);

  await boxHere('deleted', true);
  const deleted = await planOf('deleted', 'token');
  await here.direct.delete('/api/v1/box/admin/deleted');
  await copy(deleted.id);
  expect(await isPrivate('admin/deleted')).toBe(true);

  await boxHere('placed', true);
  const placed = await planOf('placed', 'token');
  const choice = { ...placed.choice, owners: [{ from: 'admin', to: 'elsewhere' }] };
  const { revision } = await readMove(page, placed.id);
  moveIn(await page.send('PUT', `${movesApi}/${placed.id}/choice`, { body: choice, revision }));
  await moveOnce(page, placed.id, ['planned']);
  const [item] = await itemsOf(page, placed.id);
  expect(item?.clashes.map(({ what }) => what)).toContain('privacy-unknown');
  await copy(placed.id);
  expect(await isPrivate('elsewhere/placed')).toBe(true);

  const overtaken = await planOf('overtaken', 'token');
  await boxHere('overtaken', false);
  expect(await copy(overtaken.id)).toMatchObject({ pieces: { copied: 0, failed: 1 } });
  expect((await here.direct.get('/api/v1/box/admin/overtaken')).body).toMatchObject({ versions: [] });

  await boxHere('public-here', false);
  const tokenless = await planOf('public-here', '');
  expect(await copy(tokenless.id, 'token')).toMatchObject({ pieces: { copied: 0, failed: 1 } });
  expect((await here.direct.get('/api/v1/box/admin/public-here')).body).toMatchObject({ versions: [] });
});

test("an image that came here since the plan isn't the same because of its size", async () => {
  images = { virtualbox: (res) => void res.end(imageOf(1_000, 1)) };
  box = boxOf(provider('virtualbox'));
  const { id } = await planned(page, source, ['admin/sized']);
  const at = '/api/v2/box/admin/sized';
  await here.direct.post('/api/v2/boxes', { box: { username: 'admin', name: 'sized' } });
  await here.direct.post(`${at}/versions`, { version: { version: '1.0.0' } });
  const other = imageOf(1_000, 2);
  // Its checksum can't be compared with the one of the received image.
  const sum = { checksum: createHash('md5').update(other).digest('hex'), checksum_type: 'md5' };
  await here.direct.post(`${at}/version/1.0.0/providers`, { provider: { name: 'virtualbox', ...sum } });
  const { body } = await here.direct.get(`${at}/version/1.0.0/provider/virtualbox/unknown/upload`);
  const sent = await fetch(String(body['upload_path']), { method: 'PUT', body: new Uint8Array(other) });
  expect(sent.status).toBe(200);
  moveIn(await act(page, id, 'start', { token: '' }));
  expect(await moveOnce(page, id, ['done'])).toMatchObject({ pieces: { clash: 1, copied: 0 } });
  expect((await here.direct.get(`${at}/version/1.0.0`)).body['status']).toBe('unreleased');
});

test('receives an image without a length up to the available space', async () => {
  images = {
    virtualbox(res) {
      res.writeHead(200);
      const bytes = Buffer.alloc(1024 * 1024);
      let left = 40;
      const send = (): void => {
        while (left > 0) {
          left -= 1;
          if (!res.write(bytes)) return void res.once('drain', send);
        }
        res.end();
      };
      send();
    },
  };
  box = boxOf(provider('virtualbox'));
  const id = await begun('endless');
  expect(await moveOnce(page, id, ['paused', 'done'])).toMatchObject({
    state: 'paused',
    pause: { reason: 'storage-full' },
  });
  moveIn(await act(page, id, 'abandon'));
  await expect.poll(files).toEqual([]);
});

test('copies no image that announces more bytes than any may have, and continues with the others', async () => {
  images = {
    virtualbox: (res) => void res.writeHead(200, { 'content-length': 2 ** 43 + 1 }).write(Buffer.alloc(1)),
    libvirt: (res) => void res.end(imageOf(1_000, 5)),
  };
  box = boxOf(provider('virtualbox'), provider('libvirt'));
  const id = await begun('immense');
  expect(await moveOnce(page, id, ['done', 'paused'])).toMatchObject({
    state: 'done',
    pieces: { failed: 1, copied: 1 },
  });
});

test("pauses with the reason if the console can't use its uploads folder, and keeps what it has", async () => {
  images = {
    virtualbox: (res) => {
      res.writeHead(200, { 'content-length': 2_000_000, etag: '"1"' }).write(Buffer.alloc(1_500_000));
    },
  };
  box = boxOf(provider('virtualbox'));
  const id = await begun('unusable');
  await expect.poll(async () => (await readMove(page, id)).rate ?? 0).toBeGreaterThan(0);
  moveIn(await act(page, id, 'pause'));
  const { copied } = (await readMove(page, id)).bytes;
  const folder = join(here.console.dataDir, 'uploads');
  renameSync(folder, `${folder}-away`);
  writeFileSync(folder, '');
  moveIn(await act(page, id, 'resume', { token: '' }));
  expect(await moveOnce(page, id, ['paused', 'done'])).toMatchObject({
    state: 'paused',
    bytes: { copied },
    pause: { detail: expect.stringContaining("can't use its uploads folder: it isn't a folder.") },
  });
  rmSync(folder);
  renameSync(`${folder}-away`, folder);
  images = {
    virtualbox: (res) => {
      res.writeHead(206, { 'content-range': `bytes ${copied}-1999999/2000000`, etag: '"1"' });
      res.end(Buffer.alloc(2_000_000 - copied));
    },
  };
  moveIn(await act(page, id, 'resume', { token: '' }));
  expect(await moveOnce(page, id, ['done', 'paused'])).toMatchObject({ pieces: { copied: 1 } });
});

test('stops although the disk of its uploads is silent, and continues at the next start', async () => {
  const image = imageOf(1_000, 3);
  images = { virtualbox: (res) => void res.end(image) };
  box = boxOf(provider('virtualbox'));
  let id: string;
  {
    await using hanging = await begunOnSilentDisk('silent');
    ({ id } = hanging);
  }
  expect(await moveOnce(page, id, ['done', 'paused'])).toMatchObject({ pieces: { copied: 1 } });
});

test('is paused at sign-out although the disk of its uploads is silent', async () => {
  images = { virtualbox: (res) => void res.end(imageOf(1_000, 3)) };
  box = boxOf(provider('virtualbox'));
  await using hanging = await begunOnSilentDisk('silent-at-sign-out');
  await page.send('DELETE', '/api/session?stop_deliveries=true');
  page = await here.signedIn();
  expect(await readMove(page, hanging.id)).toMatchObject({
    state: 'paused',
    pause: { reason: 'token-ended' },
  });
});

test('is abandoned although the disk of its uploads is silent, and its bytes are removed when it answers', async () => {
  images = {
    virtualbox: (res) => {
      res.writeHead(200, { 'content-length': 1_300_000, etag: '"1"' }).write(Buffer.alloc(1_200_000));
    },
  };
  box = boxOf(provider('virtualbox'));
  const id = await begun('silent-when-abandoned');
  await expect.poll(async () => (await readMove(page, id)).rate ?? 0).toBeGreaterThan(0);
  moveIn(await act(page, id, 'pause'));
  expect(files()).toHaveLength(1);
  {
    await using hanging = await begunOnSilentDisk('hanging');
    for (const one of [id, hanging.id])
      expect(moveIn(await act(page, one, 'abandon'))).toMatchObject({ state: 'abandoned' });
    expect(files()).toHaveLength(1);
  }
  await expect.poll(files).toEqual([]);
});

test('counts what a paused move has received for its owner, and deletes it after a while', async () => {
  images = {
    virtualbox: (res) => {
      res.writeHead(200, { 'content-length': 2_000_000, etag: '"1"' }).write(Buffer.alloc(1_500_000));
    },
    libvirt: (res) => void res.end(Buffer.alloc(2_000_000)),
  };
  box = boxOf(provider('virtualbox'));
  const first = await begun('left');
  await expect.poll(async () => (await readMove(page, first)).rate ?? 0).toBeGreaterThan(0);
  moveIn(await act(page, first, 'pause'));
  expect((await readMove(page, first)).bytes.copied).toBeGreaterThan(1_000_000);
  expect(files()).toHaveLength(1);

  box = boxOf(provider('libvirt', { size: 2_000_000 }));
  const second = await begun('right');
  expect(await moveOnce(page, second, ['paused', 'done'])).toMatchObject({
    state: 'paused',
    pause: { reason: 'storage-full' },
  });
  here.server.clock.advance(8 * 24 * 3_600_000);
  await here.console.bff.upkeep();
  await expect.poll(files).toEqual([]);
  page = await here.signedIn();
  other = await here.signedIn('operator');
  expect(await readMove(page, first)).toMatchObject({ state: 'paused', bytes: { copied: 0 } });
  moveIn(await act(page, second, 'resume', { token: '' }));
  expect(await moveOnce(page, second, ['done', 'paused'])).toMatchObject({ pieces: { copied: 1 } });
});

test('copies the current image if the source has replaced it by a shorter one', async () => {
  const shorter = imageOf(1_000_000, 7);
  images = {
    virtualbox: (res) => {
      res.writeHead(200, { 'content-length': 2_000_000, etag: '"1"' }).write(Buffer.alloc(1_500_000));
    },
  };
  box = boxOf(provider('virtualbox'));
  const id = await begun('shorter');
  await expect.poll(async () => (await readMove(page, id)).rate ?? 0).toBeGreaterThan(0);
  moveIn(await act(page, id, 'pause'));
  expect((await readMove(page, id)).bytes.copied).toBeGreaterThan(1_000_000);
  images = {
    virtualbox: (res) => void res.writeHead(200, { 'content-length': 1_000_000, etag: '"2"' }).end(shorter),
  };
  moveIn(await act(page, id, 'resume', { token: '' }));
  expect(await moveOnce(page, id, ['done', 'paused'])).toMatchObject({ pieces: { copied: 1 } });
  expect(await reportOf(page, id)).toMatchObject([
    { state: 'copied', size: 1_000_000, sha256: sha256(shorter) },
  ]);
});

test('runs two moves of a user at once, and the others in turn', async () => {
  const waiting: (() => void)[] = [];
  source.answer = (_req, res) => void waiting.push(() => json(res, boxOf()));
  const ids: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    const body = { kind: 'boxes', address: source.url, token: '', wanted: [`admin/${name}`] };
    ids.push(moveIn(await page.send('POST', movesApi, { body })).id);
  }
  const body = { kind: 'boxes', address: source.url, token: '', wanted: ['operator/four'] };
  const another = moveIn(await other.send('POST', movesApi, { body })).id;
  const paths = (): string[] => source.seen.map(({ url }) => url ?? '').toSorted();
  const own = ['/api/v2/box/admin/one', '/api/v2/box/admin/two', '/api/v2/box/operator/four'];
  await expect.poll(paths).toEqual(own);
  // A move that is paused before its turn doesn't start.
  moveIn(await act(page, ids[0] ?? '', 'pause'));
  await expect.poll(paths).toContain('/api/v2/box/admin/three');
  expect(paths()).toHaveLength(4);
  source.answer = answering;
  for (const answer of waiting) answer();
  for (const id of ids.slice(1)) await moveOnce(page, id, ['planned']);
  await moveOnce(other, another, ['planned']);
  expect((await readMove(page, ids[0] ?? '')).state).toBe('paused');
});

test('receives one long answer for a user at a time, whatever the number of moves', async () => {
  const long = ' '.repeat(300_000);
  const begun = new Set<string>();
  let cut = 0;
  const held = new Set<ServerResponse>();
  let most = 0;
  // None is complete before all others wait for their turn.
  const finish = (): void => {
    if (cut < 8) return;
    for (const one of held) one.end(JSON.stringify(boxOf()));
    held.clear();
  };
  source.answer = (req, res) => {
    const path = req.url ?? '';
    const isFirst = !begun.has(path);
    begun.add(path);
    res.writeHead(200, { 'content-type': 'application/json' }).write(long);
    if (isFirst) {
      res.on('close', () => {
        cut += 1;
        finish();
      });
      return;
    }
    held.add(res);
    most = Math.max(most, held.size);
    finish();
  };
  const found = await Promise.all(
    ['a', 'b'].map((at) =>
      planned(
        page,
        source,
        [1, 2, 3, 4].map((n) => `admin/long-${at}${n}`),
      ),
    ),
  );
  source.answer = answering;
  expect(found.map(({ state, items }) => [state, items.total])).toEqual([
    ['planned', 4],
    ['planned', 4],
  ]);
  expect(most).toBe(1);
  expect(source.seen.length).toBe(16);
});

test('plans a large box again in its turn from the beginning, with one request', async () => {
  const versions = Array.from({ length: 1_001 }, (_, n) => ({
    version: `1.0.${n}`,
    status: 'active',
    description_markdown: 'x'.repeat(300),
    providers: [],
  }));
  box = { name: 'box', versions };
  const { id } = await planned(page, source, ['admin/large-again']);
  const requests = (): number => source.seen.length;
  expect(requests()).toBe(2);
  moveIn(await act(page, id, 'compare', { token: '' }));
  expect(await moveOnce(page, id, ['planned', 'paused'])).toMatchObject({
    state: 'planned',
    versions: 1_001,
  });
  expect(requests()).toBe(3);
});

test('shows a new owner only what their own tokens show, and nothing from before', async () => {
  const listed = (res: ServerResponse): void =>
    json(res, { boxes: [{ tag: 'admin/open' }, { tag: 'admin/hidden' }] });
  source.answer = (req, res) => {
    const isKnown = req.headers.authorization === 'Bearer source-token';
    if (req.url === '/api/v2/user/admin') {
      if (isKnown) listed(res);
      else json(res, { boxes: [{ tag: 'admin/open' }] });
    } else if (req.url === '/api/v2/box/admin/open' || (isKnown && req.url === '/api/v2/box/admin/hidden'))
      json(res, boxOf(provider('virtualbox')));
    else res.writeHead(404).end();
  };
  const { id } = await planned(page, source, ['admin'], { token: 'source-token' });
  expect(await itemsOf(page, id)).toHaveLength(2);
  source.answer = (_req, res) => void res.writeHead(401).end();
  moveIn(await act(page, id, 'compare', { token: 'source-token' }));
  expect(await moveOnce(page, id, ['paused'])).toMatchObject({ pause: { reason: 'source-token' } });
  source.answer = (_req, res) => void res.writeHead(404).end();
  const over = new AbortController();
  const read = async (what: string): Promise<string> => {
    let seen = '';
    while (!over.signal.aborted) seen += (await other.send('GET', `${movesApi}/${id}/${what}`)).text;
    return seen;
  };
  const reading = [read('items?limit=100'), read('items?limit=100'), read('report')];
  moveIn(await act(other, id, 'resume', { token: 'guessed' }));
  await moveOnce(other, id, ['planned']);
  over.abort();
  expect((await Promise.all(reading)).join('')).not.toContain('hidden');
  expect(await itemsOf(other, id)).toEqual([]);
  // What the former owner entered stays.
  expect((await readMove(other, id)).wanted).toEqual(['admin']);
  const answer = await other.send('GET', `${movesApi}/${id}`);
  expect(answer.text).not.toContain('hidden');
  source.answer = answering;
  await act(other, id, 'abandon');
});

test('shows a former owner nothing that is read after someone took the move over', async () => {
  box = boxOf(provider('virtualbox'));
  const { id } = await planned(page, source, ['admin/taken']);
  using direct = new DatabaseSync(join(here.console.dataDir, 'console.db'));
  const read = vi.spyOn(StatementSync.prototype, 'all').mockImplementation(function (
    this: StatementSync,
    ...of
  ) {
    if (this.sourceSQL.includes('"provider" as name'))
      direct.exec(`update move set person_id = 'new', person_name = 'New' where id = '${id}'`);
    return [...this.iterate(...of)];
  });
  const seen = await readMove(page, id);
  read.mockRestore();
  const nothing = { owners: [], providers: [], architectures: [] };
  expect(seen).toMatchObject({ owner: { name: 'New', is_you: false }, wanted: [], found: nothing, log: [] });
});

/** A paused move that another user is about to take over. @returns continues with that */
const beforeTakingOver = async (name: string) => {
  box = boxOf(provider('virtualbox'));
  const { id } = await planned(page, source, [name]);
  source.answer = (_req, res) => void res.writeHead(401).end();
  moveIn(await act(page, id, 'compare', { token: 'source-token' }));
  expect(await moveOnce(page, id, ['paused'])).toMatchObject({ pause: { reason: 'source-token' } });
  const [asked, judged] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  here.proxy.onRequest = () => {
    delete here.proxy.onRequest;
    asked.resolve();
    return judged.promise;
  };
  const takingOver = act(other, id, 'resume', { token: '' });
  await asked.promise;
  return {
    id,
    refusal: async () => {
      judged.resolve();
      return (await takingOver).json['detail'];
    },
  };
};

test('keeps the choice that its owner saves while another is about to take a move over', async () => {
  const { id, refusal } = await beforeTakingOver('admin/chosen');
  const { choice, revision } = await readMove(page, id);
  const body = { ...choice, owners: [{ from: 'admin', to: 'elsewhere' }] };
  moveIn(await page.send('PUT', `${movesApi}/${id}/choice`, { body, revision }));
  await moveOnce(page, id, ['planned', 'paused']);
  expect(await refusal()).toContain('changed or paused again');
  expect((await readMove(page, id)).choice).toEqual(body);
  source.answer = answering;
  await act(page, id, 'abandon');
});

test('leaves a move to its owner who paused it on purpose while another was about to take it over', async () => {
  const { id, refusal } = await beforeTakingOver('admin/kept');
  const begun = Promise.withResolvers<void>();
  source.answer = () => {
    begun.resolve();
  };
  moveIn(await act(page, id, 'resume', { token: 'source-token' }));
  await begun.promise;
  moveIn(await act(page, id, 'pause'));
  expect(await refusal()).toContain('changed or paused again');
  expect(await readMove(page, id)).toMatchObject({ wanted: ['admin/kept'], pause: { reason: 'person' } });
  source.answer = answering;
  await act(page, id, 'abandon');
});

test('stores signed addresses encrypted, and uses them after a restart', async () => {
  const image = imageOf(1_000, 2);
  images = { signed: (res) => void res.end(image) };
  const canary = 'canary-of-a-signed-address';
  const download_url = `${source.url}/signed?signature=${canary}`;
  box = boxOf({ name: 'virtualbox', hosted: true, download_url, size: image.length });
  const { id } = await planned(page, source, ['admin/address']);
  [page, other] = (await here.restart(page, other)) as [Browser, Browser];
  const stored = readdirSync(here.console.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  expect(stored.some((bytes) => bytes.includes('admin/address'))).toBe(true);
  expect(stored.some((bytes) => bytes.includes(canary))).toBe(false);
  moveIn(await act(page, id, 'start', { token: '' }));
  expect(await moveOnce(page, id, ['done', 'paused'])).toMatchObject({ pieces: { copied: 1 } });
  expect(source.seen.some(({ url }) => url?.includes(canary))).toBe(true);
});

test('stops reading at the limit of versions and images, and reports it', async () => {
  box = boxOf(provider('virtualbox'));
  const { id } = await planned(page, source, ['admin/large']);
  const database = openSqlite(join(here.console.dataDir, 'console.db'));
  // Another box of the move, which was read already.
  await database.run(
    sql`insert into move_item (id, move_id, name, owner, name_here, chosen, is_here, weight, short_description,
        description, source_url, pass, usable, clashes, refused)
      select 'other', move_id, 'admin/other', 'admin', 'admin/other', 1, 0, 99990, '', '', '', 99, 0, '[]', ''
        from move_item where move_id = ${id}`.compile(database.build),
  );
  // More boxes, which have not been read yet.
  await database.run(
    sql`insert into move_item (id, move_id, name, owner, name_here, chosen, is_here, short_description,
        description, source_url, pass, usable, clashes, refused)
      with recursive n(at) as (select 1 union all select at + 1 from n where at < 30)
      select 'more' || at, ${id}, 'admin/more' || at, 'admin', 'admin/more' || at, 1, 0, '', '', '', 0, 0, '[]', ''
        from n`.compile(database.build),
  );
  await database.close();
  source.seen.length = 0;
  moveIn(await act(page, id, 'compare', { token: '' }));
  expect(await moveOnce(page, id, ['planned', 'paused'])).toMatchObject({
    state: 'planned',
    pieces: { missing: 0 },
  });
  // Four boxes are read at once, and a box that is already in the move is read again.
  expect(source.seen.length).toBeLessThanOrEqual(5);
  const more = await itemsOf(page, id, '?q=more');
  expect(more.length).toBeGreaterThan(5);
  for (const { problem } of more) expect(problem?.code).toBe('payload-too-large');
  expect(await itemsOf(page, id, '?q=large')).toMatchObject([{ problem: { code: 'payload-too-large' } }]);
});

const postgres = await startPostgres();
afterAll(() => postgres?.close());

test.skipIf(postgres === undefined)('a move that another process pauses stops in the first one', async () => {
  using folder = temporaryFolder();
  const settings = {
    boxes: { kind: 'url', url: new URL(here.server.url) },
    databaseUrl: (await postgres?.database()) ?? '',
    keyFile: folder.file('keys.json'),
    clock: here.server.clock,
    moves: { sources: [source.url] },
    bff: { heartbeatMs: 10 },
  } as const;
  const consoles = [await startConsole(settings), await startConsole(settings)] as const;
  const [first, second] = consoles.map((one) => one.browser()) as [Browser, Browser];
  for (const one of [first, second]) await signInAs(one, 'admin', testPassword, 'boxes');
  let isCut = false;
  images = {
    virtualbox: (res) => {
      res.writeHead(200, { 'content-length': 1_000_000 }).write(Buffer.alloc(500_000));
      res.on('close', () => (isCut = true));
    },
  };
  box = boxOf(provider('virtualbox'));
  const { id } = await planned(first, source, ['admin/elsewhere']);
  moveIn(await act(first, id, 'start', { token: '' }));
  await expect.poll(() => asked('virtualbox')).toBe(1);
  moveIn(await act(second, id, 'pause'));
  expect((await readMove(first, id)).state).toBe('paused');
  // The next heartbeat of the first console finds that it no longer owns the move.
  await expect.poll(() => isCut).toBe(true);
  for (const one of consoles) await one.close();
});

test.skipIf(postgres === undefined).each([
  [
    'read a box',
    'admin/suspended',
    [() => boxOf(provider('virtualbox'), provider('qemu')), () => boxOf(provider('virtualbox'))],
    { versions: 1, pieces: { missing: 1 } },
  ],
  [
    'read what an owner has',
    'admin',
    [() => ({ boxes: [{ tag: 'admin/hidden' }] }), () => ({ boxes: [] })],
    { versions: 0, pieces: { missing: 0 } },
  ],
])(
  'a console that was suspended while it %s for a move keeps the plan that another console made',
  async (_what, wanted, told, plan) => {
    using folder = temporaryFolder();
    const { clock } = here.server;
    const databaseUrl = (await postgres?.database()) ?? '';
    await using proxy = await postgresProxy(databaseUrl);
    const settings = {
      boxes: { kind: 'url', url: new URL(here.server.url) },
      databaseUrl,
      keyFile: folder.file('keys.json'),
      clock,
      moves: { sources: [source.url] },
    } as const;
    // Sends no heartbeats.
    const suspended = await startConsole({
      ...settings,
      databaseUrl: proxy.url,
      bff: { heartbeatMs: 3_600_000 },
    });
    const other = await startConsole({ ...settings, bff: { heartbeatMs: 10 } });
    const [first, second] = [suspended.browser(), other.browser()];
    for (const one of [first, second]) await signInAs(one, 'admin', testPassword, 'boxes');
    const answers: (() => void)[] = [];
    source.answer = (_req, res) =>
      void answers.push(json.bind(undefined, res, told[answers.length]?.() ?? {}));
    const body = { kind: 'boxes', address: source.url, token: '', wanted: [wanted] };
    const { id } = moveIn(await first.send('POST', movesApi, { body }));
    await expect.poll(() => answers.length).toBe(1);
    clock.advance(61_000);
    await ageLeases(databaseUrl, 61_000);
    await other.bff.upkeep();
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.();
    expect(await moveOnce(second, id, ['planned'])).toMatchObject(plan);
    let checks = 0;
    proxy.breaks = (sql) => {
      if (/^update "move" set "updated_at" = \$1 where .*"worker"/.test(sql)) checks += 1;
      return false;
    };
    answers[0]?.();
    await expect.poll(() => checks).toBeGreaterThan(0);
    expect(await readMove(second, id)).toMatchObject({
      state: 'planned',
      items: { unread: 0 },
      ...plan,
    });
    source.answer = answering;
    for (const one of [suspended, other]) await one.close();
  },
);

test.skipIf(postgres === undefined).each([
  ['takes an image', /^update "move_piece" set "state" = \$1, "reserved"/],
  ['reserves room', /^update "move_piece" set "reserved"/],
  ['writes down what was received', /^update "move_piece" set "received"/],
  ['writes down what became of an image', /^update "move_piece" set "state" = \$1, "detail"/],
  ['tries an image again', /^update "move_piece" set "state" = \$1, "attempts"/],
  ['ends', /^update "move" set "sealed_source"/],
])('a move continues automatically after the database connection broke as it %s', async (what, statement) => {
  await using proxy = await postgresProxy((await postgres?.database()) ?? '');
  using folder = temporaryFolder();
  const image = imageOf(1_000, 3);
  let fails = what === 'tries an image again';
  images = {
    virtualbox: (res) => {
      if (fails) res.writeHead(503).end();
      else res.end(image);
      fails = false;
    },
  };
  box = boxOf(provider('virtualbox'));
  const own = await startConsole({
    boxes: { kind: 'url', url: new URL(here.server.url) },
    databaseUrl: proxy.url,
    keyFile: folder.file('keys.json'),
    clock: here.server.clock,
    moves: { sources: [source.url] },
    bff: { heartbeatMs: 10, retryDelaysMs: [10] },
  });
  const person = own.browser();
  await signInAs(person, 'admin', testPassword, 'boxes');
  const { id } = await planned(person, source, [`admin/${what.replaceAll(' ', '-')}`]);
  let broken = 0;
  proxy.breaks = (sql) => {
    if (broken > 0 || !statement.test(sql)) return false;
    broken += 1;
    return true;
  };
  moveIn(await act(person, id, 'start', { token: '' }));
  expect(await moveOnce(person, id, ['done', 'paused'])).toMatchObject({
    state: 'done',
    pieces: { copied: 1, copying: 0 },
  });
  expect(broken).toBe(1);
  await own.close();
});

test.skipIf(postgres === undefined).each([
  ['just before a move becomes done', /^update "move_piece" set "state" = \$1, "detail" = \$2, "attempts"/],
  ['once a move has become done', /^update "move" set "updated_at" = \$1 where "id" = \$2 and "state" = \$3/],
])('an item retried %s is copied', async (when, statement) => {
  await using proxy = await postgresProxy((await postgres?.database()) ?? '');
  using folder = temporaryFolder();
  const image = imageOf(1_000, 4);
  const qemu = Promise.withResolvers<void>();
  images = {
    libvirt: (res) => void res.writeHead(404).end(),
    qemu: (res) => void qemu.promise.then(() => res.end(image)),
  };
  source.answer = (req, res) => {
    // Separate boxes, so that each version is released individually.
    box = boxOf(provider(req.url?.endsWith('libvirt') === true ? 'libvirt' : 'qemu'));
    answering(req, res);
  };
  const own = await startConsole({
    boxes: { kind: 'url', url: new URL(here.server.url) },
    databaseUrl: proxy.url,
    keyFile: folder.file('keys.json'),
    clock: here.server.clock,
    moves: { sources: [source.url] },
    bff: { retryDelaysMs: [10] },
  });
  const person = own.browser();
  await signInAs(person, 'admin', testPassword, 'boxes');
  const { id } = await planned(person, source, [`admin/${when.length}-libvirt`, `admin/${when.length}-qemu`]);
  moveIn(await act(person, id, 'start', { token: '' }));
  await expect.poll(async () => (await readMove(person, id)).pieces).toMatchObject({ failed: 1, copying: 1 });
  images['libvirt'] = (res) => void res.end(image);
  const [seen, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  proxy.holds = (sql) => {
    if (!statement.test(sql)) return undefined;
    seen.resolve();
    return done.promise;
  };
  // The retry has read that the move is copying.
  const retrying = act(person, id, 'retry', { item: null, token: '' });
  await seen.promise;
  qemu.resolve();
  await expect.poll(async () => (await readMove(person, id)).pieces.copied).toBe(1);
  await Promise.race([moveOnce(person, id, ['done']), sleep(500)]);
  done.resolve();
  moveIn(await retrying);
  await expect.poll(async () => (await readMove(person, id)).pieces).toMatchObject({ copied: 2, waiting: 0 });
  await moveOnce(person, id, ['done']);
  source.answer = answering;
  await own.close();
});
