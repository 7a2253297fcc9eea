import { isId } from '@gatehouse/service-kit/ids';
import type { Request } from 'express';
import { notFound } from '../domain/refusal.ts';
import type { FieldFaults } from '../domain/refusal.ts';
import type { Within } from '../domain/resource.ts';
import { globalScopeId } from '../domain/scope.ts';
import type { Context } from './context.ts';
import { QueryReader } from './query.ts';

/** The scopes of a listing of records that projects contain. */
export interface ProjectScopes {
  readonly scopeId: string;
  readonly recursive: boolean;
}

/**
 * Reads the parameters `scope_id` and `recursive`: a project, or with `recursive` any scope or none. Adds their
 * faults.
 */
export function readProjectScopes(req: Request, faults: FieldFaults): ProjectScopes {
  const query = new QueryReader(req, faults);
  const scopeId = query.string('scope_id');
  const recursive = query.boolean('recursive');
  const anyScope = scopeId === '' || scopeId === globalScopeId || isId(scopeId, 'o');
  if (!isId(scopeId, 'p') && !(recursive && anyScope)) {
    faults.add(
      'scope_id',
      'This field must be a valid project scope ID or the list operation must be recursive.',
    );
  }
  return { scopeId, recursive };
}

/** The range of a listing in these scopes. @throws Refusal `not found` if the scope doesn't exist */
export function withinScopes(context: Context, { scopeId }: ProjectScopes): Within {
  if (scopeId === '' || scopeId === globalScopeId) return 'all';
  if (context.scopes.get(scopeId) === undefined) throw notFound();
  return isId(scopeId, 'o') ? { org: scopeId } : { in: scopeId };
}
