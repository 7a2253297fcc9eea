import type { Target } from '@gatehouse/api-types/console/targets';
import type { FailedWrite, Resource } from '../../conflict/guarded-write.ts';
import { ProblemError } from '../../http/problem.ts';
import { isAnswer, type AccessCaller } from '../../upstreams/access-controller/client.ts';
import { getTarget } from '../../upstreams/access-controller/targets.ts';
import { ServiceError } from '../../upstreams/service-error.ts';

/** How a guarded write sees one target: reading it, its revision, and what a failed write of it may mean. */
export function storedTarget(caller: AccessCaller, id: string) {
  const { environment, service } = caller.transport;
  const resource: Resource = { environment, service, kind: 'target', id };
  return {
    resource,
    read: async (): Promise<Target | null> => {
      try {
        return await getTarget(caller, id);
      } catch (error) {
        if (isAnswer(error, 404)) return null;
        throw error;
      }
    },
    revisionOf: (target: Target): string => target.revision,
    changedAt: (target: Target): string => target.updated_time,
    failed: whatFailed,
  };
}

/**
 * A controller answers a stale version with 404 or with 500. Its other failures (503 too) are answers as well: what it
 * did not do by then it will not do. A gateway's 502 or 504 is none: the controller may be at it yet.
 */
export function whatFailed(error: unknown): FailedWrite {
  if (!(error instanceof ServiceError) || error.delivery === 'not-sent') return 'refused';
  if ([404, 500, 503].includes(error.serviceStatus ?? 0)) return 'perhaps-stale';
  return error.delivery === 'unknown' ? 'unknown' : 'refused';
}

/** The version that a revision stands for. @throws ProblemError `invalid-request` for another one */
export function versionOf(revision: string): number {
  if (/^[1-9]\d{0,9}$/.test(revision)) return Number(revision);
  throw new ProblemError('invalid-request', 'If-Match does not hold a revision of a target.');
}
