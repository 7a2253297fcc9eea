import { access, constants, mkdir, readdir, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@gatehouse/service-kit/clock';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import type { Log } from '@gatehouse/service-kit/log';
import { patience } from '#ground/pause.ts';
import type { Database } from '#store/database.ts';
import { defaultKeepFree, type SpoolOptions } from './spool.ts';

/** Time after a console's last report for which its folder counts as used, in milliseconds: a few rounds of upkeep. */
const inUseFor = 3 * 60_000;

/**
 * Notices that consoles with one database keep uploads in different folders, so that none has the files of another, and
 * that consoles with different databases use one folder, so that none knows whose files are left over. Also notices that
 * consoles with one database have different environments, so that none finds the sessions of the other's.
 */
export type FolderWatch = ReturnType<typeof watchFolder>;

/**
 * @param of `auditKeyId` is a key of the database's audit trail, which identifies the database and is never deleted;
 *   `environments` is equal for consoles with the same environments
 * @param patienceMs how long a check may take before the folder counts as unusable
 */
export function watchFolder(
  { folder, keepFreeBytes = defaultKeepFree }: SpoolOptions,
  database: Database,
  clock: Clock,
  log: Log,
  { auditKeyId, environments }: { readonly auditKeyId: string; readonly environments: string },
  patienceMs = patience,
) {
  const { build } = database;
  const replica = randomBase62(12);
  let own: string | undefined;
  let split = false;
  let differ = false;
  let foreign: string | undefined;
  let usable = false;
  let isChecked = false;
  let isFull = false;

  /** Work at the disk, whose failure or silence makes the folder unusable. The database's doesn't. */
  const atDisk = async <Result>(work: Promise<Result>): Promise<Result> => {
    const fails = (): void => void (usable = false);
    const silent = setTimeout(fails, patienceMs);
    return work
      .catch((error: unknown) => {
        fails();
        throw error;
      })
      .finally(() => clearTimeout(silent));
  };

  /** Marks the folder as this database's, looks for the marks of others, and for free space. */
  const checkDatabases = async (): Promise<void> => {
    const marks = await atDisk(marksIn(folder, databaseMark));
    await atDisk(access(folder, constants.W_OK));
    const { bavail, bsize } = await atDisk(statfs(folder));
    isFull = bavail * bsize < keepFreeBytes;
    const ids = marks.map((mark) => mark.slice(0, -databaseMark.length));
    const found = await database.all(
      build
        .selectFrom('audit_key')
        .select('id')
        .where('id', 'in', [...ids, ''])
        .compile(),
    );
    if (found.length === 0) await atDisk(mark(folder, auditKeyId + databaseMark));
    const before = foreign;
    foreign = marks.find((_mark, at) => !found.some(({ id }) => id === ids[at]));
    if (foreign !== undefined && before === undefined) {
      log.warn('uploads folder shared with another database', {
        resourceId: foreign,
        reason:
          'A console on another database uses this uploads folder, so unknown files are kept. Configure another uploads.folder for one of the databases, then delete the file with the ID above from the folder.',
      });
    }
  };

  /** Reports that this console uses its folder, and looks for other folders of this database. */
  const checkFolders = async (): Promise<void> => {
    if ((await atDisk(marksIn(folder, folderMark))).length === 0)
      await atDisk(mark(folder, randomBase62(24) + folderMark));
    // If consoles that start together each create one, the first counts.
    const [shared = ''] = await atDisk(marksIn(folder, folderMark));
    // Each console has its own row, so that one that leaves removes no other's.
    own = `${shared}/${replica}`;
    const row = { seen_at: clock.now(), environments };
    await database.batch([
      build
        .deleteFrom('uploads_folder')
        .where('seen_at', '<=', row.seen_at - inUseFor)
        .compile(),
      build
        .insertInto('uploads_folder')
        .values({ id: own, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .compile(),
    ]);
    const others = build.selectFrom('uploads_folder').select('id').limit(1);
    const isSplit = await database.get(others.where('id', 'not like', `${shared}/%`).compile());
    if (isSplit !== undefined && !split) {
      log.warn('uploads not shared', {
        reason:
          "Another console on this database keeps uploads in a different folder, so neither finds the other's files. Configure the same uploads.folder for both.",
      });
    }
    split = isSplit !== undefined;
    const isOther = await database.get(others.where('environments', '!=', environments).compile());
    if (isOther !== undefined && !differ) {
      log.warn('environments differ', {
        reason:
          "Another console on this database has different environments, or names their services differently, so neither finds the sessions and accounts of the other's. Configure the same environments for both, in the same order.",
      });
    }
    differ = isOther !== undefined;
  };

  return {
    /** The problems that the last check found, for /healthz. */
    problems: (): readonly string[] => [
      ...(usable ? [] : ['uploads-folder-unusable']),
      ...(isFull ? ['uploads-disk-full'] : []),
      ...(split ? ['uploads-not-shared'] : []),
      ...(differ ? ['environments-differ'] : []),
      ...(foreign === undefined ? [] : ['uploads-of-another-database']),
    ],
    /** Whether unknown files in the folder are left over, and nobody else's. */
    isOwn: (): boolean => isChecked && foreign === undefined,
    /** Checks the folder, and creates it if missing. @throws the error of the disk or database */
    async check(): Promise<void> {
      isChecked = false;
      await checkDatabases();
      if (database.shared) await checkFolders();
      usable = true;
      isChecked = true;
    },
    /** This console stops using its folder. */
    async leave(): Promise<void> {
      if (own === undefined) return;
      await database.run(build.deleteFrom('uploads_folder').where('id', '=', own).compile());
    },
  };
}

/** Ends the names of files that identify a folder, and a database that uses it. */
const folderMark = '.folder';
const databaseMark = '.database';

async function marksIn(folder: string, kind: string): Promise<string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return (await readdir(folder)).filter((name) => name.endsWith(kind)).toSorted();
}

const mark = (folder: string, name: string): Promise<void> =>
  writeFile(join(folder, name), '', { mode: 0o600 });
