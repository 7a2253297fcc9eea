import { sendJson } from '@gatehouse/service-kit/http';
import { requireOn } from '../../domain/permissions.ts';
import { notFound } from '../../domain/refusal.ts';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { wireTarget } from '../wire/target.ts';
import { targetId } from './target-id.ts';

/** GET /v1/targets/{id} */
export const getTarget: Operation = (context, req, res) => {
  const { role } = requireCaller(context, req);
  const id = targetId(req);
  requireOn('target', role, 'read');
  const target = context.targets.get(id);
  if (target === undefined) throw notFound();
  sendJson(res, 200, wireTarget(target, scopeSummaries(context.scopes)(target.projectId), role));
};
