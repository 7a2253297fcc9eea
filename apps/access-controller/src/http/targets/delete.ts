import { sendEmpty } from '@gatehouse/service-kit/http';
import { requireOn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { targetId } from './target-id.ts';

/** DELETE /v1/targets/{id} */
export const deleteTarget: Operation = async (context, req, res) => {
  requireOn(context, req, 'target', 'delete');
  const id = targetId(req);
  await context.targets.remove(id, context.clock.now());
  sendEmpty(res);
};
