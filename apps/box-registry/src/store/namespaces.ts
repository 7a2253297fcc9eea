import { newId } from '@gatehouse/service-kit/ids';
import { isUniqueViolation } from '@gatehouse/service-kit/store';
import type { Selectable } from 'kysely';
import { nameKey } from '../domain/names.ts';
import type { ListedNamespace, StoredNamespace } from '../domain/namespace.ts';
import { notFound, unprocessable, type Refusal } from '../domain/refusal.ts';
import type { RegistryStore, RegistryWriter } from './database.ts';
import { isReservedName, moveReleasedName } from './released-names.ts';
import type { NamespaceTable } from './schema.ts';

/** Most organizations that one account has created. */
const mostCreated = 500;

/** Namespaces read at a time by lists. */
const listedAtOnce = 250;

export type NamespaceStore = ReturnType<typeof namespaceStore>;

const taken = 'Username has already been taken';
const reserved = (name: string): Refusal =>
  unprocessable(
    `Username ${name} is a former owner's whose boxes clients may still request: ask an administrator of the registry to use it`,
  );

/** Called if the name of a former owner is used again; undefined for users who may not do that. */
export type Reuse = ((namespaceId: string) => void) | undefined;

/** Stores the namespaces of organizations, and of users who have or had boxes. */
export function namespaceStore(store: RegistryStore) {
  const { build } = store;
  const all = build.selectFrom('namespace').selectAll().orderBy('name_key');
  const one = (row: Selectable<NamespaceTable> | undefined) =>
    row === undefined ? undefined : toNamespace(row);
  const ofAccount = (accountId: string) => one(store.get(all.where('account_id', '=', accountId).compile()));

  /** All of a kind, by name. Reads a few at a time, and no profiles, since all of them may be megabytes. */
  function* list(kind: NamespaceTable['kind']): Generator<ListedNamespace> {
    const few = build
      .selectFrom('namespace')
      .select(['id', 'kind', 'account_id', 'name', 'name_key'])
      .where('kind', '=', kind)
      .orderBy('name_key')
      .limit(listedAtOnce);
    for (let after = ''; ;) {
      const rows = store.all(few.where('name_key', '>', after).compile());
      for (const { id, name, account_id } of rows)
        yield { id, kind, name, accountId: account_id ?? undefined };
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.name_key;
    }
  }

  const insert = (tx: RegistryWriter, row: NamespaceTable, owner: string, reuse: Reuse): StoredNamespace => {
    if (isReservedName(tx, row.name, owner)) {
      if (reuse === undefined) throw reserved(row.name);
      reuse(row.id);
    }
    try {
      tx.run(tx.build.insertInto('namespace').values(row).compile());
    } catch (error) {
      if (isUniqueViolation(error)) throw unprocessable(taken);
      throw error;
    }
    return toNamespace(row);
  };

  return {
    get: (id: string): StoredNamespace | undefined => one(store.get(all.where('id', '=', id).compile())),
    find: (name: string): StoredNamespace | undefined =>
      one(store.get(all.where('name_key', '=', nameKey(name)).compile())),
    ofAccount,
    /** The namespace of a provider's box. */
    ofProvider: (providerId: string): StoredNamespace | undefined =>
      one(
        store.get(
          build
            .selectFrom('provider')
            .innerJoin('version', 'version.id', 'provider.version_id')
            .innerJoin('box', 'box.id', 'version.box_id')
            .innerJoin('namespace', 'namespace.id', 'box.namespace_id')
            .selectAll('namespace')
            .where('provider.id', '=', providerId)
            .compile(),
        ),
      ),
    /** By name. */
    organizations: () => list('organization'),
    /** All namespaces of users, by name. */
    people: () => list('person'),

    /** The namespace of a user, created if missing. @throws Refusal `unprocessable` if its name is taken or reserved */
    async ensurePerson(accountId: string, name: string, now: number, reuse: Reuse): Promise<StoredNamespace> {
      return (
        ofAccount(accountId) ??
        store.write((tx) => {
          const row = tx.get(all.where('account_id', '=', accountId).compile());
          if (row !== undefined) return toNamespace(row);
          const person: NamespaceTable = {
            id: newId('ns'),
            kind: 'person',
            account_id: accountId,
            name,
            name_key: nameKey(name),
            profile: '',
            created_time: now,
            creator_id: null,
          };
          return insert(tx, person, accountId, reuse);
        })
      );
    },

    /**
     * Creates an organization with its first owner.
     * @throws Refusal `unprocessable` if the name is taken or reserved, or the owner has created too many
     */
    createOrganization: ({
      name,
      profile,
      ownerId,
      now,
      reuse,
    }: {
      readonly name: string;
      readonly profile: string;
      readonly ownerId: string;
      readonly now: number;
      readonly reuse: Reuse;
    }): Promise<StoredNamespace> =>
      store.write((tx) => {
        const own = tx.build.selectFrom('namespace').where('creator_id', '=', ownerId);
        const created = tx.get(own.select(({ fn }) => fn.countAll<number>().as('count')).compile());
        if ((created?.count ?? 0) >= mostCreated)
          throw unprocessable(
            `An account can create at most ${mostCreated} organizations: delete some that it has created`,
          );
        const id = newId('ns');
        const organization: NamespaceTable = {
          id,
          kind: 'organization',
          account_id: null,
          name,
          name_key: nameKey(name),
          profile,
          created_time: now,
          creator_id: ownerId,
        };
        const inserted = insert(tx, organization, ownerId, reuse);
        tx.run(
          tx.build
            .insertInto('member')
            .values({ namespace_id: id, account_id: ownerId, role: 'owner', created_time: now })
            .compile(),
        );
        return inserted;
      }),

    async setProfile(id: string, profile: string): Promise<void> {
      await store.write((tx) =>
        tx.run(tx.build.updateTable('namespace').set({ profile }).where('id', '=', id).compile()),
      );
    },

    /** Renames a user's namespace. @returns false, without any change, if the name is taken or reserved */
    rename: (id: string, name: string): Promise<boolean> =>
      store.write((tx) => {
        const key = nameKey(name);
        const other = tx.get(all.where('name_key', '=', key).where('id', '<>', id).compile());
        const before = tx.get(all.where('id', '=', id).compile());
        if (other !== undefined || before === undefined) return false;
        if (key !== before.name_key) {
          if (isReservedName(tx, name, before.account_id ?? '')) return false;
          moveReleasedName(tx, before.name_key, key);
        }
        tx.run(tx.build.updateTable('namespace').set({ name, name_key: key }).where('id', '=', id).compile());
        return true;
      }),

    /** Turns the namespace of a deleted user into an organization without members. */
    async orphan(id: string): Promise<void> {
      await store.write((tx) =>
        tx.run(
          tx.build
            .updateTable('namespace')
            .set({ kind: 'organization', account_id: null })
            .where('id', '=', id)
            .compile(),
        ),
      );
    },

    /** Deletes an organization. @throws Refusal `unprocessable` while it has boxes, `not found` */
    async remove(id: string): Promise<void> {
      await store.write((tx) => {
        const box = tx.get(
          tx.build.selectFrom('box').select('id').where('namespace_id', '=', id).limit(1).compile(),
        );
        if (box !== undefined) throw unprocessable('Organization still has boxes: delete them first');
        if (tx.run(tx.build.deleteFrom('namespace').where('id', '=', id).compile()) === 0) throw notFound();
      });
    },
  };
}

function toNamespace(row: Selectable<NamespaceTable>): StoredNamespace {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    accountId: row.account_id ?? undefined,
    profile: row.profile,
    createdTime: row.created_time,
  };
}
