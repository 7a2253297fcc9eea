import type { Database } from '#store/database.ts';
import type { AuditRow } from '#store/schema.ts';

/** Who changed a record, and when. */
export interface Change {
  readonly by: string;
  readonly personId: string;
  /** RFC 3339. */
  readonly at: string;
}

/**
 * Finds in the trail who made the stored revision of a record, or deleted the record.
 * @param revision the record's revision; null if the record is gone
 * @returns undefined if the change wasn't made through this console
 */
export async function lastChange(
  { build, all }: Pick<Database, 'build' | 'all'>,
  record: Pick<AuditRow, 'environment' | 'service' | 'resource_id'>,
  revision: string | null,
): Promise<Change | undefined> {
  const changes = build
    .selectFrom('audit')
    .select(['person_id', 'person_name', 'login_name', 'time'])
    .where('resource_id', '=', record.resource_id)
    .where('environment', '=', record.environment)
    .where('service', '=', record.service)
    .where('outcome', '=', 'succeeded');
  const [last] = await all(
    (revision === null
      ? changes.where('action', 'like', '%.delete%')
      : changes.where('revision_after', '=', revision)
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
