import { withParameters } from '@gatehouse/service-kit/store';
import type { Store } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { Within } from '../domain/resource.ts';
import { lastChange, mostRemoved } from './changes.ts';
import { linkCounts } from './links.ts';
import type { Link } from './links.ts';
import type { Schema } from './schema.ts';

/** Where a page begins: after this item, newest first. */
export interface AfterItem {
  readonly createdTime: number;
  readonly id: string;
}

/** An item and the number of its last change. */
export interface ChangedItem<Item> {
  readonly item: Item;
  readonly change: number;
}

/** Items read at once. */
export interface Batch<Item> {
  readonly items: readonly Item[];
  /** Whether the batch ends before the limit because its items have many links. */
  readonly isFull: boolean;
}

/** Most links of the items in a batch: hosts of sets, or sources of targets. */
const mostLinks = 10_000;

/** Records of one kind, for pages. */
export interface Pages<Item> {
  /** Up to `limit` items, newest first. */
  page(within: Within, after: AfterItem | undefined, limit: number): Batch<Item>;
  count(within: Within): number;
}

/** Records of one kind whose changes are numbered, for pages and refreshes. */
export interface Listing<Item> extends Pages<Item> {
  /** Up to `limit` items changed after `since` and before `before`, last change first. */
  changedPage(within: Within, since: number, before: number, limit: number): Batch<ChangedItem<Item>>;
  /** IDs of the items removed after change `since`; undefined if there are too many. */
  removedSince(within: Within, since: number): string[] | undefined;
  /** The number of the last change in all paged collections. */
  lastChange(): number;
}

/** An SQL condition with the values of its placeholders. */
export interface Condition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export interface ListedTable<Row, Item> {
  readonly table: string;
  /** The column with the ID of an item's direct container, or an SQL literal if all items are in the same one. */
  readonly container: string;
  /** The only user whose items are listed. */
  readonly userId?: string;
  /** A condition for pages and counts. A refresh reads the other items too, to report that they have left. */
  readonly shown?: Condition;
  toItems(rows: readonly Row[]): Item[];
  /** The linked records that items name. */
  readonly links?: readonly Link[];
}

/** Lists a table with the columns `id`, `created_time` and, for refreshes, `change`. */
export function listingOf<Row extends { readonly id: string; readonly change?: number }, Item>(
  store: Store<Schema>,
  listed: ListedTable<Row, Item>,
): Listing<Item> {
  const { table } = listed;
  const everything: Condition = { sql: '1', parameters: [] };
  const { userId, shown = everything } = listed;
  /** @param byContainer whether an index of the container's items may be used, which reads all of them or a page */
  const those = (within: Within, byContainer: boolean): Condition => {
    const owned = { sql: 'user_id = ?', parameters: [userId] };
    // A user has few items in comparison with a container.
    return userId === undefined
      ? inside(byContainer ? listed.container : `+${listed.container}`, within)
      : allOf(owned, inside(`+${listed.container}`, within));
  };
  const query = <Answer>(text: string, parameters: readonly unknown[]) =>
    withParameters(sql.raw<Answer>(text).compile(store.build), ...parameters);

  /** As many rows as stay within `mostLinks` together, at least one. */
  const bounded = (rows: readonly Row[]): readonly Row[] => {
    const ids = rows.map(({ id }) => id);
    const counts = (listed.links ?? []).map((link) => linkCounts(store, link, ids));
    let left = mostLinks;
    const end = rows.findIndex(({ id }, at) => {
      for (const countOf of counts) left -= countOf(id);
      return left < 0 && at > 0;
    });
    return end === -1 ? rows : rows.slice(0, end);
  };

  return {
    page(within, after, limit) {
      const start: Condition =
        after === undefined
          ? everything
          : { sql: '(created_time, id) < (?, ?)', parameters: [after.createdTime, after.id] };
      const conditions = allOf(those(within, true), shown, start);
      const found = store.all(
        query<Row>(
          `SELECT * FROM ${table} WHERE ${conditions.sql} ORDER BY created_time DESC, id DESC LIMIT ?`,
          [...conditions.parameters, limit],
        ),
      );
      const rows = bounded(found);
      return { items: listed.toItems(rows), isFull: rows.length < found.length };
    },

    changedPage(within, since, before, limit) {
      const conditions = those(within, false);
      const found = store.all(
        query<Row>(
          `SELECT * FROM ${table} WHERE ${conditions.sql} AND change > ? AND change < ? ORDER BY change DESC LIMIT ?`,
          [...conditions.parameters, since, before, limit],
        ),
      );
      const rows = bounded(found);
      const items = listed.toItems(rows).flatMap((item, at) => {
        const row = rows[at];
        return row?.change === undefined ? [] : [{ item, change: row.change }];
      });
      return { items, isFull: rows.length < found.length };
    },

    removedSince(within, since) {
      const all = store.build
        .selectFrom('removed_item')
        .select(['id', 'user_id'])
        .where('kind', '=', table)
        .where('change', '>', since)
        .orderBy('change')
        .limit(mostRemoved + 1);
      // The scopes of removed items may be gone too, so an organization's refresh reports all marks, including those
      // of other scopes.
      const marks = within !== 'all' && 'in' in within ? all.where('container_id', '=', within.in) : all;
      const removed = store.all(marks.compile());
      if (removed.length > mostRemoved) return undefined;
      const known =
        userId === undefined ? removed : removed.filter((row) => ['', userId].includes(row.user_id));
      return known.map((row) => row.id);
    },

    count(within) {
      const conditions = allOf(those(within, true), shown);
      // By the index of pages, because the shortest one, which SQLite would choose, also has items that aren't shown.
      const order = listed.shown === undefined ? '' : 'ORDER BY created_time DESC, id DESC LIMIT -1';
      const counted = query<{ n: number }>(
        `SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE ${conditions.sql} ${order})`,
        conditions.parameters,
      );
      return store.get(counted)?.n ?? 0;
    },

    lastChange: () => lastChange(store),
  };
}

function inside(column: string, within: Within): Condition {
  if (within === 'all') return { sql: '1', parameters: [] };
  if ('in' in within) return { sql: `${column} = ?`, parameters: [within.in] };
  return { sql: `${column} IN (SELECT id FROM scope WHERE parent_id = ?)`, parameters: [within.org] };
}

function allOf(...conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map((condition) => condition.sql).join(' AND '),
    parameters: conditions.flatMap((condition) => condition.parameters),
  };
}
