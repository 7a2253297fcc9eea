import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

/** The columns of a table that are reported. */
interface WatchedColumns {
  /** In reported order. */
  readonly columns: readonly string[];
  /** Columns of which only the number of bytes is reported, after `columns`; null for no value. */
  readonly sizes?: readonly string[];
  /** Columns reported of a deleted row; undefined if deletions are not reported. */
  readonly names: readonly string[] | undefined;
}

/** The reported columns by table. */
export type WatchedTables = Readonly<Record<string, WatchedColumns>>;

/** A row that a statement inserted, changed or deleted. */
export interface RowChange {
  readonly table: string;
  readonly removed: boolean;
  /** The current row's `columns` and `sizes`; of a deleted row its `names`. */
  readonly row: readonly SQLOutputValue[];
}

export type RowWatch = ReturnType<typeof rowWatch>;

/**
 * Records changed rows with triggers of this connection, which no statement can bypass. The triggers are temporary: the
 * file doesn't contain them, and writes by other processes are not recorded.
 */
export function rowWatch(db: DatabaseSync, tables: WatchedTables) {
  let changes: RowChange[] = [];
  const names = Object.keys(tables);
  // A trigger can only call a function in a SELECT, which discards the result.
  db.function('row_changed', { varargs: true }, (index, removed, ...row) => {
    const table = names[Number(index)];
    if (table !== undefined) changes.push({ table, removed: removed === 1, row });
    return null;
  });
  const triggers = names.flatMap((table, index) =>
    (['insert', 'update', 'delete'] as const).flatMap((event) => {
      const removed = event === 'delete';
      const { columns = [], sizes = [], names: left } = tables[table] ?? {};
      if (removed && left === undefined) return [];
      const row = removed
        ? (left ?? []).map((column) => `OLD."${column}"`)
        : [
            ...columns.map((column) => `NEW."${column}"`),
            ...sizes.map((column) => `octet_length(NEW."${column}")`),
          ];
      const name = `watch_${table}_${event}`;
      db.exec(
        `CREATE TEMP TRIGGER "${name}" AFTER ${event} ON main."${table}"
         BEGIN SELECT row_changed(${[String(index), removed ? '1' : '0', ...row].join(', ')}); END`,
      );
      return [name];
    }),
  );
  return {
    /** Rows changed since the last call. */
    take(): RowChange[] {
      const taken = changes;
      if (taken.length > 0) changes = [];
      return taken;
    },
    stop(): void {
      for (const name of triggers) db.exec(`DROP TRIGGER temp."${name}"`);
      changes = [];
    },
  };
}
