import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from './start-error.ts';

/** A data folder that this process alone may use, until `release`. */
export type DataFolder = ReturnType<typeof takeDataFolder>;

/**
 * Makes the data folder where it is missing, for its owner alone (0700), and takes it for this process.
 *
 * The lock is SQLite's own lock of an otherwise empty file: the operating system lets go of it however the
 * process ends, so a killed console never has to be cleaned up after.
 *
 * @throws {StartError} when the folder cannot be written or another process has it
 */
export function takeDataFolder(folder: string) {
  const holder = path.join(folder, 'gatehouse.pid');
  let lock: DatabaseSync | undefined;
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    // One that was made by hand may be open to others.
    fs.chmodSync(folder, 0o700);
    const lockFile = path.join(folder, 'gatehouse.lock');
    makePrivate(lockFile);
    lock = new DatabaseSync(lockFile, { timeout: 0 });
    lock.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    makePrivate(holder);
    fs.writeFileSync(holder, `${process.pid}\n`);
  } catch (error) {
    lock?.close();
    if (isBusy(error)) throw new StartError(`The data folder ${folder} is in use by ${nameOf(holder)}.`);
    const why = error instanceof Error ? error.message : String(error);
    throw new StartError(`The data folder ${folder} cannot be written: ${why}.`);
  }
  const held = lock;
  let released = false;
  return {
    /** Absolute path. */
    path: folder,
    /** Lets another process have the folder; later calls do nothing. */
    release(): void {
      if (released) return;
      released = true;
      fs.rmSync(holder, { force: true });
      held.close();
    },
  };
}

/** Makes a file where it is missing, and has nobody but its owner read it. */
function makePrivate(file: string): void {
  fs.closeSync(fs.openSync(file, 'a', 0o600));
  fs.chmodSync(file, 0o600);
}

function isBusy(error: unknown): boolean {
  const busy = 5;
  return error instanceof Error && 'errcode' in error && error.errcode === busy;
}

function nameOf(holder: string): string {
  try {
    return `another process (${fs.readFileSync(holder, 'utf8').trim()})`;
  } catch {
    return 'another process';
  }
}
