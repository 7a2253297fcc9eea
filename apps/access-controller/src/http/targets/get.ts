import { sendJson } from '@gatehouse/service-kit/http';
import { notFound } from '../../domain/refusal.ts';
import { requireOn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { wireTarget } from '../wire/target.ts';
import { targetId } from './target-id.ts';

/** GET /v1/targets/{id} */
export const getTarget: Operation = (context, req, res) => {
  const { role } = requireOn(context, req, 'target', 'read');
  const id = targetId(req);
  const target = context.targets.get(id);
  if (target === undefined) throw notFound();
  sendJson(res, 200, wireTarget(target, scopeSummaries(context.scopes)(target.projectId), role));
};
