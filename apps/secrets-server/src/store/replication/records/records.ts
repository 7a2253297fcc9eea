import type { Snapshot as StoreSnapshot } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { CompiledQuery } from 'kysely';
import type { SecretsStore } from '../../database.ts';
import type { Schema } from '../../schema.ts';
import { includes } from '../filter/filter.ts';
import { valuesOf } from '../log/capture.ts';
import type { SealedBytes, SealedChange } from '../log/entry-codec.ts';
import type { PathsFilter } from '../replication-store.ts';
import { columnsOf, isReplicatedMount, replicatedTables } from '../tables.ts';
import type { Column, ReplicatedTable, Row } from '../tables.ts';

/** Aliases for the parent's columns. */
const mountUuid = 'parent_uuid';
const mountNamespace = 'parent_namespace';
const mountPath = 'parent_path';
const keyPath = 'parent_key';

/**
 * All replicated records of a database snapshot, table by table in the order of their keys. Undefined stands for a
 * record that the filter excludes, because reading it takes time too.
 */
export function* recordsOf(
  moment: StoreSnapshot<Schema>,
  filter: PathsFilter | undefined,
): Generator<SealedChange<SealedBytes> | undefined> {
  for (const table of replicatedTables) {
    for (const row of moment.iterate(rowsQuery(moment.build, table))) {
      if (!includes(filter, placeOf(table, row))) {
        yield undefined;
        continue;
      }
      const key = table.key.map((column) => row[column] ?? null);
      const parent =
        table.parent === 'none'
          ? []
          : table.parent === 'mount'
            ? [row[mountUuid] ?? null]
            : [row[mountUuid] ?? null, row[keyPath] ?? null];
      yield { table: table.name, key: [...parent, ...key], values: valuesOf(table, row) };
    }
  }
}

/** The place of a record for filters. */
function placeOf(table: ReplicatedTable, row: Row): { readonly namespace: string; readonly mount?: string } {
  const text = (column: string): string => textOf(row[column] ?? null);
  if (table.parent !== 'none') return { namespace: text(mountNamespace), mount: text(mountPath) };
  if (table.name === 'namespace') return { namespace: text('path') };
  if (table.name === 'mount') return { namespace: text('namespace'), mount: text('path') };
  return { namespace: table.name === 'policy' ? text('namespace') : '' };
}

function textOf(value: Column): string {
  return typeof value === 'string' ? value : '';
}

/** Sorts by key; the joins are written in the order in which SQLite should run them. */
function rowsQuery(build: SecretsStore['build'], table: ReplicatedTable): CompiledQuery<Row> {
  const columns = sql.join(columnsOf(table).map((column) => sql.ref(`${table.name}.${column}`)));
  const order = sql.join(table.key.map((column) => sql.ref(`${table.name}.${column}`)));
  const parents = sql`mount.uuid AS ${sql.ref(mountUuid)}, mount.namespace AS ${sql.ref(mountNamespace)},
    mount.path AS ${sql.ref(mountPath)}`;
  const from = sql.table(table.name);
  if (table.parent === 'none') {
    const where = table.name === 'mount' ? sql`WHERE ${isReplicatedMount}` : sql``;
    return sql<Row>`SELECT ${columns} FROM ${from} ${where} ORDER BY ${order}`.compile(build);
  }
  if (table.parent === 'mount') {
    const ordered = table.key.length === 0 ? sql`mount.uuid` : sql`mount.uuid, ${order}`;
    return sql<Row>`SELECT ${columns}, ${parents} FROM mount CROSS JOIN ${from}
      WHERE ${sql.ref(`${table.name}.mount_id`)} = mount.id AND ${isReplicatedMount} ORDER BY ${ordered}`.compile(
      build,
    );
  }
  return sql<Row>`SELECT ${columns}, ${parents}, kv_key.path AS ${sql.ref(keyPath)}
    FROM mount CROSS JOIN kv_key CROSS JOIN ${from}
    WHERE kv_key.mount_id = mount.id AND ${sql.ref(`${table.name}.key_id`)} = kv_key.id AND ${isReplicatedMount}
    ORDER BY mount.uuid, kv_key.path, ${order}`.compile(build);
}
