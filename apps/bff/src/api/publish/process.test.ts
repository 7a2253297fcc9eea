/** A console in its own process, killed during its work, and checked for what it stores and how much memory it uses. */
import { readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { testPassword } from '@gatehouse/box-registry/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBoxesProcess, type BoxesProcess } from '#test/boxes-process.ts';
import type { Browser } from '#test/browser.ts';
import {
  beginUpload,
  downloaded,
  imageOf,
  offsetOf,
  patch,
  picked,
  runsApi,
  seeded,
  sendAll,
  sendCut,
  sha256,
  startRun,
  uploadIn,
} from '#test/publish.ts';

const deep = process.env['GATEHOUSE_DEEP'] === '1';
const mebibyte = 2 ** 20;
/** The size of a sparse image in bytes: more than the allowed memory. */
const sparse = deep ? 8 * 2 ** 30 : 300 * mebibyte;
const rounds = deep ? 12 : 1;
const marker = 'canary of the image:';

let boxes: BoxesProcess;
let page: Browser;
let before = '';
beforeAll(async () => {
  // Too large for a temporary folder in memory.
  if (deep) {
    before = process.env['TMPDIR'] ?? '';
    process.env['TMPDIR'] = tmpdir();
  }
  boxes = await startBoxesProcess();
  page = await boxes.signedIn();
});
afterAll(async () => {
  await boxes[Symbol.asyncDispose]();
  if (deep) process.env['TMPDIR'] = before;
});

/** Everything that the console stores, except waiting images, and its log. */
function kept(): string {
  const files = readdirSync(boxes.dataDir, { withFileTypes: true, recursive: true })
    .filter((one) => one.isFile() && !one.parentPath.endsWith('uploads'))
    .map((one) => readFileSync(join(one.parentPath, one.name)).toString('latin1'));
  expect(files.length).toBeGreaterThan(1);
  return files.join('\n') + boxes.log();
}

test(
  'resumes after being killed during an upload and a delivery, and stores no token, password or image',
  { timeout: 60_000 * rounds },
  async () => {
    const random = seeded(31);
    const secrets = new Set([testPassword, marker]);
    boxes.proxy.onRequest = (bytes) => {
      const token = /^authorization: Bearer (\S+)/im.exec(bytes.toString('latin1'))?.[1];
      if (token !== undefined) secrets.add(token);
    };
    const checkKept = (): void => {
      const text = kept();
      for (const secret of secrets) expect(text.includes(secret)).toBe(false);
    };
    for (let round = 0; round < rounds; round++) {
      const image = imageOf((deep ? 24 : 3) * mebibyte, 40 + round);
      for (let at = 0; at < image.length; at += 65_536) image.write(marker, at);
      const box = `killed-${round}`;
      const run = await startRun(page, box);
      const upload = await beginUpload(page, run, image);
      const file = join(boxes.dataDir, 'uploads', `${upload.id}.part`);

      const first = random(mebibyte);
      expect((await patch(page, upload.path, 0, image.subarray(0, first))).status).toBe(204);
      const cutAt = mebibyte + 1 + random(mebibyte / 2);
      const rest = { offset: first, bytes: image.subarray(first), cutAt };
      await sendCut(boxes.origin, page, upload.path, rest, async () => {
        await expect.poll(() => statSync(file).size).toBeGreaterThan(first);
        await boxes.kill();
      });
      await boxes.start();
      // Bytes that were written but not synced don't count as received.
      expect(await offsetOf(page, upload.path)).toBe(first);

      const held = boxes.proxy.meetBody(random(image.length), 'hold');
      await patch(page, upload.path, first, image.subarray(first));
      await held;
      checkKept();
      await boxes.kill();
      boxes.proxy.passBodies();
      boxes.proxy.drop();
      await boxes.start();
      expect(await uploadIn(page, run.id, ['done', 'failed'], 0, 40_000)).toMatchObject({
        state: 'done',
        attempts: 2,
        sha256: sha256(image),
      });
      expect(await downloaded(boxes, box)).toBe(sha256(image));
      checkKept();
    }
    expect(secrets.size).toBe(3);
    delete boxes.proxy.onRequest;
  },
);

test("memory doesn't grow with the image", { timeout: deep ? 1_800_000 : 60_000 }, async () => {
  const chunk = Buffer.alloc(16 * mebibyte);
  const run = await startRun(page, 'sparse');
  const base = boxes.memory().now;
  const at = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}/upload`;
  const begun = await page.send('POST', at, { body: { ...picked(Buffer.of(1)), size: sparse } });
  const [path, id] = [String(begun.json['path']), String(begun.json['id'])];
  await sendAll(page, path, chunk, chunk.length);
  // The file gets a hole in its middle, as if that part had been sent.
  truncateSync(join(boxes.dataDir, 'uploads', `${id}.part`), sparse - chunk.length);
  using file = new DatabaseSync(join(boxes.dataDir, 'console.db'));
  file.prepare('UPDATE publish_upload SET received = ? WHERE id = ?').run(sparse - chunk.length, id);
  await patch(page, path, sparse - chunk.length, chunk);
  const upload = await uploadIn(page, run.id, ['done', 'failed'], 0, deep ? 1_700_000 : 50_000);
  expect(upload).toMatchObject({ state: 'done', delivered: sparse });
  expect(boxes.memory().most - base).toBeLessThan(256 * mebibyte);
});
