import type { Target } from '@gatehouse/api-types/console/targets';
import { outcomeUnknown } from '../../conflict/guarded-write.ts';
import type { Operation } from '../../http/operation.ts';
import type { ProblemError } from '../../http/problem.ts';
import { isAnswer, type AccessCaller } from '../../upstreams/access-controller/client.ts';
import { hasSent, type NewTargetBody } from '../../upstreams/access-controller/target-wire.ts';
import { createTarget as create, listTargets } from '../../upstreams/access-controller/targets.ts';
import { accessCaller } from './caller.ts';
import { whatFailed } from './stored-target.ts';

export const createTarget: Operation<'createTarget'> = async (context, call) => {
  const caller = await accessCaller(context, call);
  try {
    return await create(caller, call.body);
  } catch (error) {
    const failed = whatFailed(error);
    if (failed === 'refused' || isAnswer(error, 404)) throw error;
    const created = await findCreated(caller, call.body, error);
    if (created !== undefined) return created;
    throw failed === 'unknown' ? unknownOutcome(caller, error) : error;
  }
};

/** Looks for the target after its creation got no answer: names are unique in a project, so one that equals it is it. */
async function findCreated(
  caller: AccessCaller,
  sent: NewTargetBody,
  failure: unknown,
): Promise<Target | undefined> {
  const filter = `"/item/name" == ${JSON.stringify(sent.name)}`;
  const page = await listTargets(caller, { scopeId: sent.scope_id, filter }).catch(() => {
    throw unknownOutcome(caller, failure);
  });
  return page.items.find((target) => hasSent(target, sent));
}

function unknownOutcome(
  { transport: { environment, service } }: AccessCaller,
  failure: unknown,
): ProblemError {
  return outcomeUnknown({ resource: { environment, service, kind: 'target', id: '' } }, failure);
}
