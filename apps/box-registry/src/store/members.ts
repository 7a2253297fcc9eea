import type { MemberRole } from '../domain/namespace.ts';
import { notFound, unprocessable } from '../domain/refusal.ts';
import type { RegistryStore, RegistryWriter } from './database.ts';

/** A member of an organization. */
export interface Member {
  readonly accountId: string;
  readonly role: MemberRole;
  /** Milliseconds since the epoch. */
  readonly createdTime: number;
}

/** Most members of an organization: an answer has all of them. */
const mostMembers = 1_000;

export type MemberStore = ReturnType<typeof memberStore>;

/** Stores the members of organizations. */
export function memberStore(store: RegistryStore) {
  const { build } = store;
  const of = (namespaceId: string) =>
    build.selectFrom('member').selectAll().where('namespace_id', '=', namespaceId);

  /** @throws Refusal if the member doesn't exist, or is the last owner and would no longer be one */
  const requireReplaceable = (tx: RegistryWriter, namespaceId: string, accountId: string): void => {
    const members = tx.all(of(namespaceId).compile());
    const member = members.find((one) => one.account_id === accountId);
    if (member === undefined) throw notFound();
    if (member.role === 'owner' && members.filter((one) => one.role === 'owner').length === 1)
      throw unprocessable('This is the last owner of the organization: add another owner first');
  };

  return {
    role: (namespaceId: string, accountId: string): MemberRole | undefined =>
      store.get(of(namespaceId).where('account_id', '=', accountId).compile())?.role,

    /** Oldest first. */
    list: (namespaceId: string): Member[] =>
      store
        .all(of(namespaceId).orderBy('created_time').orderBy('account_id').compile())
        .map((row) => ({ accountId: row.account_id, role: row.role, createdTime: row.created_time })),

    /** The IDs of all accounts that are members of an organization. */
    accounts: (): string[] =>
      store
        .all(build.selectFrom('member').select('account_id').distinct().compile())
        .map((row) => row.account_id),

    /** The organizations of a user with the user's role, by ID. */
    ofAccount: (accountId: string): ReadonlyMap<string, MemberRole> =>
      new Map(
        store
          .all(build.selectFrom('member').selectAll().where('account_id', '=', accountId).compile())
          .map((row) => [row.namespace_id, row.role]),
      ),

    /** Adds a member. @throws Refusal `unprocessable` if the user is a member already, or there are too many */
    async add(namespaceId: string, accountId: string, role: MemberRole, now: number): Promise<void> {
      await store.write((tx) => {
        if (tx.get(of(namespaceId).where('account_id', '=', accountId).compile()) !== undefined)
          throw unprocessable('Member has already been added');
        const members = tx.build
          .selectFrom('member')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('namespace_id', '=', namespaceId);
        if ((tx.get(members.compile())?.count ?? 0) >= mostMembers)
          throw unprocessable(
            'An organization can have at most 1,000 members: remove some, or create another organization',
          );
        tx.run(
          tx.build
            .insertInto('member')
            .values({ namespace_id: namespaceId, account_id: accountId, role, created_time: now })
            .compile(),
        );
      });
    },

    /** Changes a member's role. The last owner must stay an owner. @throws Refusal `not found`, `unprocessable` */
    async change(namespaceId: string, accountId: string, role: MemberRole): Promise<void> {
      await store.write((tx) => {
        if (role === 'owner') {
          if (tx.get(of(namespaceId).where('account_id', '=', accountId).compile()) === undefined)
            throw notFound();
        } else requireReplaceable(tx, namespaceId, accountId);
        tx.run(
          tx.build
            .updateTable('member')
            .set({ role })
            .where('namespace_id', '=', namespaceId)
            .where('account_id', '=', accountId)
            .compile(),
        );
      });
    },

    /** Removes a member. The last owner can't be removed. @throws Refusal `not found`, `unprocessable` */
    async remove(namespaceId: string, accountId: string): Promise<void> {
      await store.write((tx) => {
        requireReplaceable(tx, namespaceId, accountId);
        tx.run(
          tx.build
            .deleteFrom('member')
            .where('namespace_id', '=', namespaceId)
            .where('account_id', '=', accountId)
            .compile(),
        );
      });
    },

    /** Removes a deleted user from all organizations. */
    async removeAccount(accountId: string): Promise<void> {
      await store.write((tx) =>
        tx.run(tx.build.deleteFrom('member').where('account_id', '=', accountId).compile()),
      );
    },
  };
}
