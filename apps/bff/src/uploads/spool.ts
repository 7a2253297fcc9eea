/** Files of images that wait: bytes are on the disk before anybody is told that they are there. */
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { ProblemError } from '../http/problem.ts';
import { lostFile } from './unusable-image.ts';

/** Bytes that stay free on the disk for the console itself, unless the configuration says otherwise. */
const defaultKeepFree = 512 * 1024 * 1024;
/** Bytes that are read at once. */
const readBytes = 1024 * 1024;

export interface SpoolOptions {
  readonly folder: string;
  readonly quotaBytes?: number;
  readonly personQuotaBytes?: number;
  readonly keepFreeBytes?: number;
}

export interface Spool {
  /**
   * Makes sure that there is room for one more.
   * @throws ProblemError `storage-full`
   */
  checkRoom(size: number, taken: Taken): Promise<void>;
  /**
   * Writes what arrives from an offset on, until it ends, breaks off or the disk is full.
   * @returns the offset up to which it is durable, and why it ended early
   * @throws UnusableImage when what was written before is gone
   */
  write(id: string, offset: number, body: AsyncIterable<Uint8Array>): Promise<Written>;
  /** A file from its beginning. @throws UnusableImage when it is gone */
  read(id: string): AsyncIterable<Uint8Array>;
  remove(id: string): Promise<void>;
  /** Removes files that nobody knows of. */
  sweep(known: ReadonlySet<string>): Promise<void>;
}

/** Bytes that were promised already. */
interface Taken {
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
  quotaBytes = Infinity,
  personQuotaBytes = Infinity,
  keepFreeBytes = defaultKeepFree,
}: SpoolOptions): Spool {
  const fileOf = (id: string): string => join(folder, `${id}.part`);
  return {
    async checkRoom(size, { promised, promisedToPerson, missing }) {
      // The first upload makes it: most consoles publish nothing.
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (promisedToPerson + size > personQuotaBytes) {
        throw full(
          'Your images on their way take the room that one person has. Wait until others were delivered, or drop one.',
        );
      }
      if (promised + size > quotaBytes) {
        throw full(
          'The room that the console has for images is taken. Wait until others were delivered, or drop one.',
        );
      }
      const { bavail, bsize } = await statfs(folder);
      if (bavail * bsize - missing - keepFreeBytes < size) {
        throw full(
          'The disk of the console has no room for this image. Wait until others were delivered, or free some.',
        );
      }
    },
    async write(id, start, body) {
      // Appending would hide what was written and not made durable before a crash.
      const file = await open(fileOf(id), start === 0 ? 'w' : 'r+', 0o600).catch(whatOfFile);
      let offset = start;
      let failure: unknown;
      try {
        try {
          for await (const chunk of body) {
            await writeAll(file, chunk, offset);
            offset += chunk.length;
          }
        } catch (error) {
          failure = whatOfDisk(error);
        }
        try {
          await file.sync();
        } catch (error) {
          // What is not on the disk for certain was not received.
          offset = start;
          failure ??= whatOfDisk(error);
        }
      } finally {
        await file.close();
      }
      return { offset, ...(failure !== undefined && { failure }) };
    },
    async *read(id) {
      try {
        yield* createReadStream(fileOf(id), { highWaterMark: readBytes }) as AsyncIterable<Uint8Array>;
      } catch (error) {
        whatOfFile(error);
      }
    },
    remove: (id) => rm(fileOf(id), { force: true }),
    async sweep(known) {
      if (!existsSync(folder)) return;
      for (const name of await readdir(folder)) {
        const id = /^(.+)\.part$/.exec(name)?.[1];
        if (id !== undefined && !known.has(id)) await rm(fileOf(id), { force: true });
      }
    },
  };
}

async function writeAll(
  file: Awaited<ReturnType<typeof open>>,
  bytes: Uint8Array,
  position: number,
): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}

function whatOfFile(error: unknown): never {
  throw codeOf(error) === 'ENOENT' ? lostFile() : whatOfDisk(error);
}

function whatOfDisk(error: unknown): unknown {
  const code = codeOf(error);
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return full('The disk of the console is full. What arrived before is kept: go on when there is room.');
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function full(detail: string): ProblemError {
  return new ProblemError('storage-full', detail);
}
