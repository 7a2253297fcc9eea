import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { Refusal } from '../core/refusal.ts';

/** The maximum size of a file in bytes. */
const largestFile = 2 * 1024 ** 3;
/** The number of bytes hashed at a time; other requests are answered between them. */
const chunkBytes = 256 * 1024;

/** The maximum number of files waiting to be hashed. */
const mostWaiting = 16;

/** A command has no file that could be run; the message explains why. */
export class PluginFileFault extends Error {
  override readonly name = 'PluginFileFault';
}

/** The files of plugins, none of which is ever run. */
export type PluginFiles = ReturnType<typeof pluginFiles>;

/** Opens nothing yet, because the directory may be created later. @param directory undefined if none is configured */
export function pluginFiles(directory: string | undefined) {
  const folder = directory === undefined ? undefined : resolve(directory);
  let turn: Promise<unknown> = Promise.resolve();
  /** Hashes in progress or waiting, by command. */
  const underWay = new Map<string, Promise<string>>();
  return {
    /** Whether a plugin directory is configured. */
    configured: folder !== undefined,
    /** Where a command's file should be; undefined if no plugin directory is configured. */
    pathOf: (command: string): string | undefined =>
      folder === undefined ? undefined : join(folder, command),
    /**
     * Checks that a command is a regular file directly in the directory, and not a symbolic link to a place outside.
     * Without a directory, only the name is checked.
     * @throws PluginFileFault
     */
    async check(command: string): Promise<void> {
      refuseParents(command);
      if (folder !== undefined) await locate(folder, command);
    },
    /**
     * Returns the SHA-256 of a file's current content in lower-case hex. Files are hashed one at a time, and
     * simultaneous requests for a file share the result.
     * @throws PluginFileFault
     * @throws Refusal 429 if too many files are waiting
     */
    sha256(command: string): Promise<string> {
      const running = underWay.get(command);
      if (running !== undefined) return running;
      if (underWay.size > mostWaiting) {
        return Promise.reject(new Refusal(429, ['too many plugins are being checked; try again later']));
      }
      const hashed = turn
        .then(async () => {
          refuseParents(command);
          if (folder === undefined) throw new PluginFileFault('no plugin directory is configured');
          return hash(await locate(folder, command));
        })
        .finally(() => underWay.delete(command));
      underWay.set(command, hashed);
      turn = hashed.catch(() => undefined);
      return hashed;
    },
  };
}

function refuseParents(command: string): void {
  if (command.split(/[/\\]/).includes('..')) {
    throw new PluginFileFault('path cannot contain parent references');
  }
}

/** Resolves the real path of a command's file. */
async function locate(folder: string, command: string): Promise<string> {
  const place = join(folder, command);
  try {
    const real = await realpath(place);
    if (dirname(real) !== (await realpath(folder))) {
      throw new PluginFileFault('cannot execute files outside of configured plugin directory');
    }
    if (!(await stat(real)).isFile()) throw notRegular(place);
    return real;
  } catch (error) {
    throw asFault(error, place);
  }
}

async function hash(place: string): Promise<string> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    // The file may have been replaced since the check, so the call must neither follow a link nor wait for a pipe.
    await using file = await open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!(await file.stat()).isFile()) throw notRegular(place);
    const sum = createHash('sha256');
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (let size = 0; ;) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, null);
      if (bytesRead === 0) return sum.digest('hex');
      size += bytesRead;
      if (size > largestFile) {
        throw new PluginFileFault(`error while validating the command path: ${place} is larger than 2 GiB`);
      }
      sum.update(buffer.subarray(0, bytesRead));
    }
  } catch (error) {
    throw asFault(error, place);
  }
}

function notRegular(place: string): PluginFileFault {
  return new PluginFileFault(`error while validating the command path: ${place} is not a regular file`);
}

function asFault(error: unknown, place: string): unknown {
  if (error instanceof PluginFileFault || !(error instanceof Error)) return error;
  const { errno, code } = error as NodeJS.ErrnoException;
  if (errno === undefined && code !== 'ERR_INVALID_ARG_VALUE') return error;
  const why = errno === undefined ? 'invalid argument' : getSystemErrorMessage(errno);
  return new PluginFileFault(`error while validating the command path: lstat ${place}: ${why}`);
}
