import { outcomeUnknown } from '../../conflict/guarded-write.ts';
import type { Operation } from '../../http/operation.ts';
import type { AccessCaller } from '../../upstreams/access-controller/client.ts';
import { hasSent, type NewTargetBody } from '../../upstreams/access-controller/target-wire.ts';
import { createTarget as create, listTargets } from '../../upstreams/access-controller/targets.ts';
import { accessCaller } from './caller.ts';
import { whatFailed } from './stored-target.ts';

export const createTarget: Operation<'createTarget'> = async (context, call) => {
  const caller = await accessCaller(context, call);
  try {
    return await create(caller, call.body);
  } catch (error) {
    if (whatFailed(error) !== 'unknown') throw error;
    return findCreated(caller, call.body, error);
  }
};

/** Looks for the target after its creation got no answer: names are unique in a project, so one that equals it is it. */
async function findCreated(caller: AccessCaller, sent: NewTargetBody, failure: unknown) {
  const { environment, service } = caller.transport;
  const unknown = outcomeUnknown({ resource: { environment, service, kind: 'target', id: '' } }, failure);
  const filter = `"/item/name" == ${JSON.stringify(sent.name)}`;
  const page = await listTargets(caller, { scopeId: sent.scope_id, filter }).catch(() => {
    throw unknown;
  });
  const created = page.items.find((target) => hasSent(target, sent));
  if (created === undefined) throw unknown;
  return created;
}
