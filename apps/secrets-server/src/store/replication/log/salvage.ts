import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Barrier } from '../../barrier.ts';
import type { SecretsWriter } from '../../database.ts';
import { includes } from '../filter/filter.ts';
import type { Applier } from '../receive/apply.ts';
import { mountPlaces, placeOf } from '../receive/mount-places.ts';
import type { Change, PathsFilter, Value } from '../replication-store.ts';
import { columnsOf, parentColumn, replicatedTables, tableOf } from '../tables.ts';
import type { ReplicatedTable, Row } from '../tables.ts';
import { valuesOf } from './capture.ts';
import { packSealed } from './entry-codec.ts';
import type { SealedBytes, SealedChange } from './entry-codec.ts';
import type { LostWrites } from './lost.ts';

/** Stores records that a snapshot is about to remove or replace as lost, except those that the filter excludes. */
export type Salvage = ReturnType<typeof salvageOf>;

export interface SalvageOptions {
  readonly barrier: Barrier;
  readonly applier: Applier;
  readonly lost: LostWrites;
  readonly filter: PathsFilter | undefined;
  /** In milliseconds since the epoch. */
  readonly foundTime: number;
  /** The last write of this cluster. */
  readonly last: { readonly seq: number; readonly time: number };
  /** Called for each entry of lost records. */
  readonly onKept: () => void;
}

/** A record whose secret values are still sealed. */
type Kept = SealedChange<SealedBytes>;

/**
 * The columns whose difference counts as a loss; for other tables, all columns do. Times and counters can differ
 * without a loss.
 */
const compared: Readonly<Record<string, readonly string[]>> = {
  kv_key: ['max_versions', 'cas_required', 'delete_version_after', 'custom_metadata'],
  kv_version: ['sealed'],
};

/** Stores the records that one snapshot removes or replaces. */
export function salvageOf(options: SalvageOptions) {
  const { barrier, applier, lost, filter, foundTime, last, onKept } = options;

  const keep = (tx: SecretsWriter, records: readonly Kept[]): void => {
    const mountOf = mountPlaces(tx);
    const included = records.filter((record) => {
      const place = placeOf(record, mountOf);
      return place !== undefined && includes(filter, place);
    });
    if (included.length === 0) return;
    lost.add(tx, { ...last, packed: packSealed(included) }, foundTime);
    onKept();
  };
  const isSame = (table: ReplicatedTable, here: Kept, change: Change): boolean =>
    table.values.every((column, index) => {
      if (compared[table.name]?.includes(column) === false) return true;
      const [value = null, other = null] = [here.values?.[index], change.values?.[index]];
      if (!isSealed(value)) return value === other;
      return other instanceof Uint8Array && barrier.open(value.sealed, value.place).equals(other);
    });

  const keepVersions = (tx: SecretsWriter, mount: Value, condition: RawBuilder<unknown>): void => {
    const versions = tableOf.get('kv_version');
    if (versions === undefined) return;
    const found = sql<{ id: number; path: string; version: number }>`
      SELECT kv_key.id, kv_key.path, kv_version.version FROM kv_key JOIN kv_version ON kv_version.key_id = kv_key.id
      WHERE ${condition} AND kv_version.sealed IS NOT NULL`;
    for (const { id, path, version } of tx.all(found.compile(tx.build)))
      keep(tx, recordsOf(tx, versions, sql`key_id = ${id} AND version = ${version}`, [mount, path]));
  };
  /** Replacing a key prunes its old versions. */
  const keepPruned = (tx: SecretsWriter, table: ReplicatedTable, { key, values }: Change): void => {
    const [mount = null, path = null] = key;
    const oldest = values?.[table.values.indexOf('oldest_version')] ?? 0;
    keepVersions(
      tx,
      mount,
      sql`kv_key.mount_id = ${applier.mountId(tx, mount) ?? 0} AND kv_key.path = ${path} AND kv_version.version < ${oldest}`,
    );
  };

  return {
    /** Stores a record that a change replaces with different values. */
    replaced(tx: SecretsWriter, change: Change): void {
      const table = tableOf.get(change.table);
      if (table === undefined || change.values === null) return;
      if (table.name === 'kv_key') keepPruned(tx, table, change);
      const here = recordAt(tx, applier, table, change.key);
      if (here === undefined) return;
      const isRevived = table.name === 'kv_version' && revives(table, here, change);
      if (isRevived || !isSame(table, here, change)) keep(tx, [here]);
    },
    /** Stores a record that is removed; for a mount, also its other records except keys. */
    removed(tx: SecretsWriter, table: ReplicatedTable, key: readonly Value[]): void {
      const here = recordAt(tx, applier, table, key);
      if (here === undefined) return;
      const id = table.name === 'mount' ? applier.mountId(tx, key[0] ?? null) : undefined;
      const parts =
        id === undefined ? [] : replicatedTables.filter(({ parent, few }) => parent === 'mount' && few);
      keep(tx, [here, ...parts.flatMap((part) => recordsOf(tx, part, sql`mount_id = ${id}`, key))]);
    },
    /** Stores keys with all their versions. @param ids of the keys in this store */
    keys(tx: SecretsWriter, mount: Value, ids: readonly number[]): void {
      const [keys, versions] = [tableOf.get('kv_key'), tableOf.get('kv_version')];
      if (keys === undefined || versions === undefined) return;
      for (const id of ids) {
        const records = recordsOf(tx, keys, sql`id = ${id}`, [mount]);
        const key = records[0]?.key ?? [];
        keep(tx, [...records, ...recordsOf(tx, versions, sql`key_id = ${id}`, key)]);
      }
    },
    /** Stores the versions of a mount's keys that match a condition on both tables. */
    versions: keepVersions,
  };
}

/** Whether a change makes a version readable that was deleted or destroyed here. */
function revives(table: ReplicatedTable, here: Kept, { values }: Change): boolean {
  const [deleted, destroyed] = [table.values.indexOf('deletion_time'), table.values.indexOf('destroyed')];
  return (
    (here.values?.[destroyed] === 1 && values?.[destroyed] !== 1) ||
    ((here.values?.[deleted] ?? null) !== null && (values?.[deleted] ?? null) === null)
  );
}

/** A record by its key; undefined if it is not in this store. */
function recordAt(
  tx: SecretsWriter,
  applier: Applier,
  table: ReplicatedTable,
  key: readonly Value[],
): Kept | undefined {
  const parent = parentColumn(table);
  const id = parent === undefined ? undefined : applier.parentId(tx, table, key);
  if (parent !== undefined && id === undefined) return undefined;
  const above = key.slice(0, key.length - table.key.length);
  const own = key.slice(above.length);
  const names = [
    ...(parent === undefined ? [] : [sql`${sql.ref(parent)} = ${id}`]),
    ...table.key.map((column, index) => sql`${sql.ref(column)} = ${own[index] ?? null}`),
    ...(table.name === 'mount' ? [sql`local = 0 AND retired = 0`] : []),
  ];
  return recordsOf(tx, table, sql.join(names, sql` AND `), above)[0];
}

/** The records of a table that match a condition. @param above the key of their parent */
function recordsOf(
  tx: SecretsWriter,
  table: ReplicatedTable,
  condition: RawBuilder<unknown>,
  above: readonly Value[],
): Kept[] {
  const columns = sql.join(columnsOf(table).map((column) => sql.ref(column)));
  const rows = sql<Row>`SELECT ${columns} FROM ${sql.table(table.name)} WHERE ${condition}`;
  return tx.all(rows.compile(tx.build)).map((row) => ({
    table: table.name,
    key: [...above, ...table.key.map((column) => row[column] ?? null)],
    values: valuesOf(table, row),
  }));
}

function isSealed(value: Value | SealedBytes): value is SealedBytes {
  return typeof value === 'object' && value !== null && 'place' in value;
}
