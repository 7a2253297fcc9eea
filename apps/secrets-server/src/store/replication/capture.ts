import { withParameters } from '@gatehouse/service-kit/store';
import type { RowChange, WatchedTables } from '@gatehouse/service-kit/store';
import type { SecretsReader, SecretsStore } from '../database.ts';
import type { SealedChange, SealedValue } from './entry-codec.ts';
import type { Value } from './replication-store.ts';
import { columnsOf, namesOf, parentColumn, replicatedTables } from './tables.ts';
import type { Column, ReplicatedTable, Row } from './tables.ts';

/** What of the replicated tables is watched. */
export const watchedTables: WatchedTables = Object.fromEntries(
  replicatedTables.map((table) => [table.name, { columns: columnsOf(table), names: namesOf(table) }]),
);

/** What names a mount on every cluster; null for one that is not replicated. */
type MountName = string | null;

/** Turns changed rows into changes of replicated records. */
export interface Capture {
  /** What of a write's changed rows is replicated. Asked within the write. */
  changesOf(tx: SecretsReader, rows: readonly RowChange[]): readonly SealedChange[];
  /** A record of a row that was read. */
  valuesOf(table: ReplicatedTable, row: Row): readonly (Value | SealedValue)[];
}

/** Names rows as every cluster names them. */
export function captureOf({ build }: Pick<SecretsStore, 'build'>): Capture {
  const tables = new Map(replicatedTables.map((table) => [table.name, table]));
  const mountQuery = build
    .selectFrom('mount')
    .select(['uuid', 'local', 'retired'])
    .where('id', '=', 0)
    .compile();
  const keyQuery = build.selectFrom('kv_key').select(['mount_id', 'path']).where('id', '=', 0).compile();

  const valuesOf = (table: ReplicatedTable, row: Row): readonly (Value | SealedValue)[] =>
    table.values.map((column) => {
      const value = row[column] ?? null;
      return table.sealed?.column === column && value instanceof Uint8Array
        ? sealedValue(table, row, value)
        : value;
    });

  /** By their numbers, over many writes: nothing but their removal makes other mounts of them. */
  const mounts = new Map<Column, MountName>();

  const changesOf = (tx: SecretsReader, rows: readonly RowChange[]): SealedChange[] => {
    if (rows.some(({ table }) => table === 'mount')) mounts.clear();
    const mountName = (id: Column): MountName => {
      let name = mounts.get(id);
      if (name === undefined) {
        const mount = tx.get(withParameters(mountQuery, id));
        // One that is gone took its records with it, which its own removal says.
        name = mount === undefined || mount.local === 1 || mount.retired === 1 ? null : mount.uuid;
        mounts.set(id, name);
      }
      return name;
    };
    /** By their numbers: the keys that this write changed, so that most are not asked for. Null once removed. */
    const keys = new Map<Column, readonly [mount: Column, path: Column] | null>();
    const keyName = (id: Column): readonly Value[] | null => {
      if (!keys.has(id)) {
        const key = tx.get(withParameters(keyQuery, id));
        keys.set(id, key === undefined ? null : [key.mount_id, key.path]);
      }
      const [mount, path] = keys.get(id) ?? [];
      const name = mount === undefined ? null : mountName(mount);
      return name === null || path === undefined ? null : [name, path];
    };
    const named = rows.map((change) => ({
      table: change.table,
      removed: change.removed,
      row: rowOf(change),
    }));
    for (const { table, removed, row } of named) {
      if (table === 'kv_key') {
        keys.set(row['id'] ?? null, removed ? null : [row['mount_id'] ?? null, row['path'] ?? null]);
      }
    }
    return named.flatMap(({ table: name, removed, row }): SealedChange[] => {
      const table = tables.get(name);
      if (table === undefined || row['local'] === 1 || row['retired'] === 1) return [];
      const parent = parentColumn(table);
      const above = parentName(
        parent === undefined ? undefined : (row[parent] ?? null),
        table,
        mountName,
        keyName,
      );
      if (above === null) return [];
      const key = [...above, ...table.key.map((column) => row[column] ?? null)];
      return [{ table: name, key, values: removed ? null : valuesOf(table, row) }];
    });
  };
  return { changesOf, valuesOf };
}

function parentName(
  id: Column | undefined,
  table: ReplicatedTable,
  mountName: (id: Column) => MountName,
  keyName: (id: Column) => readonly Value[] | null,
): readonly Value[] | null {
  if (id === undefined) return [];
  if (table.parent === 'key') return keyName(id);
  const name = mountName(id);
  return name === null ? null : [name];
}

function rowOf({ table, removed, row: values }: RowChange): Row {
  const { columns = [], names = [] } = watchedTables[table] ?? {};
  const row: Record<string, Column> = {};
  for (const [index, name] of (removed ? names : columns).entries()) {
    const value = values[index] ?? null;
    row[name] = typeof value === 'bigint' ? Number(value) : value;
  }
  return row;
}

/** A sealed value of a row, with what is needed to find it again. */
export function sealedValue({ sealed: kind }: ReplicatedTable, row: Row, sealed: Uint8Array): SealedValue {
  const place = kind?.place(row) ?? '';
  if (kind?.stays !== true) return { sealed, place };
  return { sealed, place, row: { keyId: Number(row['key_id']), version: Number(row['version']) } };
}
