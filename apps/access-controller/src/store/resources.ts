import { isUniqueViolation, withParameters, writeInParts } from '@gatehouse/service-kit/store';
import type { Reader, Store, Writer } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { CompiledQuery } from 'kysely';
import { Refusal, notFound } from '../domain/refusal.ts';
import type { Resource, Versioned } from '../domain/resource.ts';
import { countChanges, forgetUnreported, lastChange, nextChange } from './changes.ts';
import type { Link } from './links.ts';
import { listingOf } from './listing.ts';
import type { Listing } from './listing.ts';
import type { HostCatalogTable, Schema } from './schema.ts';

export interface ResourceStore<Item> extends Listing<Item> {
  get(id: string): Item | undefined;
  /** Stores a new item. @throws Refusal `duplicate name`, `not found` if its container is gone */
  insert(item: Item): Promise<Item>;
  /**
   * Replaces an item by the result of `change`, if `version` is the current one. If the result is the item itself,
   * nothing is written and the version stays.
   * @throws Refusal `not found or stale`, `duplicate name`, and the errors of `change`
   */
  change(id: string, version: number, change: (current: Item) => Item): Promise<Item>;
  /**
   * Deletes an item and everything in it, in several writes if that is much; after an interruption, the item is still
   * there. @throws Refusal `not found`
   */
  remove(id: string, now: number): Promise<void>;
}

/** The common columns of all resources. */
interface ResourceRow {
  readonly id: string;
  readonly version: number;
  readonly change: number;
}

/** The columns of a record in a project. */
export function commonRow(item: Resource & { readonly projectId: string }, change: number): HostCatalogTable {
  return {
    id: item.id,
    project_id: item.projectId,
    name: item.name,
    description: item.description,
    created_time: item.createdTime,
    updated_time: item.updatedTime,
    version: item.version,
    change,
  };
}

/** The fields of a record in a project. */
export function commonFields(row: HostCatalogTable) {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    description: row.description,
    createdTime: row.created_time,
    updatedTime: row.updated_time,
    version: row.version,
  };
}

/** An item. Its name, if any, is unique in its container. */
type Storable = Versioned & { readonly name?: string };

export interface ResourceTable<Row extends ResourceRow, Item extends Storable> {
  readonly table:
    | 'target'
    | 'host_catalog'
    | 'host_set'
    | 'host'
    | 'credential_store'
    | 'credential'
    | 'credential_library'
    | 'session';
  /** The subject of messages, such as `Host set`. */
  readonly what: string;
  /** The kind of direct container: the column with its ID, and its name in messages. */
  readonly container: {
    readonly table: 'scope' | 'host_catalog' | 'credential_store';
    readonly column: string;
    readonly what: string;
    idOf(item: Item): string;
  };
  /** Whether only an item's user, in the column `user_id`, and users with the right to all items may know it exists. */
  readonly ofUser?: true;
  /** What is in the items, in the order in which it is deleted with them. */
  readonly inside?: readonly AnyTable[];
  toRow(item: Item, change: number): Row;
  toItems(reader: Reader<Schema>, rows: readonly Row[]): Item[];
  /** The linked records that items name. */
  readonly links?: readonly Link[];
  /** Writes the parts of an item outside its row, in the same transaction. */
  saveParts?(tx: Writer<Schema>, item: Item, before: Item | undefined): void;
  /** Does what takes several writes before an item is deleted. */
  beforeRemoval?(store: Store<Schema>, id: string, now: number): Promise<void>;
  /** Deletes the parts of items outside their rows, and all references to the items, in the same transaction. */
  removeParts?(tx: Writer<Schema>, ids: readonly string[], now: number): void;
}

/** A table of any kind. */
export type AnyTable = ResourceTable<ResourceRow, Storable>;

export function resourceStore<Row extends ResourceRow, Item extends Storable>(
  store: Store<Schema>,
  kind: ResourceTable<Row, Item>,
): ResourceStore<Item> {
  const selectById = rowById<Row>(store, kind.table);
  return {
    ...listingOf<Row, Item>(store, {
      table: kind.table,
      container: kind.container.column,
      toItems: (rows) => kind.toItems(store, rows),
      ...(kind.links !== undefined && { links: kind.links }),
    }),

    get(id) {
      const row = store.get(withParameters(selectById, id));
      return row === undefined ? undefined : kind.toItems(store, [row])[0];
    },

    async insert(item) {
      await store.write((tx) => insertResources(tx, kind, kind.container.idOf(item), [item]));
      return item;
    },

    async change(id, version, change) {
      const { item } = await store.write((tx) => ({ item: changeResource(tx, kind, id, version, change) }));
      return item;
    },

    async remove(id, now) {
      for (const part of kind.inside ?? []) await removeAllIn(store, part, id, now);
      await kind.beforeRemoval?.(store, id, now);
      await store.write((tx) => {
        if (removeResources(tx, kind, [id], now) === 0) throw notFound();
      });
    },
  };
}

/** Deletes all items of a container, with everything in them, in several writes if that is much. */
export async function removeAllIn(
  store: Store<Schema>,
  kind: AnyTable,
  containerId: string,
  now: number,
): Promise<void> {
  const { inside = [] } = kind;
  for (const id of inside.length === 0 ? [] : idsIn(store, kind, containerId))
    for (const part of inside) await removeAllIn(store, part, id, now);
  // Reads first, because an unnecessary write would wait for the disk.
  if (idsIn(store, kind, containerId, 1).length === 0) return;
  await writeInParts(store, (tx, isOver) => {
    // A host set that thousands of targets use takes as long as thousands of hosts. A few at once change a target once.
    for (let count = 3; !isOver(); count *= 2) {
      const ids = idsIn(tx, kind, containerId, count);
      if (ids.length === 0) return true;
      removeResources(tx, kind, ids, now);
    }
    return false;
  });
}

/** Reads an item in the caller's transaction. */
export function findResource<Row extends ResourceRow, Item extends Storable>(
  reader: Reader<Schema>,
  kind: ResourceTable<Row, Item>,
  id: string,
): Item | undefined {
  const row = reader.get(withParameters(rowById<Row>(reader, kind.table), id));
  return row === undefined ? undefined : kind.toItems(reader, [row])[0];
}

/**
 * Inserts items of one container in the caller's transaction.
 * @throws Refusal `duplicate name`, `not found` if the container is gone
 */
export function insertResources<Row extends ResourceRow, Item extends Storable>(
  tx: Writer<Schema>,
  kind: ResourceTable<Row, Item>,
  containerId: string,
  items: Iterable<Item>,
): void {
  if (tx.get(withParameters(rowById(tx, kind.container.table), containerId)) === undefined) throw notFound();
  let insert: CompiledQuery | undefined;
  for (const item of items) {
    const row = kind.toRow(item, nextChange(tx));
    insert ??= sql
      .raw(`INSERT INTO ${kind.table} (${columns(row).join(', ')}) VALUES (${marks(row)})`)
      .compile(tx.build);
    const statement = withParameters(insert, ...Object.values(row));
    unlessNameTaken(
      () => tx.run(statement),
      () => takenIn(kind, item.name),
    );
    kind.saveParts?.(tx, item, undefined);
  }
}

/**
 * Replaces an item in the caller's transaction.
 * @throws Refusal `not found or stale`, `duplicate name`, and the errors of `change`
 */
export function changeResource<Row extends ResourceRow, Item extends Storable>(
  tx: Writer<Schema>,
  kind: ResourceTable<Row, Item>,
  id: string,
  version: number,
  change: (current: Item) => Item,
): Item {
  const current = findResource(tx, kind, id);
  if (current === undefined || current.version !== version) {
    throw new Refusal('not found or stale', `${kind.what} "${id}" not found or incorrect version provided.`);
  }
  const changed = change(current);
  if (changed === current) return current;
  const item = { ...changed, version: version + 1 };
  const row = kind.toRow(item, nextChange(tx));
  const assignments = columns(row).map((column) => `${column} = ?`);
  const update = sql.raw(`UPDATE ${kind.table} SET ${assignments.join(', ')} WHERE id = ?`).compile(tx.build);
  unlessNameTaken(
    () => tx.run(withParameters(update, ...Object.values(row), id)),
    () => takenIn(kind, item.name),
  );
  kind.saveParts?.(tx, item, current);
  return item;
}

/**
 * Deletes items in the caller's transaction, and records the removals for list refreshes.
 * @returns the number of deleted items
 */
export function removeResources<Row extends ResourceRow, Item extends Storable>(
  tx: Writer<Schema>,
  kind: ResourceTable<Row, Item>,
  ids: readonly string[],
  now: number,
): number {
  for (const part of kind.inside ?? []) {
    removeResources(
      tx,
      part,
      ids.flatMap((id) => idsIn(tx, part, id)),
      now,
    );
  }
  kind.removeParts?.(tx, ids, now);
  const { table, container, ofUser } = kind;
  const which = `id IN (SELECT value FROM json_each(?1))`;
  const list = JSON.stringify(ids);
  const mark = sql
    .raw(
      `INSERT INTO removed_item (id, kind, container_id, change, removed_time, user_id)
       SELECT id, '${table}', ${container.column}, ?2 + row_number() OVER (), ?3, ${ofUser ? 'user_id' : "''"}
       FROM ${table} WHERE ${which}`,
    )
    .compile(tx.build);
  const first = lastChange(tx);
  const removed = tx.run(withParameters(mark, list, first, now));
  countChanges(tx, removed);
  tx.run(withParameters(sql.raw(`DELETE FROM ${table} WHERE ${which}`).compile(tx.build), list));
  forgetUnreported(tx, table, first, removed);
  return removed;
}

/** The IDs of at most `count` items directly in a container; all unless given. */
export function idsIn(
  tx: Reader<Schema>,
  { table, container }: AnyTable,
  containerId: string,
  count = -1,
): string[] {
  const ids = sql
    .raw<{ id: string }>(`SELECT id FROM ${table} WHERE ${container.column} = ? LIMIT ?`)
    .compile(tx.build);
  return tx.all(withParameters(ids, containerId, count)).map((row) => row.id);
}

/**
 * Marks items as changed in refreshed listings because a linked record has changed.
 * @param bumped if given, the items get a new version, and this as their updated time
 */
export function touch(
  tx: Writer<Schema>,
  table: AnyTable['table'],
  ids: readonly string[],
  bumped?: number,
): void {
  const change = sql
    .raw(
      `UPDATE ${table} SET change = ?2 + numbered.number
         ${bumped === undefined ? '' : ', version = version + 1, updated_time = ?3'}
       FROM (SELECT value AS id, key + 1 AS number FROM json_each(?1)) AS numbered
       WHERE ${table}.id = numbered.id`,
    )
    .compile(tx.build);
  const parameters = [JSON.stringify(ids), lastChange(tx), ...(bumped === undefined ? [] : [bumped])];
  tx.run(withParameters(change, ...parameters));
  countChanges(tx, ids.length);
}

function rowById<Row>(reader: Reader<Schema>, table: string): CompiledQuery<Row> {
  return sql.raw<Row>(`SELECT * FROM ${table} WHERE id = ?`).compile(reader.build);
}

function columns(row: object): string[] {
  return Object.keys(row);
}

function marks(row: object): string {
  return columns(row)
    .map(() => '?')
    .join(', ');
}

/** Runs a write. @param taken what to say if the name is taken @throws Refusal `duplicate name` */
export function unlessNameTaken(statement: () => number, taken: () => string): void {
  try {
    statement();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new Refusal(
      'duplicate name',
      'Invalid request.  Request attempted to make second resource with the same field value that must be unique.',
      [{ name: 'name', description: taken() }],
    );
  }
}

function takenIn<Row extends ResourceRow, Item extends Storable>(
  { what, container }: ResourceTable<Row, Item>,
  name = '',
): string {
  return `The ${container.what} has a ${what.toLowerCase()} named ${JSON.stringify(name)} already.`;
}
