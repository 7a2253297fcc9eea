import { withParameters } from '@gatehouse/service-kit/store';
import type { Reader, Writer } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { Schema } from './schema.ts';

type LinkTable = 'host_set_member' | 'target_host_source' | 'target_credential_source';

/** A table of links from records of one kind to records of another, one row per pair, read in one direction. */
export interface Link {
  readonly table: LinkTable;
  readonly from: string;
  readonly to: string;
}

/**
 * Reads what each of `ids` is linked to, in one query.
 * @returns a function from an ID to its sorted list, empty without links
 */
export function linkedIds(
  reader: Reader<Schema>,
  { table, from, to }: Link,
  ids: readonly string[],
): (id: string) => readonly string[] {
  const links = sql
    .raw<{ from_id: string; to_id: string }>(
      `SELECT ${from} AS from_id, ${to} AS to_id FROM ${table}
       WHERE ${from} IN (SELECT value FROM json_each(?)) ORDER BY ${to}`,
    )
    .compile(reader.build);
  const lists = new Map<string, string[]>();
  for (const { from_id, to_id } of reader.all(withParameters(links, JSON.stringify(ids)))) {
    const list = lists.get(from_id);
    if (list === undefined) lists.set(from_id, [to_id]);
    else list.push(to_id);
  }
  return (id) => lists.get(id) ?? [];
}

/** Counts the links of each of `ids`, in one query. @returns a function from an ID to its number of links */
export function linkCounts(
  reader: Reader<Schema>,
  { table, from }: Pick<Link, 'table' | 'from'>,
  ids: readonly string[],
): (id: string) => number {
  const links = sql
    .raw<{ id: string; n: number }>(
      `SELECT ${from} AS id, count(*) AS n FROM ${table}
       WHERE ${from} IN (SELECT value FROM json_each(?)) GROUP BY ${from}`,
    )
    .compile(reader.build);
  const counts = new Map(reader.all(withParameters(links, JSON.stringify(ids))).map(({ id, n }) => [id, n]));
  return (id) => counts.get(id) ?? 0;
}

/** All records that any of `ids` is linked to, each once, sorted. */
export function allLinkedIds(
  reader: Reader<Schema>,
  { table, from, to }: Link,
  ids: readonly string[],
): string[] {
  const links = sql
    .raw<{ to_id: string }>(
      `SELECT DISTINCT ${to} AS to_id FROM ${table} WHERE ${from} IN (SELECT value FROM json_each(?)) ORDER BY ${to}`,
    )
    .compile(reader.build);
  return reader.all(withParameters(links, JSON.stringify(ids))).map((row) => row.to_id);
}

export function removeLinks(
  tx: Writer<Schema>,
  { table, from }: Pick<Link, 'table' | 'from'>,
  ids: readonly string[],
): void {
  const remove = sql
    .raw(`DELETE FROM ${table} WHERE ${from} IN (SELECT value FROM json_each(?))`)
    .compile(tx.build);
  tx.run(withParameters(remove, JSON.stringify(ids)));
}
