import { secretDatesIn } from '@gatehouse/api-types/console/secret-dates';
import { sql } from 'kysely';
import type { Database } from '#store/database.ts';
import type { SecretDateRow } from '#store/schema.ts';
import type { Place } from './secrets-server/place.ts';

/** The dates in the custom metadata of secrets that were read or written through the console. */
export type SecretDates = ReturnType<typeof secretDates>;

/** Most dates that are stored of an environment. Further ones aren't shown until others are gone. */
const most = 10_000;

/** Stored, because a server can't be searched for custom metadata: each secret would have to be read. */
export function secretDates(database: Database) {
  const { build } = database;
  const of = (environment: string) => build.selectFrom('secret_date').where('environment', '=', environment);
  return {
    /** Stores the dates in a secret's custom metadata. @param custom undefined if the secret doesn't exist */
    async note(
      environment: string,
      { mount, path }: Place,
      custom: Readonly<Record<string, string>> = {},
    ): Promise<void> {
      const found = secretDatesIn(custom);
      const own = of(environment).where('mount', '=', mount).where('path', '=', path);
      const stored = await database.all(own.select(['kind', 'at']).compile());
      const isSame = stored.every((row) => found.some(({ kind, at }) => kind === row.kind && at === row.at));
      if (isSame && stored.length === found.length) return;
      const count = of(environment).select((eb) => eb.fn.countAll<number>().as('count'));
      await database.batch([
        build
          .deleteFrom('secret_date')
          .where('environment', '=', environment)
          .where('mount', '=', mount)
          .where('path', '=', path)
          .compile(),
        ...found.map(({ kind, at }) =>
          sql`insert into secret_date (environment, mount, path, kind, at)
            select cast(${environment} as text), cast(${mount} as text), cast(${path} as text), cast(${kind} as text),
              cast(${at} as bigint) where (${count}) < ${most} on conflict do nothing`.compile(build),
        ),
      ]);
    },
    /** The earliest dates before a time. @param limit their number */
    async before(environment: string, time: number, limit: number): Promise<SecretDateRow[]> {
      return database.all(
        of(environment).selectAll().where('at', '<', time).orderBy('at').limit(limit).compile(),
      );
    },
  };
}
