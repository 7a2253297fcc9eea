import type { Clock } from '@gatehouse/service-kit/clock';
import { withParameters } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { CompiledQuery, Selectable } from 'kysely';
import type { Barrier } from '../../barrier.ts';
import type { SecretsStore, SecretsWriter } from '../../database.ts';
import type { MountTable } from '../../schema.ts';
import type { SealedBytes, SealedChange, SealedValue } from '../log/entry-codec.ts';
import type { Change, Value } from '../replication-store.ts';
import { parentColumn, replicatedTables, tableOf } from '../tables.ts';
import type { Column, ReplicatedTable, Row } from '../tables.ts';
import { asidePath } from './mount-places.ts';
import { clearRemains } from './namespace-remains.ts';

/** Writes replicated records to this store. */
export type Applier = ReturnType<typeof applierOf>;

type MountRow = Pick<Selectable<MountTable>, 'id' | 'uuid' | 'namespace' | 'path' | 'local'>;

interface Statements {
  readonly put: CompiledQuery<{ readonly id: number }>;
  readonly remove: CompiledQuery;
}

/** Prepares the statements that write and remove records. */
export function applierOf(
  { build }: Pick<SecretsStore, 'build'>,
  barrier: Barrier,
  clock: Pick<Clock, 'now'>,
) {
  const statements = new Map(replicatedTables.map((table) => [table.name, statementsOf(build, table)]));
  const mountQuery = build
    .selectFrom('mount')
    .select(['id', 'uuid', 'namespace', 'path', 'local'])
    .where('uuid', '=', '')
    .where('local', '=', 0)
    .where('retired', '=', 0)
    .compile();
  const keyQuery = build
    .selectFrom('kv_key')
    .select('id')
    .where('mount_id', '=', 0)
    .where('path', '=', '')
    .compile();
  /** Finds a mount at a path whose UUID is different. */
  const thereQuery = sql<MountRow>`SELECT id, uuid, namespace, path, local FROM mount
    WHERE namespace = ${''} AND path = ${''} AND uuid IS NOT ${null}`.compile(build);
  const pruneQuery = build
    .deleteFrom('kv_version')
    .where('key_id', '=', 0)
    .where('version', '<', 0)
    .compile();
  const notesQuery = sql`UPDATE kv_key SET custom_metadata = ${null} WHERE id = ${0}`.compile(build);

  const findMount = (tx: SecretsWriter, uuid: Value): MountRow | undefined =>
    tx.get(withParameters(mountQuery, uuid, 0, 0));
  const mountId = (tx: SecretsWriter, uuid: Value): number | undefined => findMount(tx, uuid)?.id;
  const parentId = (tx: SecretsWriter, table: ReplicatedTable, key: readonly Value[]): number | undefined => {
    const mount = mountId(tx, key[0] ?? null);
    if (table.parent === 'mount' || mount === undefined) return mount;
    return tx.get(withParameters(keyQuery, mount, key[1] ?? null))?.id;
  };
  const seal = (table: ReplicatedTable, row: Row, values: readonly Value[]): (Value | SealedBytes)[] =>
    values.map((value, index) => {
      if (!(value instanceof Uint8Array) || table.sealed === undefined) return value;
      if (table.values[index] !== table.sealed.column) return value;
      const place = table.sealed.place(row);
      return { sealed: barrier.seal(value, place), place };
    });

  const put = (
    tx: SecretsWriter,
    table: ReplicatedTable,
    parent: number | undefined,
    key: readonly Value[],
    values: readonly Value[],
  ): readonly (Value | SealedValue)[] => {
    const own = key.slice(key.length - table.key.length);
    const ids = parent === undefined ? [] : [parent];
    const row: Record<string, Column> = {};
    const parentName = parentColumn(table);
    if (parentName !== undefined && parent !== undefined) row[parentName] = parent;
    for (const [index, name] of table.key.entries()) row[name] = own[index] ?? null;
    const put = statements.get(table.name)?.put;
    if (put === undefined) throw new Error(`${table.name} is not replicated`);
    if (table.name !== 'kv_key') {
      const sealed = seal(table, row, values);
      const plain = sealed.map(bytesOf);
      tx.run(withParameters(put, ...ids, ...own, ...plain, ...plain));
      return table.sealed?.stays === true ? sealed.map((value) => inItsRow(row, value)) : sealed;
    }
    // The custom metadata is bound to the key's number, which a new key gets only when it is inserted.
    const open = values.map((value) => (value instanceof Uint8Array ? null : value));
    const id = tx.get(withParameters(put, ...ids, ...own, ...open, ...open))?.id ?? 0;
    // Old versions are pruned by the key's oldest version; they have no changes of their own.
    tx.run(withParameters(pruneQuery, id, values[table.values.indexOf('oldest_version')] ?? 0));
    const sealed = seal(table, { ...row, id }, values);
    const notes = sealed.at(-1) ?? null;
    if (notes !== null) tx.run(withParameters(notesQuery, bytesOf(notes), id));
    return sealed;
  };

  /** Retires a mount, which frees its path. Housekeeping ends its leases, and then removes it in several writes. */
  const removeMount = (tx: SecretsWriter, mount: MountRow): void => {
    const aside = { retired: 1, path: asidePath(mount) };
    tx.run(build.updateTable('mount').set(aside).where('id', '=', mount.id).compile());
  };

  const apply = (tx: SecretsWriter, { table: name, key, values }: Change): SealedChange | undefined => {
    const table = tableOf.get(name);
    if (table === undefined)
      throw new Error(`"${name}" is not replicated here: this server is older than its primary`);
    if (name === 'mount') {
      if (values === null) {
        const mount = findMount(tx, key[0] ?? null);
        if (mount !== undefined) removeMount(tx, mount);
      } else {
        makeRoom(tx, key, values);
        put(tx, table, undefined, key, values);
      }
      return { table: name, key, values };
    }
    if (name === 'namespace') clearRemains(tx, key[0] ?? null, values, (mount) => removeMount(tx, mount));
    const parent = table.parent === 'none' ? undefined : parentId(tx, table, key);
    if (table.parent !== 'none' && parent === undefined) return undefined;
    if (values !== null) return { table: name, key, values: put(tx, table, parent, key, values) };
    const own = key.slice(key.length - table.key.length);
    const remove = statements.get(name)?.remove;
    if (remove !== undefined)
      tx.run(withParameters(remove, ...(parent === undefined ? [] : [parent]), ...own));
    return { table: name, key, values: null };
  };

  /** Renames a local mount at the path of a replicated one. */
  const makeRoom = (tx: SecretsWriter, key: readonly Value[], values: readonly Value[]): void => {
    const [namespace = null, path = null] = values;
    const there = tx.get(withParameters(thereQuery, namespace, path, key[0] ?? null));
    if (there === undefined) return;
    const isLocal = there.local === 1;
    // If two replicated mounts have swapped paths, the other mount's new path follows.
    const set = { path: isLocal ? freePath(tx, there) : asidePath(there) };
    tx.run(build.updateTable('mount').set(set).where('id', '=', there.id).compile());
    if (!isLocal) return;
    const given = { mount_id: there.id, path: there.path, time: clock.now() };
    tx.run(build.insertInto('mount_rename').orReplace().values(given).compile());
  };
  /** Finds an unused path similar to a mount's. */
  const freePath = (tx: SecretsWriter, mount: MountRow): string => {
    for (let number = mount.id; ; number += 1) {
      const path = `${mount.path.slice(0, -1)}-local-${number}/`;
      if (tx.get(withParameters(thereQuery, mount.namespace, path, null)) === undefined) return path;
    }
  };

  return {
    /** Writes or removes a record. Returns the change as stored here; undefined if the parent does not exist here. */
    apply,
    /** This store's number of a replicated mount. */
    mountId,
    /** This store's number of a record's mount or key; undefined if the parent does not exist here. */
    parentId,
  };
}

function bytesOf(value: Value | SealedBytes): Value {
  return typeof value === 'object' && value !== null && 'place' in value ? value.sealed : value;
}

function statementsOf(build: SecretsStore['build'], table: ReplicatedTable): Statements {
  const parent = parentColumn(table);
  const names = [...(parent === undefined ? [] : [parent]), ...table.key];
  const all = [...names, ...table.values];
  const list = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));
  const replaced = table.values.map((column) => sql`${sql.ref(column)} = ${''}`);
  // The primary may restore a mount that was retired here.
  const set = sql.join(table.name === 'mount' ? [...replaced, sql`retired = 0`] : replaced);
  const where = sql.join(
    names.map((column) => sql`${sql.ref(column)} = ${''}`),
    sql` AND `,
  );
  return {
    // The values occur twice: for the insert and for the update.
    put: sql<{ id: number }>`INSERT INTO ${sql.table(table.name)} (${list(all)})
      VALUES (${sql.join(all.map(() => ''))})
      ON CONFLICT (${list(names)}) DO UPDATE SET ${set}
      RETURNING ${table.numbered === true ? sql.ref('id') : sql`0 AS id`}`.compile(build),
    remove: sql`DELETE FROM ${sql.table(table.name)} WHERE ${where}`.compile(build),
  };
}

/** Replaces a sealed value by a reference to its row. */
function inItsRow(row: Row, value: Value | SealedBytes): Value | SealedValue {
  const isBytes = typeof value === 'object' && value !== null && 'place' in value;
  return isBytes ? { keyId: Number(row['key_id']), version: Number(row['version']), size: 0 } : value;
}
