import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { ProblemError } from '#ground/problem.ts';
import { createTransfers } from '#upstreams/box-registry/transfers.ts';
import { createSpool } from './spool.ts';
import { UnusableImage } from './unusable-image.ts';

const mebibyte = 2 ** 20;
const deep = process.env['GATEHOUSE_DEEP'] === '1';

async function* of(pieces: readonly Uint8Array[], failure?: Error): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(piece);
  if (failure !== undefined) throw failure;
}

async function readAll(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(Uint8Array.from(piece));
  return Buffer.concat(pieces);
}

/** Like a delivery, sends the last piece once the checksum of all is known. */
async function* oneBehind(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | undefined;
  for await (const piece of pieces) {
    if (held !== undefined) yield held;
    held = piece;
  }
  if (held !== undefined) yield held;
}

/** So slowly that the sender must wait for the connection. */
async function* slowly(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece;
    for (let turn = 0; turn < 5; turn++) await nextTurn();
  }
}

test('stores what arrived of an interrupted body, in any pieces', async () => {
  using folder = temporaryFolder();
  const spool = createSpool({ folder: folder.path });
  const sizes = fc.array(fc.oneof(fc.integer({ min: 0, max: 70_000 }), fc.constant(mebibyte)), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(sizes, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (bodies, breaks) => {
        const id = randomUUID();
        let expected = Buffer.alloc(0);
        for (const [at, lengths] of bodies.entries()) {
          const pieces = lengths.map((length, piece) => Buffer.alloc(length, `${at}.${piece} `));
          const failure = breaks ? new Error('gone') : undefined;
          const written = await spool.write(id, expected.length, of(pieces, failure));
          expected = Buffer.concat([expected, ...pieces]);
          expect(written).toEqual({ offset: expected.length, ...(breaks && { failure }) });
        }
        expect((await readAll(spool.read(id))).equals(expected)).toBe(true);
      },
    ),
    { numRuns: deep ? 300 : 12 },
  );
});

test("keeps a piece's bytes while the next one is read", async () => {
  using folder = temporaryFolder();
  const spool = createSpool({ folder: folder.path });
  await spool.write('one', 0, of([1, 2, 3, 4].map((byte) => Buffer.alloc(mebibyte, byte))));
  let before: Uint8Array | undefined;
  let read = 0;
  for await (const piece of spool.read('one')) {
    if (before !== undefined) expect(before.every((byte) => byte === read)).toBe(true);
    before = piece;
    read++;
  }
  expect(read).toBe(4);
});

test('sends an image unchanged, however slowly the registry receives it', async () => {
  using folder = temporaryFolder();
  const spool = createSpool({ folder: folder.path });
  const image = Buffer.concat(Array.from({ length: 20 }, (_, at) => Buffer.alloc(mebibyte, at + 1)));
  await spool.write('one', 0, of([image]));
  const received = Promise.withResolvers<Buffer>();
  const server = createServer((req, res) => {
    readAll(slowly(req)).then((bytes) => {
      res.end();
      received.resolve(bytes);
    }, received.reject);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/image`);
  const transfers = createTransfers('local', { endpoint: { kind: 'url', url: new URL(url.origin) } });
  const { signal } = new AbortController();
  const body = oneBehind(spool.read('one'));
  expect(
    await transfers.put(transfers.placeOf(url.href), { length: image.length, body, signal }),
  ).toMatchObject({ status: 200 });
  expect((await received.promise).equals(image)).toBe(true);
  await transfers.close();
  server.close();
});

test('overwrites bytes beyond the offset, which a crash left', async () => {
  using folder = temporaryFolder();
  const spool = createSpool({ folder: folder.path });
  await spool.write('one', 0, of([Buffer.from('abcdef')]));
  await spool.write('one', 3, of([Buffer.from('XYZ!')]));
  expect(readFileSync(folder.file('one.part'), 'latin1')).toBe('abcXYZ!');
});

test('loses nothing if two consoles write from the beginning at the same time', async () => {
  using folder = temporaryFolder();
  const [one, other] = [createSpool({ folder: folder.path }), createSpool({ folder: folder.path })];
  const written = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const first = one.write(
    'one',
    0,
    (async function* () {
      yield Buffer.alloc(mebibyte, 'a');
      written.resolve();
      await goOn.promise;
      yield Buffer.from('end');
    })(),
  );
  await written.promise;
  expect(await other.write('one', 0, of([Buffer.alloc(10, 'a')]))).toEqual({ offset: 10 });
  goOn.resolve();
  expect(await first).toEqual({ offset: mebibyte + 3 });
  expect(readFileSync(folder.file('one.part'), 'latin1')).toBe(`${'a'.repeat(mebibyte)}end`);
});

type Work = (this: unknown, ...args: unknown[]) => Promise<unknown>;

test('writes and syncs one piece at a time, however many files arrive', async () => {
  using folder = temporaryFolder();
  const spool = createSpool({ folder: folder.path });
  const probe = await open(folder.file('probe'), 'w');
  const handles = Object.getPrototypeOf(probe) as Record<'writev' | 'datasync', Work>;
  await probe.close();
  let [running, most] = [0, 0];
  const counted = (work: Work): Work =>
    function (this: unknown, ...args) {
      running += 1;
      most = Math.max(most, running);
      return work.apply(this, args).finally(() => (running -= 1));
    };
  const { writev, datasync } = handles;
  using _writes = vi.spyOn(handles, 'writev').mockImplementation(counted(writev));
  using _syncs = vi.spyOn(handles, 'datasync').mockImplementation(counted(datasync));
  const bodies = [1, 2, 3, 4].map((byte) => [Buffer.alloc(mebibyte, byte), Buffer.alloc(mebibyte, byte)]);
  await Promise.all(bodies.map((pieces, at) => spool.write(`file${at}`, 0, of(pieces))));
  expect(most).toBe(1);
  for (const [at, pieces] of bodies.entries())
    expect((await readAll(spool.read(`file${at}`))).equals(Buffer.concat(pieces))).toBe(true);
});

test('reports a full disk with what to do, and counts only stored bytes', async () => {
  using folder = temporaryFolder();
  const spool = createSpool({ folder: folder.path });
  symlinkSync('/dev/full', folder.file('one.part'));
  const { offset, failure } = await spool.write('one', 0, of([Buffer.alloc(3 * mebibyte), Buffer.alloc(10)]));
  expect(offset).toBe(0);
  expect(failure).toBeInstanceOf(ProblemError);
  expect(failure).toMatchObject({
    code: 'storage-full',
    message: expect.stringContaining('continue when there is room'),
  });
});

test("says why its folder can't be used, and doesn't fail to remove a file there", async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('uploads'), '');
  const spool = createSpool({ folder: folder.file('uploads') });
  const none = { promised: 0, promisedToAccount: 0, missing: 0, missingOfAccount: 0 };
  for (const work of [
    () => spool.checkRoom(1, none),
    () => spool.write('one', 0, of([])),
    () => spool.end('one', 0),
    () => spool.holds('one', 0),
    () => readAll(spool.read('one')),
  ]) {
    await expect(work()).rejects.toMatchObject({
      code: 'service-unavailable',
      message: expect.stringContaining("can't use its uploads folder: it isn't a folder."),
    });
  }
  await spool.remove('one');
});

test('asks for a missing or truncated file again', async () => {
  using folder = temporaryFolder();
  const spool = createSpool({ folder: folder.path });
  await expect(readAll(spool.read('gone'))).rejects.toBeInstanceOf(UnusableImage);
  await expect(spool.write('gone', 5, of([Buffer.from('x')]))).rejects.toBeInstanceOf(UnusableImage);
  await spool.write('short', 0, of([Buffer.from('abcd')]));
  await expect(spool.write('short', 5, of([Buffer.from('x')]))).rejects.toBeInstanceOf(UnusableImage);
  expect(readFileSync(folder.file('short.part'), 'latin1')).toBe('abcd');
});

test("truncates a file to its length, and counts it as missing if it isn't complete", async () => {
  using folder = temporaryFolder();
  const spool = createSpool({ folder: folder.path });
  writeFileSync(folder.file('one.part'), 'new, and a longer one of before');
  await spool.end('one', 3);
  expect(readFileSync(folder.file('one.part'), 'utf8')).toBe('new');
  await expect(spool.end('one', 4)).rejects.toBeInstanceOf(UnusableImage);
  await expect(spool.end('gone', 0)).rejects.toBeInstanceOf(UnusableImage);
});

test('keeps unknown files that were written to recently', async () => {
  using folder = temporaryFolder();
  const spool = createSpool({ folder: folder.path });
  for (const name of ['old.part', 'new.part']) writeFileSync(folder.file(name), '');
  const before = Date.now() / 1000 - 100;
  utimesSync(folder.file('old.part'), before, before);
  await spool.sweep(() => Promise.resolve(new Set()), 60_000);
  expect(readdirSync(folder.path)).toEqual(['new.part']);
});

test('removes unknown files only', async () => {
  using folder = temporaryFolder();
  const spool = createSpool({ folder: folder.path });
  for (const name of ['known.part', 'unknown.part', 'other']) {
    writeFileSync(folder.file(name), '');
    utimesSync(folder.file(name), 1, 1);
  }
  await spool.sweep(async () => {
    // Another console continues a file.
    writeFileSync(folder.file('new.part'), '');
    utimesSync(folder.file('new.part'), 1, 1);
    return new Set(['known']);
  }, 60_000);
  expect(readdirSync(folder.path).sort()).toEqual(['known.part', 'new.part', 'other']);
});
