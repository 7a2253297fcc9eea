import { sendEmpty } from '@gatehouse/service-kit/http';
import { requireOn } from '../../domain/permissions.ts';
import { invalidField } from '../../domain/refusal.ts';
import { globalScopeId } from '../../domain/scope.ts';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';
import { pathScopeId } from './scope-id.ts';

/** DELETE /v1/scopes/{id}: the scope and all that is in it. */
export const deleteScope: Operation = async (context, req, res) => {
  const { role } = requireCaller(context, req);
  const id = pathScopeId(req);
  if (id === globalScopeId) throw invalidField('id', 'Invalid to delete global scope.');
  requireOn('scope', role, 'delete');
  await context.scopes.remove(id, context.clock.now());
  sendEmpty(res);
};
