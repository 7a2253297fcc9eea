import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { SecretsWriter } from '../../database.ts';
import type { MountTable } from '../../schema.ts';
import type { Value } from '../replication-store.ts';

type LocalMount = Pick<Selectable<MountTable>, 'id' | 'uuid' | 'namespace' | 'path' | 'local'>;

/** The index of the UUID in a namespace's values. */
const uuidValue = 1;

/**
 * Removes this cluster's own records in a namespace that is removed or replaced by another with the same path: tokens
 * with their descendants, wrapped answers and local mounts. Leases become due at once.
 * @param path of the namespace, with a slash at the end
 * @param values of the new namespace; null if it is removed
 */
export function clearRemains(
  tx: SecretsWriter,
  path: Value,
  values: readonly Value[] | null,
  removeMount: (mount: LocalMount) => void,
): void {
  const { build } = tx;
  const here = tx.get(
    build.selectFrom('namespace').select('uuid').where('path', '=', String(path)).compile(),
  );
  if (here === undefined || here.uuid === values?.[uuidValue]) return;
  const tokens = sql`WITH RECURSIVE gone (hash) AS (
    SELECT hash FROM token WHERE namespace = ${path}
    UNION SELECT token.hash FROM token JOIN gone ON token.parent = gone.hash)`;
  tx.run(
    sql`${tokens} UPDATE lease SET expire_time = 0, max_expire_time = 0, next_attempt_time = 0
      WHERE namespace = ${path} OR token IN (SELECT hash FROM gone)`.compile(build),
  );
  tx.run(sql`${tokens} DELETE FROM token WHERE hash IN (SELECT hash FROM gone)`.compile(build));
  tx.run(sql`DELETE FROM wrapping WHERE namespace = ${path}`.compile(build));
  const mounts = build
    .selectFrom('mount')
    .select(['id', 'uuid', 'namespace', 'path', 'local'])
    .where('namespace', '=', String(path))
    .where('local', '=', 1)
    .where('retired', '=', 0);
  for (const mount of tx.all(mounts.compile())) removeMount(mount);
}
