import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { startBoxes } from '../../../test/boxes.ts';
import { patch, picked, runsApi, startRun, uploadIn } from '../../../test/publish.ts';

const deep = process.env['GATEHOUSE_DEEP'] === '1';
/** Bytes of a sparse image. */
const size = deep ? 8 * 2 ** 30 : 192 * 2 ** 20;
const chunk = Buffer.alloc(16 * 2 ** 20);

test('memory does not grow with the image', { timeout: deep ? 1_800_000 : 60_000 }, async () => {
  await using boxes = await startBoxes();
  const page = await boxes.signedIn();
  const run = await startRun(page, 'sparse');
  const at = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}/upload`;
  const begun = await page.send('POST', at, { body: { ...picked(Buffer.of(1)), size } });
  const path = String(begun.json['path']);
  const id = String(begun.json['id']);
  expect((await patch(page, path, 0, chunk)).status).toBe(204);
  // The middle of the file is a hole, as if it had been sent.
  truncateSync(join(boxes.console.dataDir, 'uploads', `${id}.part`), size - chunk.length);
  const file = new DatabaseSync(join(boxes.console.dataDir, 'console.db'));
  file.prepare('UPDATE publish_upload SET received = ? WHERE id = ?').run(size - chunk.length, id);
  file.close();
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 50);
  expect((await patch(page, path, size - chunk.length, chunk)).status).toBe(204);
  const upload = await uploadIn(page, run.id, ['done', 'failed']);
  clearInterval(watch);
  expect(upload).toMatchObject({ state: 'done', delivered: size });
  // Console, registry, proxy and this page are one process here.
  expect(most - before).toBeLessThan(256 * 2 ** 20);
});
