import type { Endpoints } from '@gatehouse/api-types/console/endpoints';
import type { targetChanges } from '@gatehouse/api-types/console/targets';
import type { BodyOf } from '@gatehouse/api-types/contract';
import { target } from '@gatehouse/api-types/services/access-controller';
import type * as z from 'zod/mini';
import { buildPath } from '../path.ts';
import { newOf, patchOf } from './bodies.ts';
import { isAnswer, type AccessCaller } from './client.ts';
import { collection } from './collection.ts';
import { targetOf } from './target-wire.ts';

export type TargetChanges = z.output<typeof targetChanges>;

/** /v1/targets */
export const targets = collection({
  kind: 'target',
  container: 'scope_id',
  path: 'targets',
  wire: target,
  itemOf: targetOf,
  creation: (fields: BodyOf<Endpoints['targets']['create']>) => ({ body: newOf(fields) }),
  change: (changes: TargetChanges, version) => ({ body: patchOf(changes, version) }),
});

/**
 * Whether the controller supports application credential sources. Versions that dropped them leave the field out. True
 * for a target that no longer exists, where the answer doesn't matter.
 * @throws ServiceError
 */
export async function takesApplicationSources(caller: AccessCaller, id: string): Promise<boolean> {
  const path = buildPath(`${caller.transport.prefix}/v1/targets`, [id]);
  try {
    const answer = await caller.transport.parse(target, await caller.send({ method: 'GET', path }));
    return Array.isArray(answer.application_credential_source_ids);
  } catch (error) {
    if (isAnswer(error, 404)) return true;
    throw error;
  }
}
