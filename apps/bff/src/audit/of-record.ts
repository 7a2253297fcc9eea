/** The rows of one record in the trail. Where a service ignores the case of names, its ID has several spellings. */
import type { ServiceName } from '@gatehouse/api-types/console/service';
import { sql, type RawBuilder, type SqlBool } from 'kysely';

const ignoringCase = sql.join((['boxes', 'modules'] satisfies ServiceName[]).map((name) => sql.lit(name)));

/** Finds rows by their index: those of a record, and of others whose IDs differ only by case. */
export function sameRecord(id: string): RawBuilder<SqlBool> {
  return sql`lower(resource_id) = lower(${id})`;
}

/** Whether a row is of a record, without an index. */
export function isOfRecord(row: 'audit' | 'e' | 'o', id: string): RawBuilder<SqlBool> {
  const [stored, service] = [sql.ref(`${row}.resource_id`), sql.ref(`${row}.service`)];
  // The join with '' keeps the database from using an index.
  return sql`(${stored} || '' = ${id}
    or (${service} in (${ignoringCase}) and lower(${stored}) || '' = lower(${id})))`;
}
