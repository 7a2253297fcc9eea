import type { Role } from '@gatehouse/service-kit/accounts';
import { allowedIn, allowedOn } from '../../domain/permissions.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopeStore } from '../../store/scopes.ts';
import { wireTime } from './time.ts';

/** The summary of a scope that records in it show. */
export interface WireScopeSummary {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly parent_scope_id: string;
}

export function scopeSummary(scope: Scope): WireScopeSummary {
  return {
    id: scope.id,
    type: scope.type,
    name: scope.name,
    description: scope.description,
    parent_scope_id: scope.parentId,
  };
}

/** Looks up scopes for the items of one list, each scope once. */
export function scopeSummaries(scopes: ScopeStore): (id: string) => WireScopeSummary {
  const known = new Map<string, WireScopeSummary>();
  return (id) => {
    let summary = known.get(id);
    if (summary === undefined) {
      const scope = scopes.get(id);
      summary =
        scope === undefined
          ? { id, type: '', name: '', description: '', parent_scope_id: '' }
          : scopeSummary(scope);
      known.set(id, summary);
    }
    return summary;
  };
}

/** @param parent summary of the parent scope; for the global scope, of itself */
export function wireScope(
  scope: Scope,
  parent: WireScopeSummary,
  role: Role | null,
): Readonly<Record<string, unknown>> {
  const actions = allowedOn('scope', role);
  return {
    id: scope.id,
    scope_id: scope.parentId,
    scope: parent,
    name: scope.name,
    description: scope.description,
    created_time: wireTime(scope.createdTime),
    updated_time: wireTime(scope.updatedTime),
    version: scope.version,
    type: scope.type,
    authorized_actions: scope.type === 'global' ? actions.filter((action) => action !== 'delete') : actions,
    authorized_collection_actions: collectionActions(scope, role),
  };
}

function collectionActions(scope: Scope, role: Role | null): Readonly<Record<string, readonly string[]>> {
  switch (scope.type) {
    case 'global':
      return {
        'auth-methods': allowedIn('auth-method', role),
        'auth-tokens': allowedIn('auth-token', role),
        scopes: allowedIn('scope', role),
        users: allowedIn('user', role),
      };
    case 'org':
      return { scopes: allowedIn('scope', role) };
    case 'project':
      return {
        'credential-stores': allowedIn('credential-store', role),
        'host-catalogs': allowedIn('host-catalog', role),
        sessions: allowedIn('session', role),
        targets: allowedIn('target', role),
      };
  }
}
