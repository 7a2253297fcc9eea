/** Files of images that wait: bytes are on the disk before anybody is told that they are there. */
import { constants, existsSync } from 'node:fs';
import { mkdir, open, readdir, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@gatehouse/service-kit/error-code';
import { writeAll } from '@gatehouse/service-kit/object-store/write-all';
import { ProblemError } from '#ground/problem.ts';
import { lostFile } from './unusable-image.ts';

/** Bytes that all images on their way may take, and those of one person, unless the configuration says otherwise. */
const defaultQuota = 512 * 1024 ** 3;
const defaultPersonQuota = 128 * 1024 ** 3;
/** Bytes that stay free on the disk for the console itself, unless the configuration says otherwise. */
const defaultKeepFree = 512 * 1024 * 1024;
/** Bytes that are written at once, roughly. */
const batchBytes = 1024 * 1024;
/** Bytes that are read at once. */
const readBytes = 1024 * 1024;

export interface SpoolOptions {
  readonly folder: string;
  readonly quotaBytes?: number;
  readonly personQuotaBytes?: number;
  readonly keepFreeBytes?: number;
}

export type Spool = ReturnType<typeof createSpool>;

/** Bytes that were promised already. */
export interface Taken {
  readonly promised: number;
  /** Of these, to the person who asks. */
  readonly promisedToPerson: number;
  /** Of all, those that did not arrive yet. */
  readonly missing: number;
}

interface Written {
  readonly offset: number;
  /** Why not everything was written; undefined when it was. */
  readonly failure?: unknown;
}

export function createSpool({
  folder,
  quotaBytes = defaultQuota,
  personQuotaBytes = defaultPersonQuota,
  keepFreeBytes = defaultKeepFree,
}: SpoolOptions) {
  const fileOf = (id: string): string => join(folder, `${id}.part`);
  return {
    /**
     * Makes sure that there is room for one more.
     * @throws ProblemError `storage-full`
     */
    async checkRoom(size: number, { promised, promisedToPerson, missing }: Taken): Promise<void> {
      // The first upload makes it: most consoles publish nothing.
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (promisedToPerson + size > personQuotaBytes) {
        throw full(
          'Your uploads use all the space a user can have. Wait until some are delivered, or cancel one.',
        );
      }
      if (promised + size > quotaBytes) {
        throw full(
          "The console's space for uploads is used up. Wait until some are delivered, or cancel one.",
        );
      }
      const { bavail, bsize } = await statfs(folder);
      if (bavail * bsize - missing - keepFreeBytes < size) {
        throw full(
          "The console's disk has no space for this image. Wait until some are delivered, or free some space.",
        );
      }
    },
    /**
     * Writes what arrives from an offset on, until it ends, breaks off or the disk is full.
     * @returns the offset up to which it is durable, and why it ended early
     * @throws UnusableImage when what was written before is gone
     */
    async write(id: string, start: number, body: AsyncIterable<Uint8Array>): Promise<Written> {
      // Appending would hide what was written and not made durable before a crash; emptying would take away what another
      // console is writing: both write the same bytes at the same places.
      const flags = start === 0 ? constants.O_RDWR | constants.O_CREAT : 'r+';
      const file = await open(fileOf(id), flags, 0o600).catch(whatOfFile);
      try {
        const { bytes, failure } = await writeBody(file, body, start);
        try {
          await file.datasync();
        } catch (error) {
          // What is not on the disk for certain was not received.
          return { offset: start, failure: failure ?? whatOfDisk(error) };
        }
        return { offset: start + bytes, ...(failure !== undefined && { failure }) };
      } finally {
        await file.close();
      }
    },
    /**
     * A file from its beginning. Two buffers are used in turn: a piece holds its bytes until the next but one is
     * requested; copy it to keep it for longer.
     * @throws UnusableImage when it is gone
     */
    async *read(id: string): AsyncIterable<Uint8Array> {
      const file = await open(fileOf(id)).catch(whatOfFile);
      try {
        // Reused: with a new buffer for each piece, garbage collection takes a large part of a delivery's time.
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
     * Ends a file that was received: what follows was written before, for something longer or without being made durable.
     * @throws UnusableImage when not all of it is here
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
    /** Whether a file is here as a whole. */
    async holds(id: string, size: number): Promise<boolean> {
      try {
        return (await stat(fileOf(id))).size === size;
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return false;
        throw error;
      }
    },
    remove: (id: string): Promise<void> => rm(fileOf(id), { force: true }),
    /**
     * Removes files that nobody knows of.
     * @param known read after the files: another console may begin one at any time
     * @param unchangedMs how long nothing was written to them, in milliseconds
     */
    async sweep(known: () => Promise<ReadonlySet<string>>, unchangedMs = 0): Promise<void> {
      if (!existsSync(folder)) return;
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
 * Writes what comes, the next pieces while those before are written.
 * @returns bytes that were written, and why not all were
 */
async function writeBody(
  file: FileHandle,
  body: AsyncIterable<Uint8Array>,
  start: number,
): Promise<{ readonly bytes: number; readonly failure?: unknown }> {
  let bytes = 0;
  let batch: Uint8Array[] = [];
  let batched = 0;
  let writing: Promise<{ readonly failure: unknown } | undefined> = Promise.resolve(undefined);
  const write = async (pieces: readonly Uint8Array[], length: number) => {
    try {
      await writeAll(file, pieces, start + bytes);
      bytes += length;
      return undefined;
    } catch (error) {
      return { failure: whatOfDisk(error) };
    }
  };
  /** Waits for the batch before. @throws why it was not written */
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
  // What came before it broke off is kept.
  const failed = (await writing) ?? (await write(batch, batched));
  return failed === undefined && failure === undefined
    ? { bytes }
    : { bytes, failure: failed?.failure ?? failure };
}

/** Reads until the buffer is full or the file ends: only a file's last piece is short. @returns how many bytes */
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

function whatOfDisk(error: unknown): unknown {
  const code = errorCode(error);
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return full("The console's disk is full. Everything received so far is kept: continue when there is room.");
}

function full(detail: string): ProblemError {
  return new ProblemError('storage-full', detail);
}
