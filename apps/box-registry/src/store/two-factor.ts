import type { Selectable } from 'kysely';
import type { RegistryStore } from './database.ts';
import type { DeliveredCodeTable, TwoFactorTable } from './schema.ts';

export type TwoFactorStore = ReturnType<typeof twoFactorStore>;

/** Stores users' second factors, and the codes sent to them. */
export function twoFactorStore(store: RegistryStore) {
  const { build } = store;
  return {
    /** The IDs of all accounts that have set one up. */
    accounts: (): string[] =>
      store.all(build.selectFrom('two_factor').select('account_id').compile()).map((row) => row.account_id),

    get: (accountId: string): Selectable<TwoFactorTable> | undefined =>
      store.get(build.selectFrom('two_factor').selectAll().where('account_id', '=', accountId).compile()),

    /** Stores a second factor in place of one that isn't confirmed. @returns false if one is confirmed */
    async put(row: TwoFactorTable): Promise<boolean> {
      const changed = await store.write((tx) =>
        tx.run(
          tx.build
            .insertInto('two_factor')
            .values(row)
            .onConflict((conflict) =>
              conflict.column('account_id').doUpdateSet(row).where('two_factor.confirmed', '=', 0),
            )
            .compile(),
        ),
      );
      return changed > 0;
    },

    /** Confirms the second factor with this key. @returns false if there is another in its place, or none */
    async confirm({ account_id, secret }: TwoFactorTable): Promise<boolean> {
      const changed = await store.write((tx) =>
        tx.run(
          tx.build
            .updateTable('two_factor')
            .set({ confirmed: 1 })
            .where('account_id', '=', account_id)
            .where('secret', '=', secret)
            .compile(),
        ),
      );
      return changed > 0;
    },

    async remove(accountId: string): Promise<void> {
      await store.write((tx) => {
        tx.run(tx.build.deleteFrom('two_factor').where('account_id', '=', accountId).compile());
        tx.run(tx.build.deleteFrom('delivered_code').where('account_id', '=', accountId).compile());
      });
    },

    /**
     * Records that the code of a step is used.
     * @returns false if its code, or that of a later step, has been used already
     */
    async use(accountId: string, step: number): Promise<boolean> {
      const changed = await store.write((tx) =>
        tx.run(
          tx.build
            .updateTable('two_factor')
            .set({ last_step: step })
            .where('account_id', '=', accountId)
            .where('last_step', '<', step)
            .compile(),
        ),
      );
      return changed > 0;
    },

    deliveredCode: (accountId: string): Selectable<DeliveredCodeTable> | undefined =>
      store.get(build.selectFrom('delivered_code').selectAll().where('account_id', '=', accountId).compile()),

    /** Replaces the previously sent code. */
    async putDeliveredCode(row: DeliveredCodeTable): Promise<void> {
      await store.write((tx) =>
        tx.run(
          tx.build
            .insertInto('delivered_code')
            .values(row)
            .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
            .compile(),
        ),
      );
    },

    /** Deletes a sent code. @returns whether it existed */
    async takeDeliveredCode(accountId: string): Promise<boolean> {
      const removed = await store.write((tx) =>
        tx.run(tx.build.deleteFrom('delivered_code').where('account_id', '=', accountId).compile()),
      );
      return removed > 0;
    },
  };
}
