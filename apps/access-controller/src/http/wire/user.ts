import type { Account } from '@gatehouse/service-kit/accounts';
import { passwordAccountId } from '../../domain/auth-token.ts';
import type { WireScopeSummary } from './scope.ts';
import { wireTime } from './time.ts';

/** @param scope the global scope, which contains all users */
export function wireUser(
  account: Account,
  scope: WireScopeSummary,
  actions: readonly string[],
): Readonly<Record<string, unknown>> {
  const accountId = passwordAccountId(account.id);
  return {
    id: account.id,
    scope_id: scope.id,
    scope,
    name: account.loginName,
    description: '',
    created_time: wireTime(account.createdTime),
    updated_time: wireTime(account.updatedTime),
    version: account.version,
    account_ids: [accountId],
    accounts: [{ id: accountId, scope_id: scope.id }],
    login_name: account.loginName,
    full_name: account.fullName,
    email: account.email,
    primary_account_id: accountId,
    role: account.roles.access ?? '',
    roles: account.roles,
    disabled: account.disabled,
    authorized_actions: actions,
  };
}
