import * as disk from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { diskObjects } from './disk.ts';

const mebibyte = 2 ** 20;

test('counts written bytes of a reserved object only once', async () => {
  using folder = temporaryFolder();
  let written = 0;
  const objects = await diskObjects(folder.path, 'kept', {
    open: disk.open,
    // 64 MiB of this must stay free.
    freeBytes: async () => 70 * mebibyte - written,
  });
  const room = await objects.reserve(4 * mebibyte);
  const rest = Promise.withResolvers<void>();
  const body = async function* () {
    for (let count = 0; count < 4; count++) {
      yield Buffer.alloc(mebibyte);
      written += mebibyte;
      // The previous one is written at this point.
      if (count === 2) await rest.promise;
    }
  };
  const received = objects.receive(body(), 'sha256', room);
  await expect.poll(() => written).toBe(3 * mebibyte);
  // One of the object's four MiB is still reserved.

  const other = await vi.waitUntil(() => objects.reserve(2 * mebibyte).catch(() => undefined));
  await expect(objects.reserve(mebibyte)).rejects.toThrow('full');
  other.release();
  rest.resolve();
  expect((await received).size).toBe(4 * mebibyte);
  room.release();
  room.release();
  (await objects.reserve(2 * mebibyte)).release();
  await expect(objects.reserve(3 * mebibyte)).rejects.toThrow('full');
});

test('an announced large object takes only what arrives, and a little ahead, from others', async () => {
  using folder = temporaryFolder();
  const freeBytes = async (): Promise<number> => 164 * mebibyte;
  const objects = await diskObjects(folder.path, 'kept', { open: disk.open, freeBytes });
  await expect(objects.reserve(101 * mebibyte)).rejects.toThrow('full');
  const announced = await objects.reserve(100 * mebibyte);
  const other = await objects.reserve(84 * mebibyte);
  await expect(objects.reserve(69 * mebibyte)).rejects.toThrow('full');
  announced.release();
  other.release();
});

test('leaves the same room free for an object of unknown length', async () => {
  using folder = temporaryFolder();
  let written = 0;
  const objects = await diskObjects(folder.path, 'kept', {
    open: disk.open,
    // 64 MiB of this must stay free.
    freeBytes: async () => 100 * mebibyte - written,
  });
  const body = async function* () {
    for (;;) {
      yield Buffer.alloc(mebibyte);
      written += mebibyte;
    }
  };
  const room = await objects.reserve(0);
  await expect(objects.receive(body(), 'sha256', room)).rejects.toThrow('full');
  expect(written).toBeGreaterThan(20);
  expect(100 * mebibyte - written).toBeGreaterThanOrEqual(64 * mebibyte);
  written = 0;
  room.release();
  (await objects.reserve(36 * mebibyte)).release();
});
