import { preferenceLimitBytes } from '@gatehouse/api-types/console/preferences';
import { ProblemError } from '#ground/problem.ts';
import type { Database } from '#store/database.ts';

/** What people arranged for themselves, by person. */
export interface Preferences {
  /** All of a person's values by key. */
  all(personId: string): Promise<Record<string, unknown>>;
  /**
   * Sets one value. Null is a value too.
   * @throws ProblemError `payload-too-large` for a value beyond the limit, `invalid-request` for too many keys
   */
  put(personId: string, key: string, value: unknown): Promise<void>;
}

/** Most keys of one person. */
const keyLimit = 200;

export function preferences(database: Database): Preferences {
  const { build } = database;
  return {
    async all(personId) {
      const rows = await database.all(
        build.selectFrom('preference').select(['key', 'value']).where('person_id', '=', personId).compile(),
      );
      return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value) as unknown]));
    },
    async put(personId, key, value) {
      const text = JSON.stringify(value ?? null);
      if (Buffer.byteLength(text) > preferenceLimitBytes) {
        throw new ProblemError(
          'payload-too-large',
          `A preference can have at most ${preferenceLimitBytes} bytes.`,
        );
      }
      const others = await database.get(
        build
          .selectFrom('preference')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('person_id', '=', personId)
          .where('key', '<>', key)
          .compile(),
      );
      if ((others?.count ?? 0) >= keyLimit) {
        throw new ProblemError('invalid-request', `You can have at most ${keyLimit} preferences.`);
      }
      await database.run(
        build
          .insertInto('preference')
          .values({ person_id: personId, key, value: text })
          .onConflict((conflict) => conflict.columns(['person_id', 'key']).doUpdateSet({ value: text }))
          .compile(),
      );
    },
  };
}
