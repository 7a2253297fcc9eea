import { badRequest, refuseMore } from '../../core/refusal.ts';
import type { LeaseTimes } from '../../domain/cloud/lease-times.ts';
import { roleOfLegacy } from '../../domain/cloud/role.ts';
import type { CloudRole } from '../../domain/cloud/role.ts';
import type { RootConfig } from '../../domain/cloud/root.ts';
import type { Barrier } from '../barrier.ts';
import type { SecretsReader, SecretsStore, SecretsWriter } from '../database.ts';
import { places } from '../places.ts';

/** The sealed settings and roles of all cloud engines. */
export interface CloudStore {
  root(mountId: number): RootConfig | undefined;
  saveRoot(mountId: number, config: RootConfig): Promise<void>;
  /**
   * Replaces a configuration unless it was changed since it was read.
   * @param within further changes in the same transaction
   * @throws Refusal 400 if the configuration was changed
   */
  replaceRoot<Result>(
    mountId: number,
    known: RootConfig,
    config: RootConfig,
    within: (tx: SecretsWriter) => Result extends PromiseLike<unknown> ? never : Result,
  ): Promise<Result>;
  leaseTimes(mountId: number): LeaseTimes | undefined;
  saveLeaseTimes(mountId: number, times: LeaseTimes): Promise<void>;
  role(mountId: number, name: string): CloudRole | undefined;
  /** The first names from `from` on, in alphabetical order, at most as many as `limit`. */
  roles(mountId: number, from: string, limit: number): string[];
  /**
   * @param change returns the new role; called in the transaction
   * @throws Refusal 400 for a new role if its name is too long, or the engine has as many as it can have
   */
  changeRole(mountId: number, name: string, change: (now: CloudRole | undefined) => CloudRole): Promise<void>;
  /** Stores a role in the format of earlier versions: the text of a policy, or an ARN. */
  saveLegacyRole(mountId: number, name: string, text: string): Promise<void>;
  /** Returns whether the role existed. */
  removeRole(mountId: number, name: string): Promise<boolean>;
}

/** The maximum number of roles of an engine, and length of a new role's name in characters. */
const mostRoles = 10_000;
const longestName = 128;

export function cloudStore(store: SecretsStore, barrier: Barrier): CloudStore {
  const { build } = store;
  const open = (sealed: Uint8Array, place: string): unknown =>
    JSON.parse(barrier.open(sealed, place).toString('utf8'));

  const readConfig = (mountId: number, name: string): unknown => {
    const query = build
      .selectFrom('cloud_config')
      .select('sealed')
      .where('mount_id', '=', mountId)
      .where('name', '=', name);
    const row = store.get(query.compile());
    return row === undefined ? undefined : open(row.sealed, places.cloudConfig(mountId, name));
  };
  const saveConfig = (mountId: number, name: string, value: unknown) => {
    const sealed = barrier.seal(JSON.stringify(value), places.cloudConfig(mountId, name));
    return build
      .insertInto('cloud_config')
      .values({ mount_id: mountId, name, sealed })
      .onConflict((row) => row.columns(['mount_id', 'name']).doUpdateSet({ sealed }))
      .compile();
  };
  const findRole = (reader: SecretsReader, mountId: number, name: string): CloudRole | undefined => {
    const query = build
      .selectFrom('cloud_role')
      .select('sealed')
      .where('mount_id', '=', mountId)
      .where('name', '=', name);
    const row = reader.get(query.compile());
    if (row === undefined) return undefined;
    const kept = open(row.sealed, places.cloudRole(mountId, name));
    return typeof kept === 'string' ? roleOfLegacy(kept) : (kept as CloudRole);
  };
  const refuseNew = (tx: SecretsWriter, mountId: number, name: string): void => {
    if (name.length > longestName) throw badRequest(`role name longer than ${longestName} characters`);
    const counting = build.selectFrom('cloud_role').select(({ fn }) => fn.countAll<number>().as('roles'));
    const { roles = 0 } = tx.get(counting.where('mount_id', '=', mountId).compile()) ?? {};
    refuseMore(roles, mostRoles, 'roles of one engine');
  };
  const saveRole = (mountId: number, name: string, value: CloudRole | string) => {
    const sealed = barrier.seal(JSON.stringify(value), places.cloudRole(mountId, name));
    return build
      .insertInto('cloud_role')
      .values({ mount_id: mountId, name, sealed })
      .onConflict((row) => row.columns(['mount_id', 'name']).doUpdateSet({ sealed }))
      .compile();
  };

  return {
    root: (mountId) => readConfig(mountId, 'root') as RootConfig | undefined,
    async saveRoot(mountId, config) {
      const query = saveConfig(mountId, 'root', config);
      await store.write((tx) => tx.run(query));
    },
    replaceRoot(mountId, known, config, within) {
      const query = saveConfig(mountId, 'root', config);
      return store.write((tx) => {
        if (JSON.stringify(readConfig(mountId, 'root')) !== JSON.stringify(known)) {
          throw badRequest('the root configuration has since been changed');
        }
        tx.run(query);
        return within(tx);
      });
    },
    leaseTimes: (mountId) => readConfig(mountId, 'lease') as LeaseTimes | undefined,
    async saveLeaseTimes(mountId, times) {
      const query = saveConfig(mountId, 'lease', times);
      await store.write((tx) => tx.run(query));
    },
    role: (mountId, name) => findRole(store, mountId, name),
    roles: (mountId, from, limit) =>
      store
        .all(
          build
            .selectFrom('cloud_role')
            .select('name')
            .where('mount_id', '=', mountId)
            .where('name', '>=', from)
            .orderBy('name')
            .limit(limit)
            .compile(),
        )
        .map(({ name }) => name),
    async changeRole(mountId, name, change) {
      await store.write((tx) => {
        const now = findRole(tx, mountId, name);
        if (now === undefined) refuseNew(tx, mountId, name);
        tx.run(saveRole(mountId, name, change(now)));
      });
    },
    async saveLegacyRole(mountId, name, text) {
      const query = saveRole(mountId, name, text);
      await store.write((tx) => tx.run(query));
    },
    async removeRole(mountId, name) {
      const query = build
        .deleteFrom('cloud_role')
        .where('mount_id', '=', mountId)
        .where('name', '=', name)
        .compile();
      return (await store.write((tx) => tx.run(query))) > 0;
    },
  };
}
