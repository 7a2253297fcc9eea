/** Moves a whole registry with a console that is killed, from a source that refuses, fails, cuts and lies. */
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBoxesProcess, type BoxesProcess } from '#test/boxes-process.ts';
import type { Browser } from '#test/browser.ts';
import { startFieldBoxes, type FieldBoxes } from '#test/field-boxes.ts';
import {
  act,
  imageAt,
  imagePath,
  moveIn,
  moveOnce,
  movesApi,
  planned,
  readMove,
  reportOf,
} from '#test/moves.ts';

const deep = process.env['GATEHOUSE_DEEP'] === '1';
const mebibyte = 2 ** 20;
const [boxes, versions, images] = deep ? [200, 5, 3] : [6, 3, 3];
const count = boxes * versions * images;
/** The size of all images together. */
const bytes = deep ? Number(process.env['GATEHOUSE_DEEP_GIB'] ?? 2) * 2 ** 30 : 16 * mebibyte;
const kills = deep ? 5 : 1;
/** The timeout of the whole test, in milliseconds. */
const patience = deep ? 3_600_000 : 90_000;

let source: FieldBoxes;
let here: BoxesProcess;
let page: Browser;
let before = '';
beforeAll(async () => {
  // Too large for a temporary folder in memory.
  if (deep) {
    before = process.env['TMPDIR'] ?? '';
    process.env['TMPDIR'] = tmpdir();
  }
  source = await startFieldBoxes({
    boxes,
    versions,
    images,
    size: Math.floor(bytes / count),
    lies: [7, Math.floor(count / 2)],
    unsummed: [11, 12],
    refuseEvery: 20,
    cutEvery: 17,
  });
  here = await startBoxesProcess([source.url]);
  page = await here.signedIn();
});
afterAll(async () => {
  await here[Symbol.asyncDispose]();
  await source[Symbol.asyncDispose]();
  if (deep) process.env['TMPDIR'] = before;
});

/** Calls a function every second until disposed. */
function ticking(tick: () => void): Disposable {
  const timer = setInterval(tick, 1_000);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

test(
  'every image arrives once and complete, and false images are reported and not kept',
  { timeout: patience },
  async () => {
    const rest = here.memory().now;
    const token = '';
    const plan = await planned(page, source, ['team'], {}, patience);
    expect(plan).toMatchObject({
      state: 'planned',
      items: { total: boxes, chosen: boxes },
      versions: boxes * versions,
      pieces: { missing: count },
    });
    // The registry limits requests per minute by this clock, which otherwise stands still.
    using _ticking = ticking(() => here.server.clock.advance(1_000));
    moveIn(await act(page, plan.id, 'start', { token }));
    let most = here.memory().most - rest;
    for (let kill = 1; kill <= kills; kill += 1) {
      const settled = Math.floor((count * kill) / (kills + 1));
      await expect
        .poll(async () => (await readMove(page, plan.id)).pieces.copied, { timeout: patience, interval: 30 })
        .toBeGreaterThanOrEqual(settled);
      most = Math.max(most, here.memory().most - rest);
      await here.kill();
      await here.start();
    }
    const done = await moveOnce(page, plan.id, ['done', 'paused'], patience);
    most = Math.max(most, here.memory().most - rest);
    expect(done).toMatchObject({
      state: 'done',
      items: { usable: boxes },
      pieces: { copied: count - 2, failed: 2, missing: 0, waiting: 0 },
    });
    expect(source.faults.tooMany).toBeGreaterThan(0);
    expect(source.faults.failed).toBeGreaterThan(0);
    expect(source.faults.cut).toBeGreaterThan(0);

    const report = await reportOf(page, plan.id);
    expect(report).toHaveLength(count);
    const lineOf = new Map(report.map((line) => [`${line.item} ${line.version} ${line.provider}`, line]));
    const wrong: unknown[] = [];
    for (const { id, box, version, provider, sha256, isLie } of source.images) {
      const line = lineOf.get(`${box} ${version} ${provider}`);
      const [, name = ''] = box.split('/');
      const found = await imageAt(
        here.server,
        here.direct.token,
        imagePath(name, version, provider, 'amd64', 'team'),
      );
      const isRight = isLie
        ? line?.state === 'failed' && line.detail.includes(sha256) && found === '404'
        : line?.sha256 === sha256 && found === sha256;
      if (!isRight) wrong.push({ id, found, line });
    }
    expect(wrong).toEqual([]);
    // Only images in transit during a kill are sent again, and false images aren't fetched again either.
    const again = [...source.sent.values()].reduce((sum, times) => sum + times - 1, 0);
    expect(again).toBeLessThanOrEqual(kills * 4);
    expect(most).toBeLessThan(128 * mebibyte);

    // A second move finds everything here. Images without a checksum are compared by size.
    const second = await page.send('POST', movesApi, {
      body: { kind: 'boxes', address: source.url, token, wanted: ['team'] },
    });
    expect(await moveOnce(page, moveIn(second).id, ['planned'], patience)).toMatchObject({
      pieces: { here: count - 2, missing: 2, clash: 0 },
    });
  },
);
