import { preferenceLimitBytes } from '@gatehouse/api-types/console/addresses/preferences';
import { sql } from 'kysely';
import { ProblemError } from '#ground/problem.ts';
import type { Database } from '#store/database.ts';

/** Settings by user. */
export type Preferences = ReturnType<typeof preferences>;

/** Most keys of one user, and most bytes of their values together: all are read and answered in one piece. */
const keyLimit = 200;
const allBytes = 256 * 1024;

export function preferences(database: Database) {
  const { build } = database;
  return {
    /** All values of a user, by key. */
    async all(personId: string): Promise<Record<string, unknown>> {
      const rows = await database.all(
        build.selectFrom('preference').select(['key', 'value']).where('person_id', '=', personId).compile(),
      );
      return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value) as unknown]));
    },
    /**
     * Sets one value, which may be null.
     * @throws ProblemError `payload-too-large` for a value beyond the limit, `invalid-request` for too many of them
     */
    async put(personId: string, key: string, value: unknown): Promise<void> {
      const text = JSON.stringify(value ?? null);
      const size = Buffer.byteLength(text);
      if (size > preferenceLimitBytes) {
        throw new ProblemError(
          'payload-too-large',
          `A preference can have at most ${preferenceLimitBytes.toLocaleString('en')} bytes.`,
        );
      }
      const own = build.selectFrom('preference').where('person_id', '=', personId);
      const others = own.where('key', '<>', key);
      const count = others.select((eb) => eb.fn.countAll<number>().as('count'));
      const bytes = others.select(sql<number>`coalesce(sum(octet_length(value)), 0)`.as('bytes'));
      // Counts in the insert, so that concurrent requests can't exceed the limits.
      const kept = await database.run(
        sql`insert into preference (person_id, key, value)
          select cast(${personId} as text), cast(${key} as text), cast(${text} as text) where (${count}) < ${keyLimit} and (${bytes}) <= ${allBytes - size}
          on conflict (person_id, key) do update set value = excluded.value`.compile(build),
      );
      if (kept === 0)
        throw new ProblemError(
          'invalid-request',
          `You can have at most ${keyLimit} preferences with ${allBytes.toLocaleString('en')} bytes in all.`,
        );
    },
  };
}
