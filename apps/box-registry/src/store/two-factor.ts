import type { Selectable } from 'kysely';
import type { RegistryStore } from './database.ts';
import type { DeliveredCodeTable, TwoFactorTable } from './schema.ts';

/** Second factors of people, and the codes that were sent to them. */
export type TwoFactorStore = ReturnType<typeof twoFactorStore>;

/** Second factors in the store of the box registry. */
export function twoFactorStore(store: RegistryStore) {
  const { build } = store;
  return {
    get: (accountId: string): Selectable<TwoFactorTable> | undefined =>
      store.get(build.selectFrom('two_factor').selectAll().where('account_id', '=', accountId).compile()),

    /** Replaces what there is. */
    async put(row: TwoFactorTable): Promise<void> {
      await store.write((tx) =>
        tx.run(
          tx.build
            .insertInto('two_factor')
            .values(row)
            .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
            .compile(),
        ),
      );
    },

    async remove(accountId: string): Promise<void> {
      await store.write((tx) => {
        tx.run(tx.build.deleteFrom('two_factor').where('account_id', '=', accountId).compile());
        tx.run(tx.build.deleteFrom('delivered_code').where('account_id', '=', accountId).compile());
      });
    },

    /** Notes that the code of a step was used, unless that, or a later one, was: then it answers false. */
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

    /** Replaces the code that was sent before. */
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

    /** Takes a code that was sent; answers whether it was still there. */
    async takeDeliveredCode(accountId: string): Promise<boolean> {
      const removed = await store.write((tx) =>
        tx.run(tx.build.deleteFrom('delivered_code').where('account_id', '=', accountId).compile()),
      );
      return removed > 0;
    },
  };
}
