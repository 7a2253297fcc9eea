import { sendEmpty } from '@gatehouse/service-kit/http';
import { requireOn } from '../../domain/permissions.ts';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';
import { targetId } from './target-id.ts';

/** DELETE /v1/targets/{id} */
export const deleteTarget: Operation = async (context, req, res) => {
  const { role } = requireCaller(context, req);
  const id = targetId(req);
  requireOn('target', role, 'delete');
  await context.targets.remove(id, context.clock.now());
  sendEmpty(res);
};
