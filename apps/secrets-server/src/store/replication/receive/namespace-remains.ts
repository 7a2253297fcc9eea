import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { SecretsWriter } from '../../database.ts';
import type { MountTable } from '../../schema.ts';
import type { Value } from '../replication-store.ts';

/** A mount of this cluster alone. */
type LocalMount = Pick<Selectable<MountTable>, 'id' | 'uuid' | 'namespace' | 'path' | 'local'>;

/** Where the values of a namespace tell its UUID. */
const uuidValue = 1;

/**
 * Removes what this cluster has of its own in a namespace that goes, or gives way to another of the same path: tokens with
 * what descends from them, wrapped answers and local mounts. Leases are due at once.
 * @param path of the namespace, with a slash at the end
 * @param values of the namespace as it will be; null when it is removed
 * @param removeMount removes a mount
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
