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

/** A controller answers a stale version with 404, with 500, or with a refusal that looks like any other. */
export function whatFailed(error: unknown): FailedWrite {
  if (!(error instanceof ServiceError) || error.delivery === 'not-sent') return 'refused';
  if (error.delivery === 'unknown') return error.serviceStatus === 500 ? 'perhaps-stale' : 'unknown';
  return isAnswer(error, 404) ? 'perhaps-stale' : 'refused';
}

/** The version that a revision stands for. @throws ProblemError `invalid-request` for another one */
export function versionOf(revision: string): number {
  if (/^[1-9]\d{0,9}$/.test(revision)) return Number(revision);
  throw new ProblemError('invalid-request', 'If-Match does not hold a revision of a target.');
}
