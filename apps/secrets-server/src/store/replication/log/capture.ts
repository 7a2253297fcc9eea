import { withParameters } from '@gatehouse/service-kit/store';
import type { RowChange, WatchedTables } from '@gatehouse/service-kit/store';
import type { SecretsReader, SecretsStore } from '../../database.ts';
import type { Value } from '../replication-store.ts';
import { columnsOf, namesOf, parentColumn, replicatedTables } from '../tables.ts';
import type { Column, ReplicatedTable, Row } from '../tables.ts';
import type { SealedBytes, SealedChange, SealedValue } from './entry-codec.ts';

/** The replicated tables and their watched columns. */
export const watchedTables: WatchedTables = Object.fromEntries(
  replicatedTables.map((table) => [
    table.name,
    {
      // A value that stays in its row is read from there when an entry is sent.
      columns: columnsOf(table).filter((column) => !staysInRow(table, column)),
      sizes: table.sealed?.stays === true ? [table.sealed.column] : [],
      names: table.goesWithParent === true ? undefined : namesOf(table),
    },
  ]),
);

export type Capture = ReturnType<typeof captureOf>;

/** The positions of a watched row's columns. Rows stay arrays, because every write passes through here. */
interface Layout {
  readonly table: ReplicatedTable;
  /** -1 for a table without a parent. */
  readonly parent: number;
  readonly firstKey: number;
  readonly firstValue: number;
  /** The position after the last value. */
  readonly end: number;
  /** Inserts the sealed value, or a reference to the row that has it, into the values. */
  readonly seal: (row: RowChange['row'], values: (Value | SealedValue)[]) => void;
}

/** Converts changed rows to changes with keys that are the same on every cluster. */
export function captureOf({ build }: Pick<SecretsStore, 'build'>) {
  const layouts = new Map(replicatedTables.map((table) => [table.name, layoutOf(table)]));
  const mountQuery = build
    .selectFrom('mount')
    .select(['uuid', 'local', 'retired'])
    .where('id', '=', 0)
    .compile();
  const keyQuery = build.selectFrom('kv_key').select(['mount_id', 'path']).where('id', '=', 0).compile();
  /** Cached UUIDs of mounts by number; null for a mount that is not replicated. */
  const mounts = new Map<Column, string | null>();

  const mountName = (tx: SecretsReader, id: Column): string | null => {
    let name = mounts.get(id);
    if (name === undefined) {
      const mount = tx.get(withParameters(mountQuery, id));
      // The records of a missing mount were removed with it, which the mount's own change covers.
      name = mount === undefined || mount.local === 1 || mount.retired === 1 ? null : mount.uuid;
      mounts.set(id, name);
    }
    return name;
  };
  /** Takes the key from the write's own changes if possible, which saves a query. */
  const keyName = (tx: SecretsReader, rows: readonly RowChange[], id: Column): readonly Value[] | null => {
    const changed = rows.findLast(({ table, row }) => table === 'kv_key' && row[0] === id);
    if (changed?.removed === true) return null;
    const key = changed === undefined ? tx.get(withParameters(keyQuery, id)) : undefined;
    const [mount, path] =
      changed === undefined ? [key?.mount_id, key?.path] : [changed.row[1], changed.row[2]];
    if (mount === undefined || path === undefined) return null;
    const name = mountName(tx, plain(mount));
    return name === null ? null : [name, plain(path)];
  };
  const parentName = (
    tx: SecretsReader,
    rows: readonly RowChange[],
    { table, parent }: Layout,
    row: RowChange['row'],
  ): readonly Value[] | null => {
    if (table.parent === 'none') return [];
    const id = plain(row[parent]);
    if (table.parent === 'key') return keyName(tx, rows, id);
    const name = mountName(tx, id);
    return name === null ? null : [name];
  };

  return {
    /** Clears the cached mounts, after writes that were undone or not watched. */
    forget: (): void => mounts.clear(),
    /** The replicated changes among a write's changed rows; called within the write. */
    changesOf(tx: SecretsReader, rows: readonly RowChange[]): readonly SealedChange[] {
      // If this write is rolled back, another mount may get the number.
      if (rows.some(({ table }) => table === 'mount')) mounts.clear();
      const changes: SealedChange[] = [];
      for (const { table: name, removed, row } of rows) {
        const layout = layouts.get(name);
        if (layout === undefined) continue;
        // A mount is removed elsewhere when it is retired here.
        const isRetired = !removed && isRetiredMount(layout, row);
        if (!isRetired && isOwn(layout, row)) continue;
        const key = parentName(tx, rows, layout, row);
        if (key === null) continue;
        changes.push({
          table: name,
          key: [...key, ...row.slice(layout.firstKey, layout.firstKey + layout.table.key.length).map(plain)],
          values: removed || isRetired ? null : valuesAt(layout, row),
        });
      }
      return changes;
    },
  };
}

/** The values of a row. */
export function valuesOf(table: ReplicatedTable, row: Row): readonly (Value | SealedBytes)[] {
  return table.values.map((column) => {
    const value = row[column] ?? null;
    return table.sealed?.column === column && value instanceof Uint8Array
      ? { sealed: value, place: table.sealed.place(row) }
      : value;
  });
}

/** Whether the log reads a value from its row and stores no copy. */
function staysInRow({ sealed }: ReplicatedTable, column: string): boolean {
  return sealed?.stays === true && sealed.column === column;
}

function layoutOf(table: ReplicatedTable): Layout {
  const columns = columnsOf(table).filter((column) => !staysInRow(table, column));
  const parent = parentColumn(table);
  const [firstKey = ''] = table.key;
  const firstValue = namesOf(table).length;
  return {
    table,
    parent: parent === undefined ? -1 : columns.indexOf(parent),
    firstKey: columns.indexOf(firstKey),
    firstValue,
    end: columns.length,
    seal: sealerOf(table, columns, firstValue),
  };
}

function sealerOf(table: ReplicatedTable, columns: readonly string[], firstValue: number): Layout['seal'] {
  const { sealed } = table;
  if (sealed === undefined) return () => undefined;
  if (sealed.stays === true) {
    const [keyId, version, destroyed] = ['key_id', 'version', 'destroyed'].map((name) =>
      columns.indexOf(name),
    );
    const at = table.values.indexOf(sealed.column);
    return (row, values) => {
      const stays = {
        keyId: Number(row[keyId ?? -1]),
        version: Number(row[version ?? -1]),
        size: Number(row[columns.length] ?? 0),
      };
      values.splice(at, 0, row[destroyed ?? -1] === 1 ? null : stays);
    };
  }
  const at = columns.indexOf(sealed.column);
  return (row, values) => {
    const value = row[at];
    if (!(value instanceof Uint8Array)) return;
    const named = Object.fromEntries(columns.map((column, index) => [column, plain(row[index])]));
    values[at - firstValue] = { sealed: value, place: sealed.place(named) };
  };
}

/** Whether a row is a mount that is not replicated. */
function isRetiredMount({ table, firstValue }: Layout, row: RowChange['row']): boolean {
  return table.name === 'mount' && row[firstValue - 2] === 0 && row[firstValue - 1] === 1;
}

function isOwn({ table, firstValue }: Layout, row: RowChange['row']): boolean {
  return table.name === 'mount' && (row[firstValue - 2] === 1 || row[firstValue - 1] === 1);
}

function valuesAt(
  { firstValue, end, seal }: Layout,
  row: RowChange['row'],
): readonly (Value | SealedValue)[] {
  const values: (Value | SealedValue)[] = row.slice(firstValue, end).map(plain);
  seal(row, values);
  return values;
}

function plain(value: RowChange['row'][number] | undefined): Column {
  return typeof value === 'bigint' ? Number(value) : (value ?? null);
}
