import { accountLimits } from '@gatehouse/service-kit/accounts';
import type { Role } from '@gatehouse/service-kit/accounts';
import { passwordMethodId } from '../../domain/auth-token.ts';
import { allowedIn } from '../../domain/permissions.ts';
import { globalScopeId } from '../../domain/scope.ts';
import type { Context } from '../context.ts';
import { globalSummary } from '../global-scope.ts';
import { wireTime } from '../wire/time.ts';

/** The password auth method, as a resource. It is as old as the global scope and never changes. */
export function passwordMethod(
  context: Context,
  actions: readonly string[],
  role: Role | null,
): Readonly<Record<string, unknown>> {
  const created = wireTime(context.scopes.get(globalScopeId)?.createdTime ?? context.clock.now());
  return {
    id: passwordMethodId,
    scope_id: globalScopeId,
    scope: globalSummary(context),
    name: 'password',
    description: 'Sign-in with login name and password',
    created_time: created,
    updated_time: created,
    version: 1,
    type: 'password',
    is_primary: true,
    attributes: {
      min_login_name_length: accountLimits.minLoginName,
      min_password_length: accountLimits.minPassword,
    },
    authorized_actions: actions,
    authorized_collection_actions: role === null ? {} : { accounts: allowedIn('account', role) },
  };
}
