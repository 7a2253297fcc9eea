import type { ConflictDetails } from '@gatehouse/api-types/console/problem';
import type { Database } from '#store/database.ts';
import type { AuditRow } from '#store/schema.ts';
import { isOfRecord, sameRecord } from './of-record.ts';

/** Who changed a record, and when. */
export interface Change {
  readonly by: string;
  readonly personId: string;
  /** RFC 3339. */
  readonly at: string;
}

type Conflicting = Pick<ConflictDetails, 'reason' | 'expectedRevision' | 'currentRevision'>;

/**
 * Finds in the trail who made the stored revision of a record, or deleted the record. Records that a user may not see
 * look as if they were gone, so who deleted one is found only with a revision that it had.
 * @returns undefined if the change wasn't made through this console, or the record can't be read
 */
export async function lastChange(
  { build, all }: Pick<Database, 'build' | 'all'>,
  record: Pick<AuditRow, 'environment' | 'service' | 'resource_id'>,
  { reason, expectedRevision, currentRevision }: Conflicting,
): Promise<Change | undefined> {
  const changes = build
    .selectFrom('audit')
    .select(['person_id', 'person_name', 'login_name', 'time'])
    .where(sameRecord(record.resource_id))
    .where(isOfRecord('audit', record.resource_id))
    .where('environment', '=', record.environment)
    .where('service', '=', record.service)
    .where('outcome', '=', 'succeeded');
  if (reason !== 'deleted' && currentRevision === null) return undefined;
  if (reason === 'deleted') {
    const known = changes.where((eb) =>
      eb.or([eb('revision_before', '=', expectedRevision), eb('revision_after', '=', expectedRevision)]),
    );
    if ((await all(known.limit(1).compile())).length === 0) return undefined;
  }
  const [last] = await all(
    (reason === 'deleted'
      ? changes.where('action', 'like', '%.delete%')
      : changes.where('revision_after', '=', currentRevision)
    )
      .orderBy('sequence', 'desc')
      .limit(1)
      .compile(),
  );
  return last === undefined
    ? undefined
    : {
        by: last.person_name || last.login_name,
        personId: last.person_id,
        at: new Date(last.time).toISOString(),
      };
}
