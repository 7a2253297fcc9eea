import { isPassing, ProblemError } from '#ground/problem.ts';
import { boxOwnerHere } from '#moves/plan/owner-here.ts';
import type { StoredRun } from '#uploads/runs.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import { listNamespaces } from '#upstreams/box-registry/management.ts';
import { mayOf } from '#upstreams/box-registry/resources.ts';
import { ServiceError } from '#upstreams/service-error.ts';

/**
 * Makes sure that an image may be published by who sends it, before room is kept for it. A registry that does not tell, or does
 * not answer now, refuses it when it is delivered.
 * @throws ProblemError `forbidden`
 */
export async function checkMayPublish(caller: BoxesCaller, run: StoredRun): Promise<void> {
  const refused = await orUnknown(refusalOf(caller, run));
  if (refused !== 'unknown' && refused !== '') throw new ProblemError('forbidden', refused);
}

/** What the registry tells, or that it does not tell now. */
export async function orUnknown<Told>(telling: Promise<Told>): Promise<Told | 'unknown'> {
  try {
    return await telling;
  } catch (error) {
    if (error instanceof ServiceError && (isPassing(error) || error.code === 'bad-answer')) return 'unknown';
    throw error;
  }
}

/** Why it may not be published; empty where it may, as far as the registry tells. */
async function refusalOf(caller: BoxesCaller, { plan }: StoredRun): Promise<string> {
  if (plan.box !== null) {
    const owner = await boxOwnerHere(caller, plan.box.username);
    return typeof owner === 'object' ? owner.refused : '';
  }
  const namespaces = await listNamespaces(caller);
  const isRefused =
    namespaces !== null && !namespaces.some(({ actions }) => mayOf(actions)?.publish ?? false);
  return isRefused ? "You aren't allowed to publish boxes here." : '';
}
