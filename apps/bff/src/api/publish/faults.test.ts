import { existsSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planOfRun } from '@gatehouse/api-types/console/publish';
import { afterAll, describe, expect, test } from 'vitest';
import { startBoxes, type BoxesConsole } from '#test/boxes.ts';
import type { Browser } from '#test/browser.ts';
import { postgresProxy } from '#test/postgres-proxy.ts';
import { startPostgres } from '#test/postgres.ts';
import {
  beginUpload,
  downloaded,
  imageOf,
  offsetOf,
  patch,
  picked,
  readRun,
  runIn,
  runsApi,
  sendAll,
  seeded,
  sendCut,
  sha256,
  startRun,
  uploadIn,
} from '#test/publish.ts';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const deep = process.env['GATEHOUSE_DEEP'] === '1';
const stores: [string, (() => Promise<string>) | undefined][] = [['SQLite', undefined]];
if (postgres !== undefined) stores.push(['PostgreSQL', () => postgres.database()]);

describe.each(stores)('on %s', (_store, databaseUrl) => {
  const start = async (options: Parameters<typeof startBoxes>[0] = {}): Promise<BoxesConsole> =>
    startBoxes({
      bff: { retryDelaysMs: [10, 20, 40] },
      ...(databaseUrl !== undefined && { databaseUrl: await databaseUrl() }),
      ...options,
    });

  test('an upload cut anywhere, also by a restart, resumes at the offset on the disk', async () => {
    await using boxes = await start();
    let page = await boxes.signedIn();
    const chunk = 65_536;
    const image = imageOf(chunk * 12 + 17, 21);
    const run = await startRun(page, 'cuts');
    const { path } = await beginUpload(page, run, image);
    const random = seeded(4711);
    const cuts = [0, 1, chunk - 1, chunk, chunk + 1];
    for (let more = 0; more < (deep ? 200 : 4); more++) cuts.push(random(chunk));
    let furthest = 0;
    for (const [at, cutAt] of cuts.entries()) {
      const offset = await offsetOf(page, path);
      const rest = image.subarray(offset, Math.min(offset + 2 * chunk, image.length));
      if (rest.length <= cutAt) break;
      await sendCut(boxes.console.origin, page, path, { offset, bytes: rest, cutAt });
      furthest = Math.max(furthest, offset + cutAt);
      const durable = await offsetOf(page, path);
      expect(durable).toBeGreaterThanOrEqual(offset);
      expect(durable).toBeLessThanOrEqual(furthest);
      if (at % 3 === 2) [page] = (await boxes.restart(page)) as [Browser];
    }
    // The console notices the end of a connection a moment later, and until then refuses to resume.
    const send = async (end: number): Promise<number> => {
      const offset = await offsetOf(page, path);
      if (offset < end) await patch(page, path, offset, image.subarray(offset, end));
      return offsetOf(page, path);
    };
    for (const end of [image.length - chunk, image.length - 1, image.length]) {
      await expect.poll(() => send(end)).toBeGreaterThanOrEqual(end);
    }
    expect(await uploadIn(page, run.id, ['done', 'failed'])).toMatchObject({ state: 'done' });
    expect(await downloaded(boxes, 'cuts')).toBe(sha256(image));
    const files = () => readdirSync(join(boxes.console.dataDir, 'uploads'));
    await expect.poll(() => files().filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('a delivery resumes after a restart, and keeps its token though its session has ended', async () => {
    await using boxes = await start();
    const page = await boxes.signedIn();
    const image = imageOf(1_500_000, 22);
    const run = await startRun(page, 'restarted');
    const { path } = await beginUpload(page, run, image);
    let held = false;
    boxes.proxy.onRequest = (bytes) => {
      if (held || !bytes.toString('latin1').startsWith('PUT /upload/')) return;
      held = true;
      boxes.proxy.fault = { kind: 'silence' };
      boxes.proxy.drop();
    };
    await sendAll(page, path, image);
    await expect.poll(() => held).toBe(true);
    // Signing out doesn't revoke the delivery's token.
    await page.send('DELETE', '/api/session');
    await boxes.restart();
    delete boxes.proxy.onRequest;
    boxes.proxy.fault = { kind: 'none' };
    boxes.proxy.drop();
    const again = await boxes.signedIn();
    expect(await uploadIn(again, run.id, ['done', 'failed'])).toMatchObject({ state: 'done' });
    expect(await downloaded(boxes, 'restarted')).toBe(sha256(image));
    // After the delivery, the token is revoked, so only the second sign-in's token is left.
    await boxes.console.bff.upkeep();
    await expect
      .poll(async () => {
        const { body } = await boxes.direct.get('/api/v1/tokens');
        return (body['tokens'] as { description: string }[]).filter(
          ({ description }) => description === 'Gatehouse console',
        ).length;
      })
      .toBe(1);
  });
});

test.skipIf(postgres === undefined)(
  'delivers nothing for an abandoned run, even if abandoning it failed halfway',
  async () => {
    await using proxy = await postgresProxy((await postgres?.database()) ?? '');
    await using boxes = await startBoxes({ databaseUrl: proxy.url, bff: { heartbeatMs: 10 } });
    let sent = 0;
    const held = Promise.withResolvers<void>();
    boxes.proxy.onRequest = (bytes) => {
      if (!bytes.toString('latin1').startsWith('PUT /upload/')) return undefined;
      sent += 1;
      return held.promise;
    };
    const page = await boxes.signedIn();
    const image = imageOf(10_000, 27);
    const run = await startRun(page, 'abandoned');
    await sendAll(page, (await beginUpload(page, run, image)).path, image);
    await expect.poll(() => sent).toBe(1);
    let isBroken = false;
    proxy.breaks = (sql) => !isBroken && (isBroken = sql.startsWith('update "publish_upload" set "retry"'));
    expect((await page.send('POST', `${runsApi}/${run.id}/abandon`)).status).toBe(503);
    expect((await readRun(page, run.id)).state).toBe('abandoned');
    held.resolve();
    await boxes.console.bff.upkeep();
    expect(await uploadIn(page, run.id, ['failed', 'done'])).toMatchObject({ state: 'failed' });
    expect(sent).toBe(1);
  },
);

test("two browsers can't write to one file at once", async () => {
  await using boxes = await startBoxes();
  const [one, other] = [await boxes.signedIn(), await boxes.signedIn()];
  const image = imageOf(400_000, 23);
  const run = await startRun(one, 'two');
  const { path } = await beginUpload(one, run, image);
  // The first request gets the file. The others are refused, and find the offset.
  const answers = await Promise.all(
    [one, other, one, other].map((page) => patch(page, path, 0, image.subarray(0, 200_000))),
  );
  expect(answers.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1);
  for (const { status } of answers) expect([204, 409, 423]).toContain(status);
  expect(await offsetOf(other, path)).toBe(200_000);
  await patch(other, path, 200_000, image.subarray(200_000));
  await uploadIn(one, run.id, ['done']);
  expect(await downloaded(boxes, 'two')).toBe(sha256(image));
});

describe('without room', () => {
  test("doesn't begin an upload, and begins it once there is room again", async () => {
    await using boxes = await startBoxes({ uploads: { quotaBytes: 1_000_000 } });
    const page = await boxes.signedIn();
    const run = await startRun(page, 'quota', [{ name: 'virtualbox' }, { name: 'libvirt' }]);
    await beginUpload(page, run, imageOf(600_000, 24));
    const at = (provider: number) => `${runsApi}/${run.id}/providers/${run.providers[provider]?.id}/upload`;
    const refused = await page.send('POST', at(1), { body: picked(imageOf(600_000, 25)) });
    expect([refused.status, refused.json['code']]).toEqual([507, 'storage-full']);
    await page.send('DELETE', at(0));
    expect((await page.send('POST', at(1), { body: picked(imageOf(600_000, 25)) })).status).toBe(200);
  });

  test("users can't reserve room by announcing an upload that never comes", async () => {
    const mib = 1024 * 1024;
    await using boxes = await startBoxes({ uploads: { quotaBytes: 200 * mib } });
    const [page, other] = [await boxes.signedIn(), await boxes.signedIn('operator')];
    const announced = (size: number) => ({ ...picked(imageOf(1000, 24)), size });
    const begin = async (browser: typeof page, name: string, owner: string, size: number) => {
      const run = await startRun(browser, name, undefined, '1.0.0', owner);
      const at = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}/upload`;
      return browser.send('POST', at, { body: announced(size) });
    };
    const first = await begin(page, 'announced', 'admin', 150 * mib);
    expect(first.status).toBe(200);
    expect((await begin(other, 'theirs', 'operator', 130 * mib)).status).toBe(200);
    // An upload without a byte is forgotten after an hour.
    boxes.console.clock.advance(3_600_001);
    await boxes.console.bff.upkeep();
    const again = await boxes.signedIn();
    expect(
      (await again.send('HEAD', String(first.json['path']), { headers: { 'tus-resumable': '1.0.0' } }))
        .status,
    ).toBe(404);
  });

  test("refuses runs and uploads of users who can't publish there, and stores nothing", async () => {
    await using boxes = await startBoxes();
    const [reader, writer] = [await boxes.signedIn('read-only'), await boxes.signedIn('operator')];
    const plan = {
      box: { username: 'admin', name: 'theirs', create: null },
      version: { version: '1.0.0', description: '' },
      providers: [{ name: 'libvirt', source: { kind: 'image' }, checksum: '', checksum_type: null }],
    };
    for (const box of [plan.box, null]) {
      const refused = await reader.send('POST', runsApi, { body: { ...plan, box } });
      expect([refused.status, refused.json['code']]).toEqual([403, 'forbidden']);
    }
    expect((await reader.send('GET', `${runsApi}?ended=true`)).json).toEqual({ runs: [] });
    const run = runIn(await writer.send('POST', runsApi, { body: { ...plan, box: null } }));
    const changed = { ...planOfRun(run), box: plan.box };
    runIn(await writer.send('PUT', `${runsApi}/${run.id}`, { body: changed, revision: run.revision }));
    const at = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}/upload`;
    const refused = await writer.send('POST', at, { body: picked(imageOf(1000, 24)) });
    expect([refused.status, refused.json['code']]).toEqual([403, 'forbidden']);
  });

  test('for one user, still accepts uploads of others', async () => {
    await using boxes = await startBoxes({ uploads: { personQuotaBytes: 1_000_000 } });
    const [page, other] = [await boxes.signedIn(), await boxes.signedIn('operator')];
    const run = await startRun(page, 'mine', [{ name: 'virtualbox' }, { name: 'libvirt' }]);
    await beginUpload(page, run, imageOf(600_000, 24));
    const at = `${runsApi}/${run.id}/providers/${run.providers[1]?.id}/upload`;
    const refused = await page.send('POST', at, { body: picked(imageOf(600_000, 25)) });
    expect([refused.status, refused.json['detail']]).toEqual([
      507,
      expect.stringMatching(/all the space a user can have/),
    ]);
    const theirs = await startRun(other, 'theirs', undefined, '1.0.0', 'operator');
    await beginUpload(other, theirs, imageOf(600_000, 25));
  });

  test('on the disk, keeps what arrived and resumes later', async () => {
    await using boxes = await startBoxes({ uploads: { keepFreeBytes: 0 } });
    const page = await boxes.signedIn();
    const image = imageOf(300_000, 26);
    const run = await startRun(page, 'full');
    const { id, path } = await beginUpload(page, run, image);
    const file = join(boxes.console.dataDir, 'uploads', `${id}.part`);
    expect(existsSync('/dev/full')).toBe(true);
    symlinkSync('/dev/full', file);
    const full = await patch(page, path, 0, image);
    expect([full.status, full.json['code'], full.json['detail']]).toEqual([
      507,
      'storage-full',
      "The console's disk is full. Everything received so far is kept: continue when there is room.",
    ]);
    expect(await offsetOf(page, path)).toBe(0);
    rmSync(file);
    expect((await patch(page, path, 0, image)).status).toBe(204);
    await uploadIn(page, run.id, ['done']);
    expect(await downloaded(boxes, 'full')).toBe(sha256(image));
  });

  test("reports a folder that can't be used, and resumes and delivers once it can be", async () => {
    await using boxes = await startBoxes({ bff: { retryDelaysMs: [10, 20] } });
    const page = await boxes.signedIn();
    const image = imageOf(300_000, 27);
    const run = await startRun(page, 'unusable', [{ name: 'virtualbox' }, { name: 'libvirt' }]);
    const { path } = await beginUpload(page, run, image);
    expect((await patch(page, path, 0, image.subarray(0, 100_000))).status).toBe(204);
    const folder = join(boxes.console.dataDir, 'uploads');
    renameSync(folder, `${folder}-away`);
    writeFileSync(folder, '');
    const at = `${runsApi}/${run.id}/providers/${run.providers[1]?.id}/upload`;
    for (const refused of [
      await patch(page, path, 100_000, image.subarray(100_000)),
      await page.send('POST', at, { body: picked(image) }),
    ]) {
      expect(refused.json).toMatchObject({
        status: 503,
        code: 'service-unavailable',
        detail:
          "The console can't use its uploads folder: it isn't a folder. Received files are kept. Ask an administrator to check the folder, then retry.",
      });
    }
    await boxes.console.bff.upkeep();
    expect((await page.send('GET', '/healthz')).json).toEqual({
      status: 'degraded',
      problems: ['uploads-folder-unusable'],
    });
    rmSync(folder);
    renameSync(`${folder}-away`, folder);
    await boxes.console.bff.upkeep();
    expect((await page.send('GET', '/healthz')).json).toEqual({ status: 'ok' });
    expect((await patch(page, path, 100_000, image.subarray(100_000))).status).toBe(204);
    await uploadIn(page, run.id, ['done']);
    expect(await downloaded(boxes, 'unusable')).toBe(sha256(image));
  });

  test("refuses an upload larger than the disk's free space", async () => {
    await using boxes = await startBoxes({ uploads: { keepFreeBytes: 2 ** 52 } });
    const page = await boxes.signedIn();
    const run = await startRun(page, 'disk');
    const at = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}/upload`;
    const refused = await page.send('POST', at, { body: picked(imageOf(1000)) });
    expect(refused.json['code']).toBe('storage-full');
    expect((await page.send('GET', '/healthz')).json).toEqual({
      status: 'degraded',
      problems: ['uploads-disk-full'],
    });
  });
});

test.each(['plain', 'direct'] as const)(
  'delivers to a registry that accepts images the %s way',
  async (uploadWay) => {
    await using boxes = await startBoxes({ boxesSettings: { uploadWay } });
    // The registry names its own port, which the console knows from client_url.
    const page = await boxes.signedIn();
    const image = imageOf(100_000, 27);
    const run = await startRun(page, 'ways');
    await sendAll(page, (await beginUpload(page, run, image)).path, image);
    expect(await uploadIn(page, run.id, ['done', 'failed'])).toMatchObject({ state: 'done' });
    expect(await downloaded(boxes, 'ways')).toBe(sha256(image));
  },
);

test('sends nothing to an address of another origin', async () => {
  const elsewhere = await startBoxes();
  // The registry's answers name another machine's origin.
  await using other = await startBoxes({ boxesSettings: { clientUrl: new URL(elsewhere.server.url) } });
  await elsewhere[Symbol.asyncDispose]();
  const page = await other.signedIn();
  const image = imageOf(10_000, 28);
  const run = await startRun(page, 'origin');
  let sent = 0;
  other.proxy.onRequest = (bytes) => {
    if (bytes.toString('latin1').startsWith('PUT /upload')) sent += 1;
  };
  await sendAll(page, (await beginUpload(page, run, image)).path, image);
  const failed = await uploadIn(page, run.id, ['failed', 'done']);
  expect(failed).toMatchObject({
    state: 'failed',
    problem: { code: 'bad-answer', detail: expect.stringContaining('upload_origins') },
  });
  expect(sent).toBe(0);
});
