import { sendEmpty } from '@gatehouse/service-kit/http';
import { invalidField } from '../../domain/refusal.ts';
import { globalScopeId } from '../../domain/scope.ts';
import { requireOn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { pathScopeId } from './scope-id.ts';

/** DELETE /v1/scopes/{id}: the scope and all that is in it. */
export const deleteScope: Operation = async (context, req, res) => {
  requireOn(context, req, 'scope', 'delete');
  const id = pathScopeId(req);
  if (id === globalScopeId) throw invalidField('id', 'Invalid to delete global scope.');
  await context.scopes.remove(id, context.clock.now());
  sendEmpty(res);
};
