import { isPassing, ProblemError } from '#ground/problem.ts';
import { anyBoxOwnerHere, boxOwnerHere } from '#moves/plan/owner-here.ts';
import type { StoredPlan } from '#uploads/runs.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import { ServiceError } from '#upstreams/service-error.ts';

/**
 * Checks that the user may publish, before a run is stored for it or space is reserved for an image. A registry that
 * can't say or doesn't respond refuses the run's steps, and the image at delivery.
 * @throws ProblemError `forbidden`
 */
export async function checkMayPublish(caller: BoxesCaller, plan: StoredPlan): Promise<void> {
  const refused = await orUnknown(refusalOf(caller, plan));
  if (refused !== 'unknown' && refused !== '') throw new ProblemError('forbidden', refused);
}

/** Awaits a registry's answer; `unknown` if it can't be had at the moment. */
export async function orUnknown<Told>(telling: Promise<Told>): Promise<Told | 'unknown'> {
  try {
    return await telling;
  } catch (error) {
    if (error instanceof ServiceError && (isPassing(error) || error.code === 'bad-answer')) return 'unknown';
    throw error;
  }
}

/** The reason why publishing is refused; empty if the registry doesn't refuse it. */
async function refusalOf(caller: BoxesCaller, { box }: StoredPlan): Promise<string> {
  const owner = box === null ? await anyBoxOwnerHere(caller) : await boxOwnerHere(caller, box.username);
  return typeof owner === 'object' ? owner.refused : '';
}
