import type { Target } from '@gatehouse/api-types/console/targets';
import { listOf, target } from '@gatehouse/api-types/services/access-controller';
import { buildPath } from '../path.ts';
import type { AccessCaller } from './client.ts';
import { newTargetOf, patchOf, targetOf, type NewTargetBody, type TargetChangesBody } from './target-wire.ts';

const page = listOf(target);

/** Which targets to list; `pageToken` continues a listing with the same other values. */
export interface TargetQuery {
  readonly scopeId: string;
  readonly recursive?: boolean | undefined;
  readonly filter?: string | undefined;
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
}

/** One page of a listing. */
export interface TargetPage {
  readonly items: Target[];
  /** Undefined on the last page. */
  readonly nextPageToken: string | undefined;
  readonly estimatedCount: number;
}

/** @throws ServiceError */
export async function listTargets(caller: AccessCaller, query: TargetQuery): Promise<TargetPage> {
  const path = buildPath(targetsPath(caller), [], {
    query: {
      scope_id: query.scopeId,
      recursive: query.recursive,
      filter: query.filter === '' ? undefined : query.filter,
      page_size: query.pageSize,
      list_token: query.pageToken,
    },
  });
  const answer = caller.transport.parse(page, await caller.send({ method: 'GET', path }));
  return {
    items: answer.items.map(targetOf),
    nextPageToken:
      answer.response_type === 'delta' && answer.list_token !== '' ? answer.list_token : undefined,
    estimatedCount: answer.est_item_count,
  };
}

/** @throws ServiceError `not-found` and others */
export async function getTarget(caller: AccessCaller, id: string): Promise<Target> {
  const answer = await caller.send({ method: 'GET', path: buildPath(targetsPath(caller), [id]) });
  return targetOf(caller.transport.parse(target, answer));
}

/** @throws ServiceError */
export async function createTarget(caller: AccessCaller, fields: NewTargetBody): Promise<Target> {
  const answer = await caller.send({ method: 'POST', path: targetsPath(caller), body: newTargetOf(fields) });
  return targetOf(caller.transport.parse(target, answer));
}

/** Changes fields if the target still has `version`. @throws ServiceError: a stale version is 404, 500 or 400 */
export async function updateTarget(
  caller: AccessCaller,
  id: string,
  version: number,
  changes: TargetChangesBody,
): Promise<Target> {
  const answer = await caller.send({
    method: 'PATCH',
    path: buildPath(targetsPath(caller), [id]),
    body: patchOf(changes, version),
  });
  return targetOf(caller.transport.parse(target, answer));
}

/** Deletes whatever version there is. @throws ServiceError */
export async function deleteTarget(caller: AccessCaller, id: string): Promise<void> {
  await caller.send({ method: 'DELETE', path: buildPath(targetsPath(caller), [id]) });
}

function targetsPath(caller: AccessCaller): string {
  return `${caller.transport.prefix}/v1/targets`;
}
