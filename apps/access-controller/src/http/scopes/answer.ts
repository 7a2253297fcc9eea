import type { Role } from '@gatehouse/service-kit/accounts';
import type { Scope } from '../../domain/scope.ts';
import type { Context } from '../context.ts';
import { scopeSummaries, scopeSummary, wireScope } from '../wire/scope.ts';

/** A scope as it is answered, shown in the scope that holds it. */
export function scopeAnswer(
  context: Context,
  scope: Scope,
  role: Role | null,
): Readonly<Record<string, unknown>> {
  const parent = scope.parentId === '' ? scopeSummary(scope) : scopeSummaries(context.scopes)(scope.parentId);
  return wireScope(scope, parent, role);
}
