import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import * as disk from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../error-code.ts';
import { StoreUnavailable } from '../store-error.ts';
import { ObjectMissing } from './object-store.ts';
import type { ObjectStore, Room, StoredObject } from './object-store.ts';
import { writeAll } from './write-all.ts';

/** The file system calls that a full disk affects; replaced in tests. */
export interface FileSystem {
  readonly open: typeof disk.open;
  /** Free bytes in the file system of `folder`. */
  readonly freeBytes: (folder: string) => Promise<number>;
}

const realDisk: FileSystem = {
  open: disk.open,
  async freeBytes(folder) {
    const { bavail, bsize } = await disk.statfs(folder);
    return bavail * bsize;
  },
};

/** Bytes per write. */
const batchBytes = 1024 * 1024;
/** Most bytes reserved beyond those that have arrived, so that an announced large object takes no space from others. */
const stepBytes = 16 * 1024 * 1024;
/** Bytes that uploads leave free for the databases on the same disk. */
const spareBytes = 64 * 1024 * 1024;

/**
 * Stores objects in a folder: each is written to a temporary file, flushed, then renamed.
 * @param folder created if missing
 * @param keptIn name of the subfolder for complete objects
 */
export async function diskObjects(
  folder: string,
  keptIn: string,
  files: FileSystem = realDisk,
): Promise<ObjectStore> {
  const incoming = join(folder, 'incoming');
  const kept = join(folder, keptIn);
  for (const path of [folder, incoming, kept]) await disk.mkdir(path, { recursive: true, mode: 0o700 });
  const pathOf = (key: string): string => join(kept, key);
  let reserved = 0;
  /** Reserves up to `stepBytes` if there is room for `bytes`. @returns the reserved bytes */
  const setAside = async (bytes: number): Promise<number> => {
    const free = await files.freeBytes(folder);
    // Checked after the wait, because other uploads may have reserved room during it.
    if (bytes + reserved + spareBytes > free) throw new StoreUnavailable('full', undefined);
    const step = Math.min(bytes, stepBytes);
    reserved += step;
    return step;
  };

  const write = async (
    body: AsyncIterable<Uint8Array>,
    file: FileHandle,
    hash: Sink,
    room: Room | undefined,
  ): Promise<number> => {
    let size = 0;
    let batch: Uint8Array[] = [];
    let batched = 0;
    let writing: Promise<void> | undefined;
    // Writes one batch while the next one is read.
    const flush = async (): Promise<void> => {
      await writing;
      const length = batched;
      await room?.extend(length);
      writing = writeAll(file, batch).then(() => room?.written(length));
      // The next flush reports the error; this only prevents an unhandled rejection.
      writing.catch(() => undefined);
      batch = [];
      batched = 0;
    };
    for await (const chunk of body) {
      hash.update(chunk);
      size += chunk.length;
      batched += chunk.length;
      batch.push(chunk);
      if (batched >= batchBytes) await flush();
    }
    await flush();
    await writing;
    return size;
  };

  return {
    // Each keeps about 2 MB in memory.
    atOnce: 64,

    reachable: () =>
      disk.access(kept, constants.W_OK).then(
        () => true,
        () => false,
      ),

    async reserve(bytes) {
      let left = await setAside(bytes);
      const giveBack = (some: number): void => {
        const given = Math.min(some, left);
        left -= given;
        reserved -= given;
      };
      return {
        async extend(some) {
          if (some <= left) return;
          left += await setAside(stepBytes);
        },
        written: giveBack,
        release: () => giveBack(left),
      };
    },

    async receive(body, type, room, key = randomUUID()): Promise<StoredObject> {
      const temporary = join(incoming, key);
      const hash = createHash(type);
      try {
        const file = await files.open(temporary, 'wx', 0o600);
        let size: number;
        try {
          size = await write(body, file, hash, room);
          await file.sync();
        } finally {
          await file.close();
        }
        await disk.rename(temporary, pathOf(key));
        await syncFolder(kept);
        return { key, size, digests: { [type]: hash.digest('hex') } };
      } catch (error) {
        await disk.rm(temporary, { force: true });
        await disk.rm(pathOf(key), { force: true });
        throw asUnavailable(error);
      }
    },

    async read(key, range) {
      try {
        const file = await disk.open(pathOf(key), constants.O_RDONLY);
        return file.createReadStream(range);
      } catch (error) {
        throw errorCode(error) === 'ENOENT' ? new ObjectMissing(key) : asUnavailable(error);
      }
    },

    async remove(key) {
      try {
        await disk.rm(pathOf(key), { force: true });
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async sweep(keys) {
      let count = 0;
      // Incomplete files, to which nothing can refer.
      for (const name of await disk.readdir(incoming)) {
        await disk.rm(join(incoming, name), { force: true, recursive: true });
        count++;
      }
      for (const name of await disk.readdir(kept)) {
        if (!keys.has(name)) continue;
        await disk.rm(pathOf(name), { force: true });
        count++;
      }
      return count;
    },
  };
}

interface Sink {
  update(chunk: Uint8Array): unknown;
}

/** Makes a rename durable. */
async function syncFolder(path: string): Promise<void> {
  const folder = await disk.open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Converts the file system's errors to StoreUnavailable; returns other errors unchanged. */
function asUnavailable(error: unknown): unknown {
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') return new StoreUnavailable('full', error);
  const isFileError = error instanceof Error && 'syscall' in error && 'path' in error;
  return isFileError || code === 'EIO' || code === 'EROFS' ? new StoreUnavailable('failed', error) : error;
}
