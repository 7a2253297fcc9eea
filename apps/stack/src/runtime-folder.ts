import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StartError } from '@gatehouse/service-kit/start-error';

/** The longest path of a Unix socket that every system accepts, in bytes. */
const longestSocketPath = 100;

/**
 * Creates the private folder (0700) for the sockets of one data folder. Its name depends on the data folder, so a
 * start reuses the folder of a killed process and none pile up; the data folder's lock keeps two processes apart.
 * @param dataDir absolute path of a data folder that this process has taken
 * @returns an absolute path, short enough for `<path>/<service>.sock`
 * @throws {StartError} if the folder is open to others, or no place for it is writable
 */
export function makeRuntimeFolder(dataDir: string): string {
  const name = `gatehouse-${createHash('sha256').update(fs.realpathSync(dataDir)).digest('hex').slice(0, 16)}`;
  const folder = path.join(shortFolder(name), name);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = fs.lstatSync(folder);
  const mine = process.getuid === undefined || stat.uid === process.getuid();
  if (!stat.isDirectory() || !mine || (stat.mode & 0o077) !== 0) {
    throw new StartError(`The runtime folder ${folder} is open to others. Delete it and start again.`);
  }
  return folder;
}

function shortFolder(name: string): string {
  for (const folder of [process.env['XDG_RUNTIME_DIR'], os.tmpdir(), '/tmp']) {
    if (folder === undefined || folder === '') continue;
    if (Buffer.byteLength(path.join(folder, name, 'access.sock')) > longestSocketPath) continue;
    try {
      fs.accessSync(folder, fs.constants.W_OK);
      return folder;
    } catch {
      // Try the next one.
    }
  }
  throw new StartError('No writable folder with a short path for sockets was found. Set TMPDIR to one.');
}
