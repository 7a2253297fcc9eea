import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** Whether a chosen version is incomplete although none of its pieces is left to copy. Retried pieces count as left. */
export function isOpen(version: 'move_version' | 'v'): RawBuilder<SqlBool> {
  const of = (column: string) => sql.ref(`${version}.${column}`);
  return sql<SqlBool>`${of('phase')} = 'open' and ${of('chosen')} = 1 and not exists (
    select 1 from move_piece as q where q.version_id = ${of('id')} and q.state in ('missing', 'waiting', 'copying'))`;
}
