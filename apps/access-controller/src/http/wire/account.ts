import type { Account } from '@gatehouse/service-kit/accounts';
import { passwordAccountId, passwordMethodId } from '../../domain/auth-token.ts';
import type { WireScopeSummary } from './scope.ts';
import { wireTime } from './time.ts';

/** @param scope the global scope, which contains all accounts */
export function wireAccount(
  account: Account,
  scope: WireScopeSummary,
  actions: readonly string[],
): Readonly<Record<string, unknown>> {
  return {
    id: passwordAccountId(account.id),
    scope,
    name: account.loginName,
    description: '',
    created_time: wireTime(account.createdTime),
    updated_time: wireTime(account.updatedTime),
    version: account.version,
    type: 'password',
    auth_method_id: passwordMethodId,
    user_id: account.id,
    attributes: { login_name: account.loginName },
    authorized_actions: actions,
  };
}
