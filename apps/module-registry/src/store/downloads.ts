import { dateOf, dayOf } from '@gatehouse/service-kit/clock';
import { withParameters } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { Consumer, Module } from '../domain/module.ts';
import type { RegistryStore, RegistryWriter } from './database.ts';

export interface DownloadSummary {
  /** In the last 7, 30 and 365 days, including today. */
  readonly week: number;
  readonly month: number;
  readonly year: number;
  readonly total: number;
}

/** The downloads of a version on one day. */
export interface DailyDownloads {
  /** `2026-11-22`, UTC. */
  readonly date: string;
  readonly version: string;
  readonly count: number;
}

/** A token that downloads, and its owner. */
export type Fetcher = Pick<Consumer, 'tokenId' | 'token' | 'owner'>;

export type DownloadStore = ReturnType<typeof downloadStore>;

/** The most pairs of token and version that are kept per user and module; the latest downloads stay. */
export const mostConsumers = 500;

/** Days whose downloads are kept, including today; totals stay. */
export const keptDays = 366;

/** Most expired rows deleted with one download. */
const expiredAtOnce = 500;

/** Most rows read at a time by `daily` and `consumers`. */
export const mostAtOnce = 250;

/** Stores downloads of archives, with their totals by module and by module and day. */
export function downloadStore(store: RegistryStore) {
  const { build } = store;

  return {
    async count(
      version: { readonly id: number; readonly moduleId: number },
      fetcher: Fetcher | undefined,
      now: number,
    ): Promise<void> {
      const of = { module_id: version.moduleId, version_id: version.id };
      const day = dayOf(now);
      const oneMore = { count: sql<number>`count + 1` };
      await store.write((tx) => {
        const counted = tx.run(
          tx.build
            .updateTable('download')
            .set(oneMore)
            .where('module_id', '=', of.module_id)
            .where('day', '=', day)
            .where('version_id', '=', of.version_id)
            .compile(),
        );
        if (counted === 0) {
          tx.run(
            tx.build
              .insertInto('download')
              .values({ ...of, day, count: 1 })
              .compile(),
          );
          removeExpired(tx, of.module_id, day - keptDays);
        }
        const versions = counted === 0 ? 1 : 0;
        tx.run(
          tx.build
            .insertInto('download_day')
            .values({ module_id: of.module_id, day, versions, count: 1 })
            .onConflict((conflict) =>
              conflict
                .columns(['module_id', 'day'])
                .doUpdateSet({ ...oneMore, versions: sql<number>`versions + ${versions}` }),
            )
            .compile(),
        );
        tx.run(
          tx.build
            .updateTable('module')
            .set((is) => ({ downloads: is('downloads', '+', 1) }))
            .where('id', '=', of.module_id)
            .compile(),
        );
        if (fetcher === undefined) return;
        const { tokenId, token, owner } = fetcher;
        const known = tx.run(
          tx.build
            .updateTable('consumer')
            .set({ token, owner, last_time: now, downloads: sql<number>`downloads + 1` })
            .where('module_id', '=', of.module_id)
            .where('version_id', '=', of.version_id)
            .where('token_id', '=', tokenId)
            .compile(),
        );
        if (known > 0) return;
        tx.run(
          tx.build
            .insertInto('consumer')
            .values({ ...of, token_id: tokenId, token, owner, downloads: 1, last_time: now })
            .compile(),
        );
        // Limited, since every user can create any number of tokens and download every version with each.
        const older = sql.raw(
          `DELETE FROM consumer WHERE module_id = ?1 AND (version_id, token_id) IN (
             SELECT version_id, token_id FROM consumer WHERE module_id = ?1 AND owner = ?2
             ORDER BY last_time DESC LIMIT -1 OFFSET ?3)`,
        );
        tx.run(withParameters(older.compile(tx.build), of.module_id, owner, mostConsumers));
      });
    },

    summary({ id, downloads }: Pick<Module, 'id' | 'downloads'>, now: number): DownloadSummary {
      const since = (days: number) =>
        sql<number>`coalesce(sum(count) FILTER (WHERE day > ${dayOf(now) - days}), 0)`;
      const row = store.get(
        build
          .selectFrom('download_day')
          .select([since(7).as('week'), since(30).as('month'), since(365).as('year')])
          .where('module_id', '=', id)
          .where('day', '>', dayOf(now) - 365)
          .compile(),
      );
      return { week: 0, month: 0, year: 0, ...row, total: downloads };
    },

    /** The first of the last `days` days that, with all later ones, have at most `most` downloaded versions. */
    firstDay(moduleId: number, days: number, most: number, now: number): number {
      const first = dayOf(now) - days + 1;
      const rows = store.all(
        build
          .selectFrom('download_day')
          .select(['day', 'versions'])
          .where('module_id', '=', moduleId)
          .where('day', '>=', first)
          .orderBy('day', 'desc')
          .compile(),
      );
      let versions = 0;
      const over = rows.find((row) => (versions += row.versions) > most);
      return over === undefined ? first : over.day + 1;
    },

    /** The downloads since a day, oldest first, without empty days; at most `mostAtOnce` at a time. */
    *daily(moduleId: number, firstDay: number): Generator<readonly DailyDownloads[]> {
      for (let from = { day: firstDay, version_id: 0 }; ;) {
        const rows = store.all(
          build
            .selectFrom('download')
            .innerJoin('version', 'version.id', 'download.version_id')
            .select(['download.day', 'download.version_id', 'version.version', 'download.count'])
            .where('download.module_id', '=', moduleId)
            .where(sql<boolean>`(download.day, download.version_id) > (${from.day}, ${from.version_id})`)
            .orderBy('download.day')
            .orderBy('download.version_id')
            .limit(mostAtOnce)
            .compile(),
        );
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows.map(({ day, version, count }) => ({ date: dateOf(day), version, count }));
        from = last;
      }
    },

    /** The tokens that downloaded a module, with the versions, in no particular order; at most `mostAtOnce` at a time. */
    *consumers(moduleId: number): Generator<readonly Consumer[]> {
      for (let from = { version_id: 0, token_id: '' }; ;) {
        const rows = store.all(
          build
            .selectFrom('consumer')
            .innerJoin('version', 'version.id', 'consumer.version_id')
            .selectAll('consumer')
            .select('version.version')
            .where('consumer.module_id', '=', moduleId)
            .where(
              sql<boolean>`(consumer.version_id, consumer.token_id) > (${from.version_id}, ${from.token_id})`,
            )
            .orderBy('consumer.version_id')
            .orderBy('consumer.token_id')
            .limit(mostAtOnce)
            .compile(),
        );
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows.map((row) => ({
          tokenId: row.token_id,
          token: row.token,
          owner: row.owner,
          version: row.version,
          downloads: row.downloads,
          lastTime: row.last_time,
        }));
        from = last;
      }
    },
  };
}

/** Deletes some of a module's downloads until a day. */
function removeExpired(tx: RegistryWriter, moduleId: number, until: number): void {
  const versions = sql.raw(
    `DELETE FROM download WHERE module_id = ?1 AND (day, version_id) IN (
       SELECT day, version_id FROM download WHERE module_id = ?1 AND day <= ?2 LIMIT ?3)`,
  );
  tx.run(withParameters(versions.compile(tx.build), moduleId, until, expiredAtOnce));
  tx.run(
    tx.build.deleteFrom('download_day').where('module_id', '=', moduleId).where('day', '<=', until).compile(),
  );
}
