import type { AuthToken } from '../../domain/auth-token.ts';
import { passwordAccountId, passwordMethodId } from '../../domain/auth-token.ts';
import type { WireScopeSummary } from './scope.ts';
import { wireTime } from './time.ts';

/** @param scope the global scope, which contains all tokens */
export function wireAuthToken(
  token: AuthToken,
  scope: WireScopeSummary,
  actions: readonly string[],
): Readonly<Record<string, unknown>> {
  return {
    id: token.id,
    scope_id: scope.id,
    scope,
    user_id: token.userId,
    auth_method_id: passwordMethodId,
    account_id: passwordAccountId(token.userId),
    created_time: wireTime(token.createdTime),
    updated_time: wireTime(token.lastUsedTime),
    approximate_last_used_time: wireTime(token.lastUsedTime),
    expiration_time: wireTime(token.expirationTime),
    authorized_actions: actions,
  };
}
