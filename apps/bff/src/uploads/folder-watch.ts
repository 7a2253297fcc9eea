import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@gatehouse/service-kit/clock';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import type { Log } from '@gatehouse/service-kit/log';
import type { Database } from '#store/database.ts';

/** Time after a console's last report for which its folder counts as used, in milliseconds: a few rounds of upkeep. */
const inUseFor = 3 * 60_000;

/** Notices that consoles with one database keep uploads in different folders, so that none has the files of another. */
export type FolderWatch = ReturnType<typeof watchFolder>;

export function watchFolder(folder: string, database: Database, clock: Clock, log: Log) {
  const { build } = database;
  const replica = randomBase62(12);
  let own: string | undefined;
  let split = false;
  return {
    /** The result of the last check. */
    isSplit: (): boolean => split,
    /** Reports that this console uses its folder, and checks for others. */
    async check(): Promise<void> {
      if (!database.shared) return;
      const shared = await idOf(folder);
      // Each console has its own row, so that one that leaves removes no other's.
      own = `${shared}/${replica}`;
      const row = { seen_at: clock.now() };
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
      const other = await database.get(
        build
          .selectFrom('uploads_folder')
          .select('id')
          .where('id', 'not like', `${shared}/%`)
          .limit(1)
          .compile(),
      );
      const before = split;
      split = other !== undefined;
      if (split && !before) {
        log.warn('uploads not shared', {
          reason:
            "Another console on this database keeps uploads in a different folder, so neither finds the other's files. Configure the same uploads.folder for both.",
        });
      }
    },
    /** This console stops using its folder. */
    async leave(): Promise<void> {
      if (own === undefined) return;
      await database.run(build.deleteFrom('uploads_folder').where('id', '=', own).compile());
    },
  };
}

/** Identifies the folder by a file in it. If consoles that start together each create one, the first counts. */
async function idOf(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const ids = async (): Promise<string[]> =>
    (await readdir(folder)).filter((name) => name.endsWith('.folder')).toSorted();
  const [known] = await ids();
  if (known !== undefined) return known;
  const created = `${randomBase62(24)}.folder`;
  await writeFile(join(folder, created), '', { mode: 0o600 });
  return (await ids())[0] ?? created;
}
