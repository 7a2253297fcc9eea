import type { FailedWrite, Resource } from '#conflict/guarded-write.ts';
import type { AuditNote } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import { isAnswer, type AccessCaller } from '#upstreams/access-controller/client.ts';
import type { Collection, StoredRecord } from '#upstreams/access-controller/collection.ts';
import { ServiceError } from '#upstreams/service-error.ts';

/** Reads a record; null where there is none, or none that the caller may see. */
export async function readStored<Item extends StoredRecord>(
  records: Pick<Collection<Item, never, never>, 'get'>,
  caller: AccessCaller,
  id: string,
): Promise<Item | null> {
  try {
    return await records.get(caller, id);
  } catch (error) {
    if (isAnswer(error, 404)) return null;
    throw error;
  }
}

/**
 * How a guarded write sees one record: reading it, its revision, and what a failed write of it may mean. What was read
 * names the record for the audit trail.
 */
export function storedRecord<Item extends StoredRecord>(
  records: Pick<Collection<Item, object, object>, 'kind' | 'get'>,
  caller: AccessCaller,
  id: string,
  note: AuditNote,
) {
  const { environment, service } = caller.transport;
  const resource: Resource = { environment, service, kind: records.kind, id };
  return {
    resource,
    read: async (): Promise<Item | null> => {
      const stored = await readStored(records, caller, id);
      if (stored !== null) note.saw(stored);
      return stored;
    },
    revisionOf: (stored: Item): string => stored.revision,
    changedAt: (stored: Item): string => stored.updated_time,
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
  throw new ProblemError('invalid-request', 'If-Match must be a revision number.');
}
