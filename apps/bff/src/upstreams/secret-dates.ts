import { secretDatesIn } from '@gatehouse/api-types/console/secret-dates';
import type { Log } from '@gatehouse/service-kit/log';
import { sql } from 'kysely';
import type { Database } from '#store/database.ts';
import type { SecretDateRow } from '#store/schema.ts';
import type { Place } from './secrets-server/place.ts';

type CustomMetadata = Readonly<Record<string, string>>;

/** The dates in the custom metadata of secrets that were read or written through the console. */
export type SecretDates = ReturnType<typeof secretDates>;

/**
 * Most dates that are stored of an environment, and of a folder at the top of an engine, so that one folder doesn't take
 * the room of others. It keeps its earliest ones; a full environment stores no others.
 */
const usualLimits = { most: 10_000, mostInFolder: 500 };

/** Most changes that wait to be stored. */
const mostWaiting = 1_000;

/** Stored, because a server can't be searched for custom metadata: each secret would have to be read. */
export function secretDates(database: Database, log: Log, { most, mostInFolder } = usualLimits) {
  const { build } = database;
  const of = (environment: string) => build.selectFrom('secret_date').where('environment', '=', environment);
  const store = async (
    environment: string,
    { mount, path }: Place,
    custom: CustomMetadata,
  ): Promise<void> => {
    const found = secretDatesIn(custom);
    const own = of(environment).where('mount', '=', mount).where('path', '=', path);
    const before = await database.all(own.select(['kind', 'at']).compile());
    const isSame = before.every((row) => found.some(({ kind, at }) => kind === row.kind && at === row.at));
    if (isSame && before.length === found.length) return;
    const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
    const count = of(environment).select((eb) => eb.fn.countAll<number>().as('count'));
    const place = sql<number>`row_number() over (order by at, path, kind)`.as('place');
    const ranked = of(environment)
      .where('mount', '=', mount)
      .where('folder', '=', folder)
      .select(['path', 'kind', place]);
    const later = build
      .selectFrom(ranked.as('ranked'))
      .select(['path', 'kind'])
      .where('place', '>', mostInFolder);
    await database.batch([
      build
        .deleteFrom('secret_date')
        .where('environment', '=', environment)
        .where('mount', '=', mount)
        .where('path', '=', path)
        .compile(),
      ...found.map(({ kind, at }) =>
        sql`insert into secret_date (environment, mount, folder, path, kind, at)
          select cast(${environment} as text), cast(${mount} as text), cast(${folder} as text), cast(${path} as text),
            cast(${kind} as text), cast(${at} as bigint) where (${count}) < ${most}
          on conflict do nothing`.compile(build),
      ),
      build
        .deleteFrom('secret_date')
        .where('environment', '=', environment)
        .where('mount', '=', mount)
        .where('folder', '=', folder)
        .where((eb) => eb(eb.refTuple('path', 'kind'), 'in', later.$asTuple('path', 'kind')))
        .compile(),
    ]);
  };
  /** One after another, so that an earlier state isn't stored last. */
  let stored: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    /**
     * Stores the dates in a secret's custom metadata, without delaying or failing what has read them.
     * @param custom undefined if the secret doesn't exist
     */
    note(environment: string, place: Place, custom: CustomMetadata = {}): void {
      // While the database is locked, they aren't collected without limit: the next read notes them again.
      if (waiting >= mostWaiting) return;
      waiting += 1;
      stored = stored
        .then(() => store(environment, place, custom))
        .catch((error: unknown) => log.warn('dates of a secret not stored', { error }))
        .finally(() => (waiting -= 1));
    },
    /** Whether all dates before a time that were noted are stored: neither a folder nor the environment had too many. */
    async isWhole(environment: string, time: number): Promise<boolean> {
      const count = sql<number>`count(*)`;
      const folders = await database.all(
        of(environment)
          .select([count.as('count'), sql<number>`max(at)`.as('latest')])
          .groupBy(['mount', 'folder'])
          .compile(),
      );
      const all = folders.reduce((sum, folder) => sum + folder.count, 0);
      return all < most && folders.every(({ count: own, latest }) => own < mostInFolder || latest >= time);
    },
    /**
     * The earliest dates before a time: the first of each folder at the top of an engine, then the second ones.
     * @param limit their number
     */
    async before(
      environment: string,
      time: number,
      limit: number,
    ): Promise<Pick<SecretDateRow, 'mount' | 'path'>[]> {
      const place = sql<number>`row_number() over (partition by mount, folder order by at)`.as('place');
      const ranked = of(environment).where('at', '<', time).select(['mount', 'path', 'at', place]);
      return database.all(
        build
          .selectFrom(ranked.as('ranked'))
          .select(['mount', 'path'])
          .orderBy('place')
          .orderBy('at')
          .limit(limit)
          .compile(),
      );
    },
  };
}
