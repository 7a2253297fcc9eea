import { sendJson } from '@gatehouse/service-kit/http';
import { notFound } from '../../domain/refusal.ts';
import { requireOn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { scopeAnswer } from './answer.ts';
import { pathScopeId } from './scope-id.ts';

/** GET /v1/scopes/{id} */
export const getScope: Operation = (context, req, res) => {
  const { role } = requireOn(context, req, 'scope', 'read');
  const id = pathScopeId(req);
  const scope = context.scopes.get(id);
  if (scope === undefined) throw notFound();
  sendJson(res, 200, scopeAnswer(context, scope, role));
};
