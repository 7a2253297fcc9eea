import fs from 'node:fs';
import path from 'node:path';
import { ConfigError } from '@gatehouse/bff/config/config-error';
import { loadConfig } from '@gatehouse/bff/config/load';
import { takeDataFolder } from '@gatehouse/service-kit/data-folder';
import { keyRingFromFile, KeyRingRefused } from '@gatehouse/service-kit/secret-box';
import { StartError } from '@gatehouse/service-kit/start-error';
import { readEnvironment } from './environment.ts';

/** A key ring with a new active key. */
export interface RotatedRing {
  /** The absolute path. */
  readonly file: string;
  /** The new active key. */
  readonly keyId: string;
  /** The number of keys in the ring. */
  readonly keys: number;
}

/**
 * Gives every key ring of a data folder, and of its environments' folders, a new active key. The services re-encrypt
 * their stored data with the new key: the embedded ones at their next start, the console as it uses the data. Older
 * keys stay in the rings, since older backups need them.
 * @param dataDir of a console that isn't running
 * @param further files of rings elsewhere
 * @throws {StartError} if there is no ring, or the folder is in use
 * @throws KeyRingRefused for a ring that can't be read; the rings before it have been rotated then
 */
export function rotateKeys(dataDir: string, further: readonly string[] = []): readonly RotatedRing[] {
  const files = [...new Set([...ringsIn(dataDir), ...further.filter((file) => fs.existsSync(file))])];
  if (files.length === 0) {
    throw new StartError(
      `${dataDir} has no key ring. The first start creates one; GATEHOUSE_DATA sets the folder.`,
    );
  }
  // A running service would continue to use its loaded ring.
  const folder = takeDataFolder(dataDir);
  try {
    return files.map((file) => {
      const ring = keyRingFromFile(file);
      return { file, keyId: ring.rotate(), keys: ring.keyIds.length };
    });
  } finally {
    folder.release();
  }
}

/** The key ring files in a folder and its direct subfolders. */
function ringsIn(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  const isRing = (entry: fs.Dirent): boolean => entry.isFile() && entry.name.endsWith('-keys.json');
  const here = fs.readdirSync(folder, { withFileTypes: true });
  const below = here
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => fs.readdirSync(path.join(folder, entry.name), { withFileTypes: true }));
  return [...here, ...below].filter(isRing).map((entry) => path.join(entry.parentPath, entry.name));
}

/**
 * `npm run rotate-keys`: rotates the rings that the variables refer to, and prints them. Prints one line and exits
 * with 1 for an error that the user can correct.
 * @param root for relative paths in variables
 */
export function rotateKeysCommand(root: string): void {
  try {
    const { dataDir, configFile, keyRing } = readEnvironment(process.env, root);
    if (keyRing !== undefined) {
      throw new StartError(
        'The keys come from GATEHOUSE_KEYS, which only you can change. Add a key there and make it the active one.',
      );
    }
    const keys = configFile === undefined ? undefined : loadConfig(configFile, {}).keys;
    const rotated = rotateKeys(dataDir, keys !== undefined && 'file' in keys ? [keys.file] : []);
    for (const { file, keyId, keys: count } of rotated) {
      process.stdout.write(`${file}: ${keyId} is now the active one of ${count} keys.\n`);
    }
    process.stdout.write(
      'Back the files up. From the next start on, stored data is encrypted with the new keys.\n',
    );
  } catch (error) {
    const isMendable =
      error instanceof StartError || error instanceof ConfigError || error instanceof KeyRingRefused;
    if (!isMendable) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
