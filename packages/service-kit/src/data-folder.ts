import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from './start-error.ts';

/**
 * Creates the data folder if it is missing, for its owner only (0700), and takes it for this process until `release`.
 * Uses SQLite's lock of an otherwise empty file, which the operating system releases however the process ends.
 * @throws {StartError} if the folder can't be written or another process has taken it
 */
export function takeDataFolder(folder: string) {
  const holder = path.join(folder, 'gatehouse.pid');
  let lock: DatabaseSync | undefined;
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A manually created folder may be open to others.
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
    throw new StartError(
      `Can't write to the data folder ${folder}: ${why}. Make it writable for this user, or set GATEHOUSE_DATA to another folder.`,
    );
  }
  const held = lock;
  let released = false;
  return {
    /** The absolute path. */
    path: folder,
    /** Releases the folder for other processes. Later calls do nothing. */
    release(): void {
      if (released) return;
      released = true;
      fs.rmSync(holder, { force: true });
      held.close();
    },
  };
}

/** Creates a file if it is missing, and makes it readable for its owner only. */
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
    return `another process (PID ${fs.readFileSync(holder, 'utf8').trim()})`;
  } catch {
    return 'another process';
  }
}
