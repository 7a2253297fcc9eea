import type { FailedWrite, Resource } from '#conflict/guarded-write.ts';
import type { AuditNote } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import type { AccessCaller } from '#upstreams/access-controller/client.ts';
import type { Collection, StoredRecord } from '#upstreams/access-controller/collection.ts';
import { ifThere } from '#upstreams/service-error.ts';
import { ServiceError } from '#upstreams/service-error.ts';

/** Reads a record; null if it doesn't exist or the caller can't see it. */
export function readStored<Item extends StoredRecord>(
  records: Pick<Collection<Item, never, never>, 'get'>,
  caller: AccessCaller,
  id: string,
): Promise<Item | null> {
  return ifThere(() => records.get(caller, id));
}

/** The parts of a guarded write of one record. Reading it also names it in the audit trail. */
export function storedRecord<Item extends StoredRecord>(
  records: Pick<Collection<Item, object, object>, 'kind' | 'get'>,
  caller: AccessCaller,
  id: string,
  note: AuditNote,
) {
  const { environment, service } = caller.transport;
  const resource: Resource = { environment, service, kind: records.kind, id };
  return {
    note,
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
 * A controller answers 404 or 500 to a stale version. Its other failures, including 503, are final: it won't make the
 * change later. After a gateway's 502 or 504, the controller may still make the change.
 */
export function whatFailed(error: unknown): FailedWrite {
  if (!(error instanceof ServiceError) || error.delivery === 'not-sent') return 'refused';
  if ([404, 500, 503].includes(error.serviceStatus ?? 0)) return 'perhaps-stale';
  return error.delivery === 'unknown' ? 'unknown' : 'refused';
}

/** The version number of a revision. @throws ProblemError `invalid-request` if it isn't one */
export function versionOf(revision: string): number {
  if (/^[1-9]\d{0,9}$/.test(revision)) return Number(revision);
  throw new ProblemError('invalid-request', 'If-Match must be a revision number.');
}
