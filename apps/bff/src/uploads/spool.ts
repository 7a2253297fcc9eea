/** Files of waiting images. Bytes are on the disk before they are reported as received. */
import { constants } from 'node:fs';
import { mkdir, open, readdir, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@gatehouse/service-kit/error-code';
import { writeAll } from '@gatehouse/service-kit/object-store/write-all';
import pLimit, { type LimitFunction } from 'p-limit';
import { ProblemError } from '#ground/problem.ts';
import { lostFile } from './unusable-image.ts';

/** Most bytes of all images, and of one user's, unless configured otherwise. */
const defaultQuota = 512 * 1024 ** 3;
const defaultPersonQuota = 128 * 1024 ** 3;
/** Bytes that stay free on the disk for the console itself, unless configured otherwise. */
export const defaultKeepFree = 512 * 1024 * 1024;
/** Approximate bytes per write. */
const batchBytes = 1024 * 1024;
/** Bytes per read. */
const readBytes = 1024 * 1024;

export interface SpoolOptions {
  readonly folder: string;
  readonly quotaBytes?: number;
  readonly personQuotaBytes?: number;
  readonly keepFreeBytes?: number;
}

export type Spool = ReturnType<typeof createSpool>;

/** Reserved bytes. */
export interface Taken {
  readonly promised: number;
  /** Of these, the account's own. */
  readonly promisedToAccount: number;
  /** Of all, those that haven't arrived yet. */
  readonly missing: number;
  /** Of these, the account's own. */
  readonly missingOfAccount: number;
}

interface Written {
  readonly offset: number;
  /** Why not everything was written; undefined if it was. */
  readonly failure?: unknown;
}

export function createSpool({
  folder,
  quotaBytes = defaultQuota,
  personQuotaBytes = defaultPersonQuota,
  keepFreeBytes = defaultKeepFree,
}: SpoolOptions) {
  const fileOf = (id: string): string => join(folder, `${id}.part`);
  // Each write takes a processor, and one of the few threads that also hash passwords and read other files: several at
  // once would delay everybody. One alone writes more than most networks bring.
  const writing = pLimit(1);
  return {
    /**
     * Ensures that there is room for more bytes of a file.
     * @param size the bytes
     * @param announced how many of them are reserved before any arrives. What an account has announced takes at most half
     *   of the room that is left, unless it is one file.
     * @throws ProblemError `storage-full`, UnusableFolder
     */
    async checkRoom(size: number, taken: Taken, announced = 0): Promise<void> {
      const { promised, promisedToAccount, missing, missingOfAccount } = taken;
      // May have been deleted since the start.
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch(rethrow);
      if (promisedToAccount + size > personQuotaBytes) {
        throw full(
          'Your uploads use all the space a user can have. Wait until some are delivered, or cancel one.',
        );
      }
      if (promised + size > quotaBytes) {
        throw full(
          "The console's space for uploads is used up. Wait until some are delivered, or cancel one.",
        );
      }
      const { bavail, bsize } = await statfs(folder).catch(rethrow);
      const free = bavail * bsize - missing - keepFreeBytes;
      if (free < size) {
        throw full(
          "The console's disk has no space for this image. Wait until others are delivered, or free up space.",
        );
      }
      const left = Math.min(free, quotaBytes - promised);
      if (announced > 0 && missingOfAccount > 0 && missingOfAccount + 2 * announced > left) {
        throw full(
          'Your unfinished uploads already reserve as much space as is left for others. Finish or cancel one first.',
        );
      }
    },
    /**
     * Writes what arrives from an offset on, until it ends, is interrupted or the disk is full.
     * @returns the offset up to which it is durable, and why it ended early
     * @throws UnusableImage if the bytes before the offset are gone
     */
    async write(id: string, start: number, body: AsyncIterable<Uint8Array>): Promise<Written> {
      // Appending would hide bytes that a crash left unsynced. Emptying the file would remove
      // what another console is writing: both write the same bytes at the same places.
      const flags = start === 0 ? constants.O_RDWR | constants.O_CREAT : 'r+';
      const file = await open(fileOf(id), flags, 0o600).catch(whatOfFile);
      try {
        // Writing beyond the end would leave zeros before the offset.
        if (start > 0 && (await file.stat()).size < start) throw lostFile();
        const { bytes, failure } = await writeBody(file, body, start, writing);
        try {
          await writing(() => file.datasync());
        } catch (error) {
          // Only bytes that are certainly on the disk count as received.
          return { offset: start, failure: failure ?? whatOfDisk(error) };
        }
        return { offset: start + bytes, ...(failure !== undefined && { failure }) };
      } finally {
        await file.close();
      }
    },
    /**
     * Reads a file from its beginning with two buffers in turn. A piece keeps its bytes until the second piece after it
     * is requested; copy it to keep it longer.
     * @throws UnusableImage if the file is gone
     */
    async *read(id: string): AsyncIterable<Uint8Array> {
      const file = await open(fileOf(id)).catch(whatOfFile);
      try {
        // Reused, because with a new buffer for each piece, garbage collection takes a large part of a delivery's time.
        let [buffer, other] = [Buffer.allocUnsafeSlow(readBytes), Buffer.allocUnsafeSlow(readBytes)];
        for (;;) {
          const length = await fill(file, buffer);
          if (length > 0) yield buffer.subarray(0, length);
          if (length < readBytes) return;
          [buffer, other] = [other, buffer];
        }
      } finally {
        await file.close();
      }
    },
    /**
     * Ends a received file: bytes after its end were written before, for something longer or without a sync.
     * @throws UnusableImage if the file isn't complete
     */
    async end(id: string, size: number): Promise<void> {
      const file = await open(fileOf(id), 'r+').catch(whatOfFile);
      try {
        const { size: found } = await file.stat();
        if (found < size) throw lostFile();
        if (found > size) await file.truncate(size);
      } finally {
        await file.close();
      }
    },
    /** Whether a complete file is here. */
    async holds(id: string, size: number): Promise<boolean> {
      try {
        return (await stat(fileOf(id))).size === size;
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return false;
        throw whatOfDisk(error);
      }
    },
    /**
     * Removes a file. What can't be removed is left to `sweep`. Not awaited where someone waits for an answer: the disk may
     * not respond.
     */
    remove: (id: string): Promise<void> => rm(fileOf(id), { force: true }).catch(() => undefined),
    /**
     * Removes unknown files.
     * @param known read after the files, because another console may begin one at any time
     * @param unchangedMs time without writes before a file is removed, in milliseconds
     */
    async sweep(known: () => Promise<ReadonlySet<string>>, unchangedMs: number): Promise<void> {
      const names = await readdir(folder);
      const ids = await known();
      for (const name of names) {
        const id = /^(.+)\.part$/.exec(name)?.[1];
        if (id === undefined || ids.has(id)) continue;
        const written = await stat(fileOf(id)).catch(() => undefined);
        if (written !== undefined && written.mtimeMs + unchangedMs <= Date.now())
          await rm(fileOf(id), { force: true });
      }
    },
  };
}

/**
 * Writes what arrives; the next pieces are collected during a write.
 * @param inTurn runs a write in its turn
 * @returns the number of written bytes, and why not all were written
 */
async function writeBody(
  file: FileHandle,
  body: AsyncIterable<Uint8Array>,
  start: number,
  inTurn: LimitFunction,
): Promise<{ readonly bytes: number; readonly failure?: unknown }> {
  let bytes = 0;
  let batch: Uint8Array[] = [];
  let batched = 0;
  let writing: Promise<{ readonly failure: unknown } | undefined> = Promise.resolve(undefined);
  const write = async (pieces: readonly Uint8Array[], length: number) => {
    try {
      await inTurn(() => writeAll(file, pieces, start + bytes));
      bytes += length;
      return undefined;
    } catch (error) {
      return { failure: whatOfDisk(error) };
    }
  };
  /** Waits for the previous batch. @throws the error of its write */
  const flush = async (): Promise<void> => {
    const failed = await writing;
    if (failed !== undefined) throw failed.failure;
    writing = write(batch, batched);
    batch = [];
    batched = 0;
  };
  let failure: unknown;
  try {
    for await (const piece of body) {
      batch.push(piece);
      batched += piece.length;
      if (batched >= batchBytes) await flush();
    }
  } catch (error) {
    failure = error;
  }
  // Keeps what arrived of an interrupted body.
  const failed = (await writing) ?? (await write(batch, batched));
  return failed === undefined && failure === undefined
    ? { bytes }
    : { bytes, failure: failed?.failure ?? failure };
}

/** Reads until the buffer is full or the file ends. Only a file's last piece is short. @returns the number of bytes */
async function fill(file: FileHandle, buffer: Uint8Array): Promise<number> {
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

function whatOfFile(error: unknown): never {
  throw errorCode(error) === 'ENOENT' ? lostFile() : whatOfDisk(error);
}

function rethrow(error: unknown): never {
  throw whatOfDisk(error);
}

/** What an error of the disk means to the user. Other errors stay as they are. */
function whatOfDisk(error: unknown): unknown {
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return full(
      "The console's disk is full. Everything received so far is kept: continue when there is room.",
    );
  return code !== undefined && /^E[A-Z]+$/.test(code) ? new UnusableFolder(code, error) : error;
}

/** Why a folder can't be used, by the code of the error. */
const whyUnusable: Readonly<Record<string, string>> = {
  ENOENT: "it doesn't exist",
  ENOTDIR: "it isn't a folder",
  EEXIST: "it isn't a folder",
  EACCES: "the console isn't allowed to read and write it",
  EPERM: "the console isn't allowed to read and write it",
  EROFS: 'its disk is read-only',
  EIO: 'its disk has a fault',
};

/** The folder or its disk doesn't work. */
export class UnusableFolder extends ProblemError {
  override readonly name = 'UnusableFolder';

  constructor(code: string, cause: unknown) {
    const why = whyUnusable[code] ?? `the system reports ${code}`;
    super(
      'service-unavailable',
      `The console can't use its uploads folder: ${why}. Received files are kept. Ask an administrator to check the folder, then retry.`,
      { cause },
    );
  }
}

function full(detail: string): ProblemError {
  return new ProblemError('storage-full', detail);
}
