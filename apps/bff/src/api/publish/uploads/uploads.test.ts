import { existsSync, readdirSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { planOfRun } from '@gatehouse/api-types/console/publish';
import { keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenSeal } from '#session/token-seal.ts';
import { boxesApi, startBoxes, type BoxesConsole } from '#test/boxes.ts';
import type { Browser } from '#test/browser.ts';
import { startConsole } from '#test/console.ts';
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
  sendCut,
  sha256,
  startRun,
  uploadIn,
} from '#test/publish.ts';

let boxes: BoxesConsole;
let admin: Browser;

beforeAll(async () => {
  boxes = await startBoxes({ bff: { retryDelaysMs: [10, 20] } });
  admin = await boxes.signedIn();
});
afterAll(() => boxes[Symbol.asyncDispose]());

describe('an upload', () => {
  test('resumes at the offset on the disk, wherever it was cut', async () => {
    const image = imageOf(300_000, 8);
    const run = await startRun(admin, 'offsets');
    const upload = await beginUpload(admin, run, image);
    let at = 0;
    for (const length of [0, 1, 65_535, 65_536, 65_537, 100_000]) {
      const answer = await patch(admin, upload.path, at, image.subarray(at, at + length));
      at += length;
      expect([answer.status, answer.headers['upload-offset']]).toEqual([204, String(at)]);
    }
    for (const wrong of [at - 1, at + 1, 0, `0x${at.toString(16)}`, `${at}.0`, '']) {
      const answer = await patch(admin, upload.path, wrong, image.subarray(0, 1));
      expect([answer.status, answer.headers['tus-resumable']]).toEqual([409, '1.0.0']);
    }
    const beyond = await patch(admin, upload.path, at, Buffer.alloc(image.length));
    expect(beyond.status).toBe(413);
    await patch(admin, upload.path, at, image.subarray(at));
    await uploadIn(admin, run.id, ['done']);
    expect(await downloaded(boxes, 'offsets')).toBe(sha256(image));
  });

  test('is found again for the same file, refused for another, and reserves space for both', async () => {
    const image = imageOf(200_000, 9);
    const run = await startRun(admin, 'again');
    const first = await beginUpload(admin, run, image);
    await patch(admin, first.path, 0, image.subarray(0, 100_000));
    const second = await beginUpload(admin, run, image);
    expect(second).toMatchObject({ id: first.id, received: 100_000, state: 'receiving' });
    const path = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}/upload`;
    const other = await admin.send('POST', path, { body: picked(imageOf(1000, 10)) });
    expect(other.status).toBe(409);
    const query = `size=${image.length}&fingerprint=${sha256(image)}`;
    const found = await admin.send('GET', `/api/environments/test/publish-uploads?${query}`);
    expect(found.json['uploads']).toMatchObject([
      {
        run: run.id,
        box: 'admin/again',
        version: '1.0.0',
        provider_name: 'virtualbox',
        upload: { id: first.id },
      },
    ]);
    expect((await admin.send('DELETE', path)).status).toBe(204);
    expect((await patch(admin, first.path, 100_000, image.subarray(100_000))).status).toBe(404);
    const anew = await beginUpload(admin, run, imageOf(1000, 10));
    expect(anew.id).not.toBe(first.id);
    const huge = await admin.send('POST', path, { body: { ...picked(image), size: 2 ** 43 } });
    expect([409, 507]).toContain(huge.status);
  });

  test("doesn't begin for a run that is abandoned at the same time", async () => {
    const run = await startRun(admin, 'abandoned-meanwhile');
    const [asked, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    boxes.proxy.onRequest = () => {
      asked.resolve();
      return told.promise;
    };
    const path = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}/upload`;
    const beginning = admin.send('POST', path, { body: picked(imageOf(1_000, 9)) });
    await asked.promise;
    runIn(await admin.send('POST', `${runsApi}/${run.id}/abandon`));
    told.resolve();
    const answer = await beginning;
    delete boxes.proxy.onRequest;
    expect(answer.json).toMatchObject({ code: 'invalid-request' });
    expect((await readRun(admin, run.id)).providers[0]?.upload).toMatchObject({ state: 'cancelled' });
  });

  test("doesn't begin for a provider whose image is planned at an address at the same time", async () => {
    const run = await startRun(admin, 'address-meanwhile');
    const [asked, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    boxes.proxy.onRequest = () => {
      asked.resolve();
      return told.promise;
    };
    const path = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}/upload`;
    const beginning = admin.send('POST', path, { body: picked(imageOf(1_000, 9)) });
    await asked.promise;
    const before = await readRun(admin, run.id);
    const { providers, ...plan } = planOfRun(before);
    const source = { kind: 'url', url: 'https://images.example/x.box' };
    const body = { ...plan, providers: providers.map((one) => ({ ...one, source })) };
    runIn(await admin.send('PUT', `${runsApi}/${run.id}`, { body, revision: before.revision }));
    told.resolve();
    expect((await beginning).json).toMatchObject({ code: 'invalid-request' });
    delete boxes.proxy.onRequest;
    expect((await readRun(admin, run.id)).providers[0]?.upload ?? { state: 'cancelled' }).toMatchObject({
      state: 'cancelled',
    });
  });

  test('belongs to one user, behind every guard', async () => {
    const run = await startRun(admin, 'guards');
    const { path } = await beginUpload(admin, run, imageOf(1000));
    const tus = { 'tus-resumable': '1.0.0' };
    const operator = await boxes.signedIn('operator');
    expect((await operator.send('HEAD', path, { headers: tus })).status).toBe(404);
    expect((await admin.send('HEAD', path)).status).toBe(412);
    expect((await admin.send('HEAD', path, { headers: tus, without: ['x-gatehouse'] })).status).toBe(403);
    expect(
      (await admin.send('HEAD', path, { headers: { ...tus, 'sec-fetch-site': 'cross-site' } })).status,
    ).toBe(403);
    expect((await boxes.console.browser().send('HEAD', path, { headers: tus })).status).toBe(401);
    const wrongType = await admin.send('PATCH', path, { headers: tus, body: {} });
    expect(wrongType.status).toBe(415);
    for (const method of ['PUT', 'POST', 'DELETE'])
      expect((await admin.send(method, path, { headers: tus })).status).toBe(405);
    const options = await admin.send('OPTIONS', path);
    expect([options.headers['tus-version'], options.headers['tus-extension']]).toEqual([
      '1.0.0',
      'expiration',
    ]);
    expect(options.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('expires after a week without data or delivery', async () => {
    const run = await startRun(admin, 'expires');
    const { path } = await beginUpload(admin, run, imageOf(1000));
    await patch(admin, path, 0, imageOf(500));
    const waiting = await receivedOnly('waiting');
    expect(waiting.upload).toMatchObject({ state: 'received', expires_time: expect.any(String) });
    boxes.server.clock.advance(7 * 24 * 3_600_000);
    await boxes.console.bff.upkeep();
    admin = await boxes.signedIn();
    for (const { id } of [run, waiting.run])
      expect((await readRun(admin, id)).providers[0]?.upload).toMatchObject({
        state: 'expired',
        retry: 'send',
      });
    await expect.poll(() => readdirSync(spool()).filter((name) => name.endsWith('.part'))).toEqual([]);
    const account = await admin.send('GET', `${boxesApi}/account`);
    expect(account.status).toBe(200);
  });

  test('loses no file to a console on another database that uses the same folder', async () => {
    const leftOver = join(spool(), 'unknown.part');
    const upkeep = async () => {
      writeFileSync(leftOver, '');
      utimesSync(leftOver, 0, 0);
      await boxes.console.bff.upkeep();
      const { json } = await admin.send('GET', '/healthz');
      return [existsSync(leftOver), json];
    };
    expect(await upkeep()).toEqual([false, { status: 'ok' }]);
    const other = await startConsole({ uploads: { folder: spool() } });
    const shared = { status: 'degraded', problems: ['uploads-of-another-database'] };
    expect(await upkeep()).toEqual([true, shared]);
    await other.bff.upkeep();
    expect([existsSync(leftOver), (await other.browser().send('GET', '/healthz')).json]).toEqual([
      true,
      shared,
    ]);
    await other.close();
    for (const name of readdirSync(spool())) if (name.endsWith('.database')) rmSync(join(spool(), name));
    expect(await upkeep()).toEqual([false, { status: 'ok' }]);
  });

  test("must be sent again if the console's disk has lost it, with the reason", async () => {
    const image = imageOf(50_000, 12);
    const run = await startRun(admin, 'lost');
    const { path } = await beginUpload(admin, run, image);
    await patch(admin, path, 0, image.subarray(0, 20_000));
    rmSync(spool(), { recursive: true });
    const answer = await patch(admin, path, 20_000, image.subarray(20_000));
    expect(answer.json).toMatchObject({ status: 404, detail: expect.stringContaining('Send it again') });
    const failed = await uploadIn(admin, run.id, ['failed']);
    expect(failed).toMatchObject({ retry: 'send', received: 0 });
    const anew = await beginUpload(admin, run, image);
    expect(anew).toMatchObject({ state: 'receiving', received: 0 });
    expect((await patch(admin, anew.path, 0, image)).status).toBe(204);
    await uploadIn(admin, run.id, ['done']);
    expect(await downloaded(boxes, 'lost')).toBe(sha256(image));

    // The file was received and then truncated, as by a disk repair.
    const { run: other, steps } = await receivedOnly('short');
    for (const name of readdirSync(spool())) truncateSync(join(spool(), name), 10);
    await steps();
    expect(await uploadIn(admin, other.id, ['failed', 'done'])).toMatchObject({
      state: 'failed',
      retry: 'send',
      problem: { code: 'not-found', detail: expect.stringContaining('Send it again') },
    });
    expect(await downloaded(boxes, 'short')).toBe('404');
  });

  test('is delivered when its run is viewed after a crash prevented that', async () => {
    const { run, image } = await receivedOnly('crashed');
    const at = '/api/v1/box/admin/crashed';
    await boxes.direct.post('/api/v1/boxes', {
      box: { username: 'admin', name: 'crashed', is_private: true },
    });
    await boxes.direct.post(`${at}/versions`, { version: { version: '1.0.0' } });
    await boxes.direct.post(`${at}/version/1.0.0/providers`, { provider: { name: 'virtualbox' } });
    // As if the console had crashed between the step's end and the delivery's start.
    using file = new DatabaseSync(join(boxes.console.dataDir, 'console.db'));
    const ring = keyRingFromFile(join(boxes.console.dataDir, 'console-keys.json'));
    const seal = tokenSeal(
      () => ring,
      boxes.console.clock,
      () => undefined,
    );
    const stored = file.prepare('SELECT plan FROM publish_run WHERE id = ?').get(run.id);
    const place = { sessionId: run.id, environment: 'test', service: 'publish-plan' };
    const plan = seal.open(String(stored?.['plan']), place).replaceAll('"state":"planned"', '"state":"done"');
    file.prepare('UPDATE publish_run SET plan = ? WHERE id = ?').run(seal.seal(plan, place), run.id);
    expect(await uploadIn(admin, run.id, ['done', 'failed'])).toMatchObject({ state: 'done' });
    expect(await downloaded(boxes, 'crashed')).toBe(sha256(image));
  });

  test('is cut off once its session is ended, and what arrived is kept', async () => {
    const mebibyte = 2 ** 20;
    const image = imageOf(3 * mebibyte, 9);
    const page = await boxes.signedIn();
    const { id, path } = await beginUpload(page, await startRun(page, 'signed-out'), image);
    const file = join(spool(), `${id}.part`);
    const part = { offset: 0, bytes: image, cutAt: 2 * mebibyte };
    await sendCut(boxes.console.origin, page, path, part, async (closed) => {
      await expect.poll(() => statSync(file).size).toBeGreaterThanOrEqual(mebibyte);
      expect((await page.send('DELETE', '/api/session')).status).toBe(204);
      await closed;
    });
    await expect.poll(() => offsetOf(admin, path)).toBe(part.cutAt);
  });
});

test('four uploads of an account are received at once, and further ones only once it is their turn', async () => {
  const image = imageOf(100_000, 14);
  const providers = ['one', 'two', 'three', 'four', 'five'].map((name) => ({ name }));
  const run = await startRun(admin, 'in-turn', providers);
  const uploads = await Promise.all(providers.map((_, at) => beginUpload(admin, run, image, at)));
  const [first, , , , last] = uploads;
  if (first === undefined || last === undefined) throw new Error('an upload is missing');
  const begun = ({ id }: { readonly id: string }): boolean => existsSync(join(spool(), `${id}.part`));
  const [end, stalled] = [Promise.withResolvers<void>(), { offset: 0, bytes: image, cutAt: 1_000 }];
  const held = uploads
    .slice(0, 4)
    .map(({ path }) => sendCut(boxes.console.origin, admin, path, stalled, () => end.promise));
  await expect.poll(() => uploads.filter(begun).length).toBe(4);
  const waits = patch(admin, last.path, 0, image);

  // Another account doesn't wait.
  const operator = await boxes.signedIn('operator');
  const others = await startRun(operator, 'beside', [{ name: 'virtualbox' }], '1.0.0', 'operator');
  const other = await beginUpload(operator, others, image);
  expect((await patch(operator, other.path, 0, image)).status).toBe(204);
  expect(await offsetOf(admin, last.path)).toBe(0);

  // A request that replaces a stalled one gets its turn, and then the one that waits gets it.
  boxes.server.clock.advance(5_000);
  expect((await patch(admin, first.path, 1_000, image.subarray(1_000))).status).toBe(204);
  expect((await waits).status).toBe(204);
  end.resolve();
  await Promise.all(held);
});

const spool = (): string => join(boxes.console.dataDir, 'uploads');

/** The console has the image, but no step of the run is done. */
async function receivedOnly(box: string) {
  const image = imageOf(30_000, 13);
  const create = { short_description: '', description: '', is_private: true };
  const provider = { name: 'virtualbox', source: { kind: 'image' }, checksum: '', checksum_type: null };
  const body = {
    box: { username: 'admin', name: box, create },
    version: { version: '1.0.0', description: '' },
    providers: [provider],
  };
  const run = runIn(await admin.send('POST', runsApi, { body }));
  const { path } = await beginUpload(admin, run, image);
  await patch(admin, path, 0, image);
  const upload = await uploadIn(admin, run.id, ['received']);
  const steps = async (): Promise<void> => {
    for (const step of ['box', 'version', `providers/${run.providers[0]?.id}`])
      runIn(await admin.send('POST', `${runsApi}/${run.id}/${step}`, { body: {} }));
  };
  return { run, upload, image, steps };
}
