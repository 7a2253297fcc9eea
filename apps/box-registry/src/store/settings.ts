import { organizationCreators } from '../domain/permissions.ts';
import type { OrganizationCreators } from '../domain/permissions.ts';
import type { RegistryStore } from './database.ts';

export type SettingStore = ReturnType<typeof settingStore>;

const creatorsName = 'organization_creators';

/** Stores the settings that administrators make for the whole registry. */
export function settingStore(store: RegistryStore) {
  const { build } = store;
  return {
    /** Only administrators by default. */
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
