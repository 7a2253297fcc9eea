import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { SecretsWriter } from '../../database.ts';
import type { Salvage } from '../log/salvage.ts';
import type { Change, Value } from '../replication-store.ts';
import { isReplicatedMount, replicatedTables, tableOf } from '../tables.ts';
import type { ReplicatedTable } from '../tables.ts';
import type { Applier } from './apply.ts';

/** Puts a snapshot over the records that are here: what the primary has is put, and what it does not have is removed. */
export type Receiver = ReturnType<typeof receiverOf>;

/** Keys that are removed in one transaction: others have their turn in between. */
const removedAtOnce = 500;

/**
 * Receives one snapshot. Names of tables with few rows are remembered until their end; the keys of a mount, which may be
 * many, come in order, so that what lies between two of them is known to be gone.
 * @param salvage keeps what is taken away; undefined where the primary had all of it
 */
export function receiverOf(applier: Applier, salvage: Salvage | undefined) {
  const seen = new Map<string, Set<string>>();
  /** Mounts by UUID with the last key that came. */
  const lastKeys = new Map<Value, Value>();
  let first = true;

  const removeBetween = (tx: SecretsWriter, uuid: Value, paths: readonly Value[]): void => {
    const mountId = applier.mountId(tx, uuid);
    const last = paths.at(-1);
    if (mountId === undefined || last === undefined) return;
    const after = lastKeys.get(uuid);
    const from = after === undefined ? sql`` : sql`AND path > ${after}`;
    const between = sql`mount_id = ${mountId} ${from} AND path <= ${last}
      AND path NOT IN (SELECT value FROM json_each(${JSON.stringify(paths)}))`;
    if (salvage === undefined) tx.run(sql`DELETE FROM kv_key WHERE ${between}`.compile(tx.build));
    else removeKeysOf(tx, uuid, idsOf(tx, between));
    lastKeys.set(uuid, last);
  };
  const removeKeysOf = (tx: SecretsWriter, uuid: Value, ids: readonly number[]): void => {
    salvage?.keys(tx, uuid, ids);
    const list = JSON.stringify(ids);
    tx.run(sql`DELETE FROM kv_key WHERE id IN (SELECT value FROM json_each(${list}))`.compile(tx.build));
  };
  const removeOldVersions = (tx: SecretsWriter, uuid: Value, paths: readonly Value[]): void => {
    const mountId = applier.mountId(tx, uuid);
    if (mountId === undefined) return;
    // Those that a key has are numbered without a gap; they come later, and replace what is here.
    const old = sql`kv_key.mount_id = ${mountId}
      AND kv_key.path IN (SELECT value FROM json_each(${JSON.stringify(paths)}))
      AND (kv_version.version < kv_key.oldest_version OR kv_version.version > kv_key.current_version)`;
    salvage?.versions(tx, uuid, old);
    tx.run(
      sql`DELETE FROM kv_version WHERE (key_id, version) IN (
        SELECT kv_version.key_id, kv_version.version FROM kv_key
        JOIN kv_version ON kv_version.key_id = kv_key.id WHERE ${old})`.compile(tx.build),
    );
  };
  const removeUnseen = (tx: SecretsWriter, table: ReplicatedTable): void => {
    const known = seen.get(table.name);
    for (const key of keysOf(tx, table)) {
      if (known?.has(nameOf(key)) === true) continue;
      salvage?.removed(tx, table, key);
      applier.apply(tx, { table: table.name, key, values: null });
    }
  };

  return {
    /** Records in the order of the snapshot. */
    chunk(tx: SecretsWriter, changes: readonly Change[]): void {
      const keys = new Map<Value, Value[]>();
      for (const change of changes) {
        const table = tableOf.get(change.table);
        salvage?.replaced(tx, change);
        applier.apply(tx, change);
        if (table?.few === true) {
          let names = seen.get(table.name);
          if (names === undefined) seen.set(table.name, (names = new Set()));
          names.add(nameOf(change.key));
        } else if (change.table === 'kv_key') {
          const [uuid = null, path = null] = change.key;
          let paths = keys.get(uuid);
          if (paths === undefined) keys.set(uuid, (paths = []));
          paths.push(path);
        }
      }
      for (const [uuid, paths] of keys) {
        removeBetween(tx, uuid, paths);
        removeOldVersions(tx, uuid, paths);
      }
      first = false;
    },
    /** Removes some of the keys that come after the last one of their mount. Answers whether there may be more. */
    removeKeys(tx: SecretsWriter): boolean {
      for (const { id, uuid } of replicatedMounts(tx)) {
        const last = lastKeys.get(uuid);
        const after = last === undefined ? sql`` : sql`AND path > ${last}`;
        const ids = idsOf(tx, sql`mount_id = ${id} ${after} LIMIT ${removedAtOnce}`);
        if (ids.length === 0) continue;
        removeKeysOf(tx, uuid, ids);
        return true;
      }
      return false;
    },
    /** Removes all else that did not come. */
    end(tx: SecretsWriter): void {
      if (first) throw new Error('a snapshot without a record is not one');
      for (const table of replicatedTables) if (table.few) removeUnseen(tx, table);
    },
  };
}

/** Numbers of the keys for which a condition holds. */
function idsOf(tx: SecretsWriter, condition: RawBuilder<unknown>): number[] {
  return tx
    .all(sql<{ id: number }>`SELECT id FROM kv_key WHERE ${condition}`.compile(tx.build))
    .map(({ id }) => id);
}

function nameOf(key: readonly Value[]): string {
  return JSON.stringify(key);
}

function replicatedMounts(tx: SecretsWriter) {
  return tx.all(
    tx.build
      .selectFrom('mount')
      .select(['id', 'uuid'])
      .where('local', '=', 0)
      .where('retired', '=', 0)
      .compile(),
  );
}

/** The names of a table's records that are here. */
function keysOf(tx: SecretsWriter, table: ReplicatedTable): (readonly Value[])[] {
  const columns = table.key.map((column) => sql.ref(`${table.name}.${column}`));
  const query =
    table.parent === 'none'
      ? sql<Record<string, Value>>`SELECT ${sql.join(columns)} FROM ${sql.table(table.name)}
          ${table.name === 'mount' ? sql`WHERE ${isReplicatedMount}` : sql``}`
      : sql<Record<string, Value>>`SELECT ${sql.join([sql`mount.uuid AS parent_uuid`, ...columns])}
          FROM mount JOIN ${sql.table(table.name)} ON ${sql.ref(`${table.name}.mount_id`)} = mount.id WHERE ${isReplicatedMount}`;
  const names = [...(table.parent === 'none' ? [] : ['parent_uuid']), ...table.key];
  return tx.all(query.compile(tx.build)).map((row) => names.map((name) => row[name] ?? null));
}
