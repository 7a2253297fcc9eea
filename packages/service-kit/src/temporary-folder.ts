import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for one test; gone when disposed (`using folder = temporaryFolder()`). */
export interface TemporaryFolder extends Disposable {
  readonly path: string;
  /** The path of a file in it. */
  file(name: string): string;
}

/** Creates a private folder in the system's memory or under its temporary folder. */
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

/** Bytes that must be free in memory for folders that are made there. */
const roomInMemory = 512 * 2 ** 20;

/**
 * Where folders are made that are deleted at the end: in memory where the system has room there, for every durable
 * write to a disk is waited for. TMPDIR goes first.
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
