import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for one test, deleted when disposed (`using folder = temporaryFolder()`). */
export interface TemporaryFolder extends Disposable {
  readonly path: string;
  /** The path of a file in it. */
  file(name: string): string;
}

/** Creates a private folder in shared memory or in the system's temporary folder. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(temporaryPlace(), 'gatehouse-'));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]() {
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Bytes of free shared memory required to create folders there. */
const roomInMemory = 512 * 2 ** 20;

/**
 * The parent of temporary folders: TMPDIR if set, else shared memory if it has room, because durable writes to a disk
 * are slow.
 */
export function temporaryPlace(): string {
  const memory = '/dev/shm';
  if (process.env['TMPDIR'] !== undefined) return tmpdir();
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize < roomInMemory ? tmpdir() : memory;
  } catch {
    return tmpdir();
  }
}
