import type { TokenStore } from '@gatehouse/service-kit/account-tokens';
import type { Account, AccountStore } from '@gatehouse/service-kit/accounts';
import type { Log } from '@gatehouse/service-kit/log';
import { ownerNameFault } from './domain/names.ts';
import type { MemberStore } from './store/members.ts';
import type { NamespaceStore } from './store/namespaces.ts';
import type { TwoFactor } from './two-factor/two-factor.ts';

interface Stores {
  readonly accounts: AccountStore;
  readonly tokens: TokenStore;
  readonly namespaces: NamespaceStore;
  readonly members: MemberStore;
  readonly twoFactor: TwoFactor;
  readonly log: Log;
}

/**
 * Updates what belongs to users when their accounts change, including changes that happened while the registry was
 * stopped. Users whose account is unknown, but wasn't deleted, lose nothing.
 * @returns a function that stops this, and resolves once pending updates are done
 */
export async function followPeople(stores: Stores): Promise<() => Promise<void>> {
  const { accounts, tokens, namespaces, members, twoFactor, log } = stores;
  await tokens.removeVoid(accounts);
  for (const id of new Set([...members.accounts(), ...twoFactor.accounts()]))
    if (accounts.isRemoved(id)) await forget(stores, id);
  for (const { id, name, accountId } of namespaces.people()) {
    if (accountId === undefined) continue;
    const account = accounts.get(accountId);
    if (account === undefined && accounts.isRemoved(accountId)) await namespaces.orphan(id);
    if (account !== undefined && account.loginName !== name) await follow(stores, account);
  }
  let running = Promise.resolve();
  const stopListening = accounts.onChange(({ account, changed }) => {
    running = running
      .then(() => react(stores, account, changed === 'removed', changed === 'password'))
      .catch((error: unknown) => log.warn('account change not applied', { error, userId: account.id }));
  });
  return () => {
    stopListening();
    return running;
  };
}

async function react(
  stores: Stores,
  account: Account,
  removed: boolean,
  passwordChanged: boolean,
): Promise<void> {
  // The tokens are already void; removing them only frees space.
  if (passwordChanged || account.disabled) await stores.tokens.removeOfAccount(account.id);
  if (!removed) {
    await follow(stores, account);
    return;
  }
  await forget(stores, account.id);
  const namespace = stores.namespaces.ofAccount(account.id);
  // Boxes outlive their owner: administrators manage them, and no new user inherits them by login name.
  if (namespace !== undefined) await stores.namespaces.orphan(namespace.id);
}

/** Removes what a deleted user leaves behind, except boxes. */
async function forget({ tokens, twoFactor, members }: Stores, accountId: string): Promise<void> {
  await tokens.removeOfAccount(accountId);
  await twoFactor.removeAccount(accountId);
  await members.removeAccount(accountId);
}

type Names = Pick<Stores, 'accounts' | 'namespaces'>;

/** Gives an owner name that has become free to the boxes of the user with this login name. */
export async function followFreedName(stores: Names, name: string): Promise<void> {
  const account = stores.accounts.getByLoginName(name);
  if (account !== undefined) await follow(stores, account);
}

/**
 * Gives a user's boxes the user's new name if it is a valid and free owner name, and nobody else's former one;
 * otherwise they keep the old one.
 */
async function follow(stores: Names, account: Account): Promise<void> {
  const { namespaces } = stores;
  const namespace = namespaces.ofAccount(account.id);
  if (namespace === undefined || namespace.name === account.loginName) return;
  if (ownerNameFault(account.loginName) !== undefined) return;
  if (await namespaces.rename(namespace.id, account.loginName)) await followFreedName(stores, namespace.name);
}
