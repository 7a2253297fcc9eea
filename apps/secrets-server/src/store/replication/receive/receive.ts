import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { SecretsWriter } from '../../database.ts';
import type { Salvage } from '../log/salvage.ts';
import type { Change, Value } from '../replication-store.ts';
import { isReplicatedMount, replicatedTables, tableOf } from '../tables.ts';
import type { ReplicatedTable } from '../tables.ts';
import type { Applier } from './apply.ts';

/** Writes a snapshot over the records of this store, and removes those that the snapshot lacks. */
export type Receiver = ReturnType<typeof receiverOf>;

/** Keys that are removed in one transaction, so that other writes don't wait long. */
const removedAtOnce = 500;

/**
 * Receives one snapshot. Keys of small tables are remembered until the end. The many keys of a mount arrive in order,
 * so all keys of this store between two of them can be removed.
 * @param salvage stores removed records as lost; undefined if the primary has had all of them
 */
export function receiverOf(applier: Applier, salvage: Salvage | undefined) {
  const seen = new Map<string, Set<string>>();
  /** The last received key by mount UUID. */
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
    // A key's versions are numbered without gaps; the received versions follow and replace those within the range.
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
    /** Applies a chunk; chunks must arrive in the snapshot's order. */
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
    /** Removes some of the keys after the last received one of each mount. Returns whether more may remain. */
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
    /** Removes all other records that the snapshot lacks. */
    end(tx: SecretsWriter): void {
      if (first) throw new Error('the snapshot contains no records');
      for (const table of replicatedTables) if (table.few) removeUnseen(tx, table);
    },
  };
}

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

/** The keys of all replicated records in a table. */
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
