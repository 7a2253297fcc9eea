import { testPassword } from '@gatehouse/box-registry/testing/server';
import { createLog } from '@gatehouse/service-kit/log';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { startBoxes } from '#test/boxes.ts';
import type { Browser } from '#test/browser.ts';
import { signInAs, type TestConsole } from '#test/console.ts';
import { ageLeases, startPostgres } from '#test/postgres.ts';
import {
  beginUpload,
  downloaded,
  imageOf,
  offsetOf,
  patch,
  readRun,
  sendAll,
  sha256,
  startRun,
  uploadIn,
} from '#test/publish.ts';
import { silenceDisk } from '#test/silent-disk.ts';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const minute = 60_000;

/**
 * Starts two consoles on one database. Images reach the registry only when they are released one by one.
 * @param folders whether both consoles store files in one folder
 * @param heartbeatMs the first console's heartbeat
 * @param host the registry's host name in the second console's configuration, if it differs: tokens are bound to it
 */
async function startTwo(
  folders: 'shared' | 'separate',
  heartbeatMs = 10,
  { host }: { readonly host?: string } = {},
) {
  const databaseUrl = (await postgres?.database()) ?? '';
  const folder = temporaryFolder();
  const settings = { databaseUrl, keyFile: folder.file('keys.json') };
  const bff = { retryDelaysMs: [10, 20, 40], heartbeatMs };
  const boxes = await startBoxes({ ...settings, bff });
  const logged: string[] = [];
  const log = createLog({ service: 'console', destination: { write: (line) => void logged.push(line) } });
  const second = await boxes.another({
    bff: { ...bff, heartbeatMs: 10, log },
    ...(folders === 'separate' && { dataDir: folder.file('second') }),
    ...(host !== undefined && {
      boxes: { kind: 'url', url: new URL(`http://${host}:${boxes.proxy.port}`) },
    }),
  });
  const rows = new pg.Client(databaseUrl);
  await rows.connect();
  const held: (() => void)[] = [];
  boxes.proxy.onRequest = (bytes) => {
    if (!bytes.toString('latin1').startsWith('PUT /upload/')) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    held.push(resolve);
    return promise;
  };
  return {
    boxes,
    second,
    clock: boxes.server.clock,
    /** The second console's log lines. */
    logged,
    /** Images waiting before the registry. Calling one lets it through. */
    held,
    /** Opens a signed-in browser at the second console. */
    async atSecond(): Promise<Browser> {
      const page = second.browser();
      await signInAs(page, 'admin', testPassword, 'boxes');
      return page;
    },
    /** The end of the only delivery's lease. */
    async leaseUntil(): Promise<number> {
      const { rows: found } = await rows.query('SELECT lease_until FROM publish_upload');
      return Number(found[0]?.lease_until);
    },
    /** Lets time pass, for leases too, which the database's own clock judges. */
    async pass(ms: number): Promise<void> {
      boxes.server.clock.advance(ms);
      await ageLeases(databaseUrl, ms);
    },
    async [Symbol.asyncDispose]() {
      for (const pass of held) pass();
      await rows.end();
      await second.close();
      await boxes[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** An image that the first console has received and is delivering. */
async function delivering({ boxes, held }: Awaited<ReturnType<typeof startTwo>>, box: string) {
  const page = await boxes.signedIn();
  const image = imageOf(10_000, 29);
  const run = await startRun(page, box);
  await sendAll(page, (await beginUpload(page, run, image)).path, image);
  await expect.poll(() => held.length).toBe(1);
  return { page, run, image };
}

describe.runIf(postgres !== undefined)('two consoles on one database', () => {
  test('one delivers an image once, however late the registry responds', async () => {
    await using two = await startTwo('shared');
    const { boxes, second, held } = two;
    const { page, run, image } = await delivering(two, 'late');
    for (let halves = 0; halves < 3; halves++) {
      const before = await two.leaseUntil();
      await two.pass(minute / 2);
      await expect.poll(() => two.leaseUntil()).toBeGreaterThanOrEqual(before);
      await second.bff.upkeep();
    }
    held[0]?.();
    expect(await uploadIn(page, run.id, ['done', 'failed'])).toMatchObject({ state: 'done', attempts: 1 });
    expect([held.length, await downloaded(boxes, 'late')]).toEqual([1, sha256(image)]);
    expect((await readRun(page, run.id)).log.filter(({ failed }) => failed)).toEqual([]);
  });

  test('one that lost a delivery to the other writes nothing more', async () => {
    await using two = await startTwo('shared', 60 * minute);
    const { boxes, second, held } = two;
    const { run, image } = await delivering(two, 'lost');
    await two.pass(minute + 1);
    await second.bff.upkeep();
    await expect.poll(() => held.length).toBe(2);
    held[0]?.();
    await expect.poll(() => downloaded(boxes, 'lost')).toBe(sha256(image));
    // It waits for the first one's work in progress.
    await boxes.console.close();
    const page = await two.atSecond();
    expect(await uploadIn(page, run.id, ['delivering', 'verifying', 'done'])).toMatchObject({
      state: 'delivering',
      attempts: 2,
    });
    held[1]?.();
    expect(await uploadIn(page, run.id, ['done', 'failed'])).toMatchObject({ state: 'done', attempts: 2 });
    const lines = (await readRun(page, run.id)).log.map(({ text }) => text);
    expect(lines.filter((text) => text.includes('deliver'))).toEqual([
      'The image was delivered and verified.',
    ]);
    boxes.console = await boxes.another({});
  });

  test('one starts while the disk of its uploads is silent, and delivers once when it answers', async () => {
    await using two = await startTwo('shared');
    const { boxes, held } = two;
    const { run, image } = await delivering(two, 'silent-disk');
    await boxes.console.close();
    const silent = silenceDisk();
    try {
      boxes.console = await boxes.another({ bff: { heartbeatMs: 10, patienceMs: 10 } });
      await boxes.console.bff.upkeep();
      expect((await boxes.console.browser().send('GET', '/healthz')).json).toEqual({
        status: 'degraded',
        problems: ['uploads-folder-unusable'],
      });
      expect(held.length).toBe(1);
    } finally {
      silent.answer();
    }
    const page = await boxes.signedIn();
    await expect.poll(() => held.length).toBe(2);
    // With so little patience, a check may be late.
    const health = async () => {
      await boxes.console.bff.upkeep();
      return (await page.send('GET', '/healthz')).json;
    };
    await expect.poll(health).toEqual({ status: 'ok' });
    held[1]?.();
    expect(await uploadIn(page, run.id, ['done', 'failed'])).toMatchObject({ state: 'done', attempts: 2 });
    expect([held.length, await downloaded(boxes, 'silent-disk')]).toEqual([2, sha256(image)]);
  });

  test('one reports a disk that falls silent, and stops nevertheless, so that the other delivers', async () => {
    await using two = await startTwo('shared');
    const { boxes, second, held } = two;
    const { run, image } = await delivering(two, 'fell-silent');
    await boxes.console.close();
    const bff = { heartbeatMs: 10, retryDelaysMs: [10, 10], patienceMs: 10 };
    boxes.console = await boxes.another({ bff });
    const page = await boxes.signedIn();
    await expect.poll(() => held.length).toBe(2);
    const { path } = await beginUpload(page, await startRun(page, 'arriving'), image);
    const silent = silenceDisk();
    try {
      boxes.proxy.drop();
      const arriving = patch(page, path, 0, image).catch(() => 'cut off');
      await expect.poll(() => silent.asked).toEqual(expect.arrayContaining(['stat', 'statfs']));
      expect((await page.send('GET', '/healthz')).json).toEqual({ status: 'ok' });
      await boxes.console.bff.upkeep();
      expect((await page.send('GET', '/healthz')).json).toEqual({
        status: 'degraded',
        problems: ['uploads-folder-unusable'],
      });
      await boxes.console.close();
      expect(await arriving).toBe('cut off');
    } finally {
      silent.answer();
    }
    await second.bff.upkeep();
    await expect.poll(() => held.length).toBe(3);
    held[2]?.();
    const other = await two.atSecond();
    expect(await uploadIn(other, run.id, ['done', 'failed'])).toMatchObject({ state: 'done' });
    boxes.console = await boxes.another({});
  });

  test('one without the file leaves the delivery to the other, even while that is down', async () => {
    await using two = await startTwo('separate');
    const { boxes, second, held } = two;
    const { run, image } = await delivering(two, 'away');
    await boxes.console.close();
    await second.bff.upkeep();
    const page = await two.atSecond();
    expect((await readRun(page, run.id)).providers[0]?.upload).toMatchObject({
      state: 'delivering',
      problem: null,
    });
    boxes.console = await boxes.another({});
    await expect.poll(() => held.length).toBe(2);
    held[1]?.();
    expect(await uploadIn(page, run.id, ['done', 'failed'])).toMatchObject({ state: 'done', attempts: 2 });
    expect(await downloaded(boxes, 'away')).toBe(sha256(image));
  });

  test("one that can't use the delivery's token leaves the delivery to the other", async () => {
    await using two = await startTwo('shared', 10, { host: 'localhost' });
    const { boxes, second, held } = two;
    const { run, image } = await delivering(two, 'other-host');
    await boxes.console.close();
    await second.bff.upkeep();
    boxes.console = await boxes.another({});
    await expect.poll(() => held.length).toBe(2);
    held[1]?.();
    const page = await boxes.signedIn();
    expect(await uploadIn(page, run.id, ['done', 'failed'])).toMatchObject({ state: 'done', attempts: 2 });
    expect(await downloaded(boxes, 'other-host')).toBe(sha256(image));
  });

  test('one without the file reports it as gone when the other has been down for an hour', async () => {
    await using two = await startTwo('separate');
    const { boxes, second } = two;
    const { run, image } = await delivering(two, 'gone');
    await boxes.console.close();
    await two.pass(59 * minute);
    await second.bff.upkeep();
    const page = await two.atSecond();
    expect((await readRun(page, run.id)).providers[0]?.upload).toMatchObject({
      state: 'delivering',
      problem: null,
    });
    await two.pass(minute);
    await second.bff.upkeep();
    expect(await uploadIn(page, run.id, ['done', 'failed'])).toMatchObject({
      state: 'failed',
      retry: 'send',
      problem: { code: 'not-found', detail: 'The console no longer has the file. Send it again.' },
    });
    boxes.console = await boxes.another({});
    delete boxes.proxy.onRequest;
    await sendAll(page, (await beginUpload(page, run, image)).path, image);
    expect(await uploadIn(page, run.id, ['done', 'failed'])).toMatchObject({ state: 'done' });
  });

  test('both report that their upload folders differ, for as long as they do', async () => {
    await using two = await startTwo('separate');
    const { boxes, second, clock, logged } = two;
    const health = async (console: TestConsole) =>
      (await console.browser().send('GET', '/healthz')).json as unknown;
    const split = { status: 'degraded', problems: ['uploads-not-shared'] };
    // The second one notices at its start, the first one at its next upkeep.
    expect(logged.join('')).toContain('Configure the same uploads.folder for both.');
    expect(await health(second)).toEqual(split);
    expect(await health(boxes.console)).toEqual({ status: 'ok' });
    await boxes.console.bff.upkeep();
    expect(await health(boxes.console)).toEqual(split);
    // One that was killed reports nothing any more.
    clock.advance(3 * minute);
    await boxes.console.bff.upkeep();
    expect(await health(boxes.console)).toEqual({ status: 'ok' });
    await second.bff.upkeep();
    await boxes.console.close();
    await second.bff.upkeep();
    expect(await health(second)).toEqual({ status: 'ok' });
    boxes.console = await boxes.another({});
  });

  test('neither reports anything if both use one upload folder', async () => {
    await using two = await startTwo('shared');
    for (const console of [two.boxes.console, two.second]) {
      await console.bff.upkeep();
      expect((await console.browser().send('GET', '/healthz')).json).toEqual({ status: 'ok' });
    }
    expect(two.logged.join('')).not.toContain('uploads not shared');
  });

  test("one without the beginning of a file doesn't give the upload up", async () => {
    await using two = await startTwo('separate');
    const { boxes } = two;
    const [page, other] = [await boxes.signedIn(), await two.atSecond()];
    const image = imageOf(10_000, 30);
    const run = await startRun(page, 'begun');
    const { path } = await beginUpload(page, run, image);
    await patch(page, path, 0, image.subarray(0, 4_000));
    const refused = await patch(other, path, 4_000, image.subarray(4_000));
    expect([refused.status, refused.json['code'], refused.json['detail']]).toEqual([
      503,
      'service-unavailable',
      expect.stringContaining('is stored at another console'),
    ]);
    delete boxes.proxy.onRequest;
    expect(await offsetOf(page, path)).toBe(4_000);
    await patch(page, path, 4_000, image.subarray(4_000));
    expect(await uploadIn(page, run.id, ['done', 'failed'])).toMatchObject({ state: 'done' });
  });
});
