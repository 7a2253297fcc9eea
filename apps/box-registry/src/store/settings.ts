import { organizationCreators } from '../domain/permissions.ts';
import type { OrganizationCreators } from '../domain/permissions.ts';
import type { RegistryStore } from './database.ts';

/** What administrators decide for the whole registry. */
export type SettingStore = ReturnType<typeof settingStore>;

const creatorsName = 'organization_creators';

/** Settings in the store of the box registry. */
export function settingStore(store: RegistryStore) {
  const { build } = store;
  return {
    /** Administrators alone until they decide otherwise. */
    organizationCreators(): OrganizationCreators {
      const row = store.get(
        build.selectFrom('setting').selectAll().where('name', '=', creatorsName).compile(),
      );
      return organizationCreators.find((creators) => creators === row?.value) ?? 'administrators';
    },
    async setOrganizationCreators(value: OrganizationCreators): Promise<void> {
      await store.write((tx) =>
        tx.run(
          tx.build
            .insertInto('setting')
            .values({ name: creatorsName, value })
            .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
            .compile(),
        ),
      );
    },
  };
}
