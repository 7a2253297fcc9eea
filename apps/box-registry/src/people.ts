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
 * Keeps what belongs to people in step with their accounts: also with what changed while the registry was not running.
 * @returns how to stop; it settles when what was begun is done
 */
export async function followPeople(stores: Stores): Promise<() => Promise<void>> {
  const { accounts, namespaces, log } = stores;
  for (const { id, name, accountId } of namespaces.people()) {
    const account = accountId === undefined ? undefined : accounts.get(accountId);
    if (account === undefined) await namespaces.orphan(id);
    else if (account.loginName !== name) await follow(stores, account);
  }
  let running = Promise.resolve();
  const stopListening = accounts.onChange(({ account, changed }) => {
    running = running
      .then(() => react(stores, account, changed === 'removed', changed === 'password'))
      .catch((error: unknown) => log.warn('account not followed', { error, userId: account.id }));
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
  // Tokens are void already; this only clears them away.
  if (removed || passwordChanged || account.disabled) await stores.tokens.removeOfAccount(account.id);
  if (!removed) {
    await follow(stores, account);
    return;
  }
  await stores.twoFactor.removeAccount(account.id);
  await stores.members.removeAccount(account.id);
  const namespace = stores.namespaces.ofAccount(account.id);
  // Boxes outlive their owner: administrators look after them, and nobody inherits them by a login name.
  if (namespace !== undefined) await stores.namespaces.orphan(namespace.id);
}

/** Gives a person's boxes the person's new name, when that can be an owner's and is free; the old one stays otherwise. */
async function follow({ namespaces }: Stores, account: Account): Promise<void> {
  const namespace = namespaces.ofAccount(account.id);
  if (namespace === undefined || namespace.name === account.loginName) return;
  if (ownerNameFault(account.loginName) === undefined)
    await namespaces.rename(namespace.id, account.loginName);
}
