import { ProblemError } from '#ground/problem.ts';
import { boxOwnerHere } from '#moves/owner-here.ts';
import type { StoredRun } from '#uploads/runs.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import { listNamespaces } from '#upstreams/box-registry/management.ts';
import { mayOf } from '#upstreams/box-registry/resources.ts';

/**
 * Makes sure that an image may be published by who sends it, before room is kept for it. A registry that does not tell is
 * believed until it refuses.
 * @throws ProblemError `forbidden`; ServiceError when the registry does not answer
 */
export async function checkMayPublish(caller: BoxesCaller, { plan }: StoredRun): Promise<void> {
  if (plan.box !== null) {
    const owner = await boxOwnerHere(caller, plan.box.username);
    if (typeof owner === 'object') throw new ProblemError('forbidden', owner.refused);
    return;
  }
  const namespaces = await listNamespaces(caller);
  if (namespaces?.every(({ actions }) => mayOf(actions)?.publish !== true) === true)
    throw new ProblemError('forbidden', 'You may not publish boxes here.');
}
