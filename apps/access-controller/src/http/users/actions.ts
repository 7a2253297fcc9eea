import { firstAccountId } from '@gatehouse/service-kit/accounts';
import type { Account, Role } from '@gatehouse/service-kit/accounts';
import { allowedOn } from '../../domain/permissions.ts';

/** What a role may do with a person. The first one stays: the next start would make it again. */
export function userActions(account: Account, role: Role | null): readonly string[] {
  const actions = allowedOn('user', role);
  return account.id === firstAccountId ? actions.filter((action) => action !== 'delete') : actions;
}
