import { openStore } from '@gatehouse/service-kit/store';
import type { Database } from './database.ts';
import { migrations } from './migrations.ts';
import type { Schema } from './schema.ts';

/**
 * Opens or creates the console's SQLite file, the default for one replica.
 * @param busyDeadlineMs longest wait for another process to release the file; the usual one unless given
 * @throws StoreUnavailable if the file can't be opened
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
    freshForMs: 1_000,
    all: async (query) => store.all(query),
    get: async (query) => store.get(query),
    run: (query) => store.write((tx) => tx.run(query)),
    batch: (queries) => store.write((tx) => queries.map((query) => tx.run(query))),
    healthy: async () => store.healthy(),
    close: () => store.close(),
  };
}
