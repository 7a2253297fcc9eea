import { badRequest } from '../core/refusal.ts';
import type { Plugin, PluginKey, PluginType } from '../domain/plugin/plugin.ts';
import type { Barrier } from './barrier.ts';
import type { SecretsStore } from './database.ts';
import { places } from './places.ts';

export type PluginStore = ReturnType<typeof pluginStore>;

/** The maximum size of a registration as JSON, in bytes. */
const longestRegistration = 16 * 1024;
/** With `longestRegistration`, this bounds the list of the whole catalog. */
const mostRegistrations = 500;

/** The registered plugins and pinned versions in the secrets server's store. */
export function pluginStore(store: SecretsStore, barrier: Barrier) {
  const { build } = store;
  const place = ({ type, name, version }: PluginKey): string => places.plugin(type, name, version);
  const pluginOf = ({ sealed, ...key }: PluginKey & { readonly sealed: Uint8Array }): Plugin => ({
    ...(JSON.parse(barrier.open(sealed, place(key)).toString('utf8')) as Omit<Plugin, keyof PluginKey>),
    ...key,
  });

  return {
    /** @param version empty for the registration without a version */
    get(type: PluginType, name: string, version: string): Plugin | undefined {
      const row = store.get(
        build
          .selectFrom('plugin')
          .selectAll()
          .where('type', '=', type)
          .where('name', '=', name)
          .where('version', '=', version)
          .compile(),
      );
      return row === undefined ? undefined : pluginOf(row);
    },
    /** The registrations of a type, by name. Nothing is decrypted. */
    keys: (type: PluginType): PluginKey[] =>
      store.all(
        build
          .selectFrom('plugin')
          .select(['type', 'name', 'version'])
          .where('type', '=', type)
          .orderBy('name')
          .compile(),
      ),
    /**
     * Creates a registration, or replaces the one with the same type, name and version.
     * @throws Refusal 400 if it is too large, or further ones are not accepted
     */
    async set({ type, name, version, ...rest }: Plugin): Promise<void> {
      const key = { type, name, version };
      const text = JSON.stringify(rest);
      if (Buffer.byteLength(JSON.stringify(key) + text) > longestRegistration)
        throw badRequest(`a registration has at most ${longestRegistration} bytes`);
      const sealed = barrier.seal(text, place(key));
      await store.write((tx) => {
        tx.run(
          build
            .insertInto('plugin')
            .values({ ...key, sealed })
            .onConflict((conflict) => conflict.columns(['type', 'name', 'version']).doUpdateSet({ sealed }))
            .compile(),
        );
        const row = tx.get(
          build
            .selectFrom('plugin')
            .select((of) => of.fn.countAll<number>().as('count'))
            .compile(),
        );
        if ((row?.count ?? 0) > mostRegistrations)
          throw badRequest(
            `the catalog has at most ${mostRegistrations} registrations. Delete others first.`,
          );
      });
    },
    async remove({ type, name, version }: PluginKey): Promise<void> {
      await store.write((tx) =>
        tx.run(
          build
            .deleteFrom('plugin')
            .where('type', '=', type)
            .where('name', '=', name)
            .where('version', '=', version)
            .compile(),
        ),
      );
    },
    /** All pins, by type and name. */
    pins: (): PluginKey[] =>
      store.all(build.selectFrom('plugin_pin').selectAll().orderBy('type').orderBy('name').compile()),
    async pin({ type, name, version }: PluginKey): Promise<void> {
      await store.write((tx) =>
        tx.run(
          build
            .insertInto('plugin_pin')
            .values({ type, name, version })
            .onConflict((conflict) => conflict.columns(['type', 'name']).doUpdateSet({ version }))
            .compile(),
        ),
      );
    },
    async unpin(type: PluginType, name: string): Promise<void> {
      await store.write((tx) =>
        tx.run(build.deleteFrom('plugin_pin').where('type', '=', type).where('name', '=', name).compile()),
      );
    },
  };
}
