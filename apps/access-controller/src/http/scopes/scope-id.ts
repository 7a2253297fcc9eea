import { isId } from '@gatehouse/service-kit/ids';
import type { Request } from 'express';
import { invalidField } from '../../domain/refusal.ts';
import { globalScopeId } from '../../domain/scope.ts';

/** Whether a value has the form of a scope's id. */
export function isScopeId(id: unknown): id is string {
  return id === globalScopeId || isId(id, 'o', 'p');
}

/** The scope's id in a request's path. @throws Refusal `invalid argument` on field `id` */
export function pathScopeId(req: Request): string {
  const id = req.params['id'];
  if (isScopeId(id)) return id;
  throw invalidField('id', 'Invalid formatted identifier.');
}
