import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

/** What is told of a table's rows. */
interface WatchedColumns {
  /** In this order. */
  readonly columns: readonly string[];
  /** Columns of which only the number of bytes is told, after the others; null where there is no value. */
  readonly sizes?: readonly string[];
  /** Of a removed row; undefined when removals are not told. */
  readonly names: readonly string[] | undefined;
}

/** Which columns are told of each table's rows. */
export type WatchedTables = Readonly<Record<string, WatchedColumns>>;

/** A row that a statement inserted, changed or removed. */
export interface RowChange {
  readonly table: string;
  readonly removed: boolean;
  /** As it is now, in its `columns` and `sizes`; of a removed one its `names`. */
  readonly row: readonly SQLOutputValue[];
}

/** Collects which rows are changed. */
export type RowWatch = ReturnType<typeof rowWatch>;

/**
 * Watches rows by triggers of this connection, so that no statement can pass by. They are temporary: nothing of them is
 * in the file, and other processes that write it are not watched.
 */
export function rowWatch(db: DatabaseSync, tables: WatchedTables) {
  let changes: RowChange[] = [];
  const names = Object.keys(tables);
  // A trigger can only call what selects; what it answers is not used.
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
    /** What was changed since the last call. */
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
