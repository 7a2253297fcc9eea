import { openStore } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import { bigint, type Database } from './database.ts';
import { migrations } from './migrations.ts';
import type { Schema } from './schema.ts';

/**
 * Opens or creates the console's SQLite file, the default for one replica.
 * @param busyDeadlineMs longest wait for another process to release the file; the usual one unless given
 * @throws StoreRefused if the file can't be opened
 */
export function openSqlite(file: string, busyDeadlineMs?: number): Database {
  const store = openStore<Schema>({
    file,
    ...(busyDeadlineMs !== undefined && { busyDeadlineMs }),
    migrations: migrations.map(({ name, sql }) => ({
      name,
      up: (db) => {
        for (const statement of sql) db.exec(statement);
      },
    })),
  });
  return {
    build: store.build,
    shared: false,
    leaseTime: (clock, later = 0) => bigint(clock.now() + later),
    contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
    freshForMs: 1_000,
    all: async (query) => {
      try {
        return store.all(query);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        return store.all(query, { bigints: true }).map(inexact);
      }
    },
    get: async (query) => store.get(query),
    run: (query) => store.write((tx) => tx.run(query)),
    batch: (queries) => store.write((tx) => queries.map((query) => tx.run(query))),
    healthy: async () => store.healthy(),
    close: () => store.close(),
  };
}

/**
 * The row with all integers as numbers. Only a change of the file itself can have stored integers beyond 2^53; the
 * audit trail's verification must report them, so they must not make its query fail.
 */
function inexact<Row>(row: Row): Row {
  const columns = Object.entries(row as object).map(([column, value]: readonly [string, unknown]) => [
    column,
    typeof value === 'bigint' ? Number(value) : value,
  ]);
  return Object.fromEntries(columns) as Row;
}
