import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBoxes, type BoxesConsole } from '#test/boxes.ts';
import type { Browser } from '#test/browser.ts';
import { answering } from '#test/fault-proxy.ts';
import {
  beginUpload,
  downloaded,
  imageOf,
  putImage,
  readRun,
  runsApi,
  sendAll,
  sha256,
  startRun,
  uploadIn,
} from '#test/publish.ts';
import { silenceDisk } from '#test/silent-disk.ts';

let boxes: BoxesConsole;
let admin: Browser;

beforeAll(async () => {
  boxes = await startBoxes({ bff: { retryDelaysMs: [10, 20] } });
  admin = await boxes.signedIn();
});
afterAll(() => boxes[Symbol.asyncDispose]());

describe('a delivery', () => {
  test('of a file with another checksum is refused, and none of it is kept', async () => {
    const image = imageOf(3_000_000, 7);
    const right = imageOf(image.length, 17);
    const registryFiles = (): string[] =>
      readdirSync(join(boxes.server.dataDir, 'box-images'), { recursive: true, encoding: 'utf8' });
    const before = registryFiles();
    const run = await startRun(admin, 'wrong', [{ name: 'virtualbox', checksum: sha256(right) }]);
    await sendAll(admin, (await beginUpload(admin, run, image)).path, image);
    const failed = await uploadIn(admin, run.id, ['failed', 'done']);
    expect(failed).toMatchObject({
      state: 'failed',
      received: 0,
      retry: 'send',
      problem: { code: 'invalid-request', detail: expect.stringContaining(sha256(image)) },
    });
    const stored = await boxes.direct.get('/api/v1/box/admin/wrong/version/1.0.0/provider/virtualbox');
    expect(stored.body).toMatchObject({ download_url: null, size: null, checksum: sha256(right) });
    expect(await downloaded(boxes, 'wrong')).toBe('404');
    const files = () => readdirSync(join(boxes.console.dataDir, 'uploads'));
    await expect.poll(() => files().filter((name) => name.endsWith('.part'))).toEqual([]);
    await expect.poll(registryFiles).toEqual(before);
    const at = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}/upload`;
    expect((await admin.send('POST', `${at}/deliver`)).json).toMatchObject({
      code: 'invalid-request',
      detail: expect.stringContaining('Finish the upload first'),
    });
    await sendAll(admin, (await beginUpload(admin, run, right)).path, right);
    expect(await uploadIn(admin, run.id, ['done', 'failed'])).toMatchObject({ state: 'done' });
    expect(await downloaded(boxes, 'wrong')).toBe(sha256(right));
  });

  test('waits while the registry is unavailable, and resumes automatically', async () => {
    const image = imageOf(2_000_000, 3);
    const run = await startRun(admin, 'outage');
    const upload = await beginUpload(admin, run, image);
    boxes.proxy.fault = { kind: 'hang up' };
    boxes.proxy.drop();
    await sendAll(admin, upload.path, image);
    const failed = await uploadIn(admin, run.id, ['failed']);
    expect(failed).toMatchObject({ retry: 'deliver', problem: { code: 'service-unavailable' } });
    boxes.proxy.fault = { kind: 'none' };
    const at = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}/upload`;
    await admin.send('POST', `${at}/deliver`);
    expect((await uploadIn(admin, run.id, ['done'])).attempts).toBeGreaterThan(0);
    expect(await downloaded(boxes, 'outage')).toBe(sha256(image));
  });

  test("doesn't replace another image of the same size after an earlier attempt", async () => {
    const [image, other] = [imageOf(200_000, 31), imageOf(200_000, 32)];
    const run = await startRun(admin, 'same-size');
    const upload = await beginUpload(admin, run, image);
    const held = boxes.proxy.meetBody(100_000, 'hold');
    await sendAll(admin, upload.path, image);
    await held;
    const at = '/api/v1/box/admin/same-size/version/1.0.0/provider/virtualbox/upload';
    const { pathname, search } = new URL(String((await boxes.direct.get(at)).body['upload_path']));
    const put = await fetch(new URL(pathname + search, boxes.server.url), {
      method: 'PUT',
      body: new Uint8Array(other),
    });
    expect(put.status).toBe(200);
    expect(await downloaded(boxes, 'same-size')).toBe(sha256(other));
    boxes.proxy.passBodies();
    boxes.proxy.drop();
    expect(await uploadIn(admin, run.id, ['failed', 'done'])).toMatchObject({
      state: 'failed',
      problem: { code: 'conflict' },
    });
    expect(await downloaded(boxes, 'same-size')).toBe(sha256(other));
  });

  test('replaces only the image that existed when its upload began', async () => {
    const [first, mine, other] = [imageOf(1000, 41), imageOf(2000, 42), imageOf(3000, 43)];
    const before = await startRun(admin, 'replaced');
    await sendAll(admin, (await beginUpload(admin, before, first)).path, first);
    await uploadIn(admin, before.id, ['done']);
    const run = await startRun(admin, 'replaced');
    const used = await admin.send('POST', `${runsApi}/${run.id}/providers/${run.providers[0]?.id}`, {
      body: { existing: 'use' },
    });
    expect(used.status).toBe(200);
    const upload = await beginUpload(admin, run, mine);
    // Another client's image, without a checksum that the registry would compare.
    const provider = '/api/v1/box/admin/replaced/version/1.0.0/provider/virtualbox';
    await boxes.direct.put(provider, { provider: { checksum: '', checksum_type: '' } });
    await putImage(boxes, 'replaced', other);
    await boxes.direct.put(provider, { provider: { checksum: '', checksum_type: '' } });
    await sendAll(admin, upload.path, mine);
    expect(await uploadIn(admin, run.id, ['failed', 'done'])).toMatchObject({
      state: 'failed',
      problem: { code: 'conflict' },
    });
    expect(await downloaded(boxes, 'replaced')).toBe(sha256(other));
    const again = await admin.send(
      'POST',
      `${runsApi}/${run.id}/providers/${run.providers[0]?.id}/upload/deliver`,
    );
    expect(again.status, again.text).toBeLessThan(300);
    expect(await uploadIn(admin, run.id, ['failed', 'done'])).toMatchObject({ state: 'done' });
    expect(await downloaded(boxes, 'replaced')).toBe(sha256(mine));
  });

  test("replaces no image, and adds to no release, that the registry didn't report when its upload began", async () => {
    const [mine, other] = [imageOf(2000, 44), imageOf(3000, 45)];
    const run = await startRun(admin, 'unreported');
    boxes.proxy.fault = { kind: 'hang up' };
    boxes.proxy.drop();
    const upload = await beginUpload(admin, run, mine);
    boxes.proxy.fault = { kind: 'none' };
    await putImage(boxes, 'unreported', other);
    const released = await boxes.direct.put('/api/v1/box/admin/unreported/version/1.0.0/release', {});
    expect(released.status).toBe(200);
    await sendAll(admin, upload.path, mine);
    expect(await uploadIn(admin, run.id, ['failed', 'done'])).toMatchObject({
      state: 'failed',
      problem: { code: 'conflict' },
    });
    expect(await downloaded(boxes, 'unreported')).toBe(sha256(other));
  });

  test("waits as long as the registry's Retry-After says", async () => {
    const image = imageOf(10_000, 8);
    const run = await startRun(admin, 'busy');
    const upload = await beginUpload(admin, run, image);
    boxes.proxy.fault = answering(429, { 'retry-after': '1' });
    boxes.proxy.drop();
    const before = performance.now();
    await sendAll(admin, upload.path, image);
    expect(await uploadIn(admin, run.id, ['failed'])).toMatchObject({ problem: { code: 'rate-limited' } });
    boxes.proxy.fault = { kind: 'none' };
    // Two pauses of a second between three attempts, whose own delays are some milliseconds.
    expect(performance.now() - before).toBeGreaterThan(1_990);
  });

  test('that is cut off starts over', async () => {
    const image = imageOf(6_000_000, 4);
    const run = await startRun(admin, 'cut');
    const upload = await beginUpload(admin, run, image);
    let passed = 0;
    let cuts = 0;
    boxes.proxy.onRequest = (bytes) => {
      passed += bytes.length;
      if (passed < 2_000_000 || cuts > 0) return;
      cuts += 1;
      boxes.proxy.drop();
    };
    await sendAll(admin, upload.path, image);
    expect(await uploadIn(admin, run.id, ['done', 'failed'])).toMatchObject({ state: 'done', attempts: 2 });
    delete boxes.proxy.onRequest;
    expect([cuts, await downloaded(boxes, 'cut')]).toEqual([1, sha256(image)]);
  });

  test('canceled after its last bytes were sent says that the registry may have the image', async () => {
    const image = imageOf(10_000, 41);
    const run = await startRun(admin, 'too-late');
    const at = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}/upload`;
    boxes.proxy.onRequest = (bytes) => {
      if (!bytes.toString('latin1').startsWith('PUT /upload/')) return;
      // The registry gets the image. Its answer is lost, and nothing reaches it afterwards.
      boxes.proxy.cutNext = 0;
      boxes.proxy.fault = { kind: 'hang up' };
    };
    await sendAll(admin, (await beginUpload(admin, run, image)).path, image);
    await uploadIn(admin, run.id, ['failed']);
    delete boxes.proxy.onRequest;
    boxes.proxy.fault = { kind: 'none' };
    expect((await admin.send('DELETE', at)).status).toBe(204);
    const after = await readRun(admin, run.id);
    expect(after.providers[0]?.upload).toMatchObject({ state: 'cancelled', sha256: sha256(image) });
    expect(after.log.map(({ text }) => text)).toContain(
      'The last bytes of package.box had already been sent, so the registry may have the image.',
    );
    expect(await downloaded(boxes, 'too-late')).toBe(sha256(image));
  });

  test.each([
    ['cancelled', 'DELETE', ['virtualbox']],
    ['abandoned with the others of its run', 'POST', ['virtualbox', 'libvirt', 'qemu', 'docker']],
  ] as const)('can be %s although the disk of its file is silent', async (_how, method, names) => {
    await boxes.console.close();
    boxes.console = await boxes.another({ bff: { retryDelaysMs: [10, 20], patienceMs: 500 } });
    admin = await boxes.signedIn();
    const image = imageOf(10_000, 43);
    const box = `silent-${names.length}`;
    const run = await startRun(
      admin,
      box,
      names.map((name) => ({ name })),
    );
    const uploads = run.providers.map(({ id }) => `${runsApi}/${run.id}/providers/${id}/upload`);
    boxes.proxy.fault = { kind: 'hang up' };
    boxes.proxy.drop();
    for (const at of names.keys()) {
      await sendAll(admin, (await beginUpload(admin, run, image, at)).path, image);
      await uploadIn(admin, run.id, ['failed'], at);
    }
    boxes.proxy.fault = { kind: 'none' };
    const silent = silenceDisk();
    try {
      for (const at of uploads) expect((await admin.send('POST', `${at}/deliver`)).status).toBe(200);
      const hanging = () => silent.asked.filter((what) => what === 'stat').length;
      await expect.poll(hanging).toBe(names.length);
      const before = performance.now();
      const path = method === 'POST' ? `${runsApi}/${run.id}/abandon` : (uploads[0] ?? '');
      expect((await admin.send(method, path)).status).toBeLessThan(300);
      // The waits for several files don't add up.
      expect(performance.now() - before).toBeLessThan(1_500);
      expect(silent.asked).toContain('rm');
    } finally {
      silent.answer();
    }
    for (const { upload } of (await readRun(admin, run.id)).providers)
      expect(upload).toMatchObject({ state: 'cancelled' });
    expect(await downloaded(boxes, box)).toBe('404');
  });

  test("that is done can't be canceled", async () => {
    const image = imageOf(10_000, 42);
    const run = await startRun(admin, 'done');
    await sendAll(admin, (await beginUpload(admin, run, image)).path, image);
    await uploadIn(admin, run.id, ['done']);
    const at = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}/upload`;
    expect((await admin.send('DELETE', at)).json).toMatchObject({ code: 'invalid-request' });
    expect((await readRun(admin, run.id)).log.at(-1)?.text).toBe('The image was delivered and verified.');
  });

  test("that waits for four others of its account hasn't begun", async () => {
    const image = imageOf(200_000, 9);
    const held = boxes.proxy.meetBody(100_000, 'hold');
    const runs = [];
    for (const name of ['first', 'second', 'third', 'fourth', 'fifth']) {
      const run = await startRun(admin, name);
      runs.push(run);
      await sendAll(admin, (await beginUpload(admin, run, image)).path, image);
      if (name === 'first') await held;
      if (name !== 'fifth') await uploadIn(admin, run.id, ['delivering']);
    }
    const fifth = runs.at(-1)?.id ?? '';
    expect(await uploadIn(admin, fifth, ['received', 'delivering'])).toMatchObject({
      state: 'received',
      attempts: 0,
      delivery_started_time: null,
    });
    boxes.proxy.passBodies();
    boxes.proxy.drop();
    for (const { id } of runs) {
      const attempts = id === fifth ? 1 : 2;
      expect(await uploadIn(admin, id, ['done', 'failed'])).toMatchObject({ state: 'done', attempts });
    }
  });

  test('never sends the token to the upload address', async () => {
    const image = imageOf(500_000, 5);
    const run = await startRun(admin, 'canary');
    const upload = await beginUpload(admin, run, image);
    const heads: string[] = [];
    boxes.proxy.onRequest = (bytes) => {
      const text = bytes.toString('latin1');
      if (text.startsWith('PUT /upload/')) heads.push(text.slice(0, text.indexOf('\r\n\r\n')));
    };
    await sendAll(admin, upload.path, image);
    await uploadIn(admin, run.id, ['done']);
    delete boxes.proxy.onRequest;
    expect(heads).toHaveLength(1);
    expect(heads[0]).not.toMatch(/authorization|bearer|cookie/i);
    expect(heads[0]).toMatch(/content-length: 500000/i);
  });

  test('keeps its token after signing out, and stops when asked to', async () => {
    const image = imageOf(1_000_000, 6);
    const page = await boxes.signedIn();
    const run = await startRun(page, 'leaving');
    const upload = await beginUpload(page, run, image);
    const stopped = await startRun(page, 'stopped');
    boxes.proxy.fault = { kind: 'silence' };
    boxes.proxy.drop();
    await sendAll(page, upload.path, image);
    await uploadIn(page, run.id, ['delivering', 'received']);
    await page.send('DELETE', '/api/session?stop_deliveries=true');
    boxes.proxy.fault = { kind: 'none' };
    boxes.proxy.drop();
    const again = await boxes.signedIn();
    expect(await uploadIn(again, run.id, ['failed'])).toMatchObject({
      problem: { code: 'not-connected' },
      retry: 'deliver',
    });
    boxes.proxy.onRequest = () => boxes.proxy.drop();
    const second = await beginUpload(again, stopped, image);
    await sendAll(again, second.path, image);
    await again.send('DELETE', '/api/session');
    delete boxes.proxy.onRequest;
    const last = await boxes.signedIn();
    const end = await uploadIn(last, stopped.id, ['done', 'failed']);
    // Whether the registry is back before the last attempt is a matter of timing. The token was valid in any case.
    expect([null, 'service-unavailable']).toContain(end.problem?.code ?? null);
  });
});
