import { withParameters } from '@gatehouse/service-kit/store';
import type { Reader, Store, Writer } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { listTokenLifetime } from '../domain/list-token.ts';
import type { Schema } from './schema.ts';

/** The number of the last change in all paged collections. */
export function lastChange(reader: Reader<Schema>): number {
  return reader.get(statements(reader).last)?.value ?? 0;
}

export function nextChange(tx: Writer<Schema>): number {
  countChanges(tx, 1);
  return lastChange(tx);
}

/** Counts changes whose numbers the caller has already assigned, after the last one. */
export function countChanges(tx: Writer<Schema>, count: number): void {
  tx.run(withParameters(statements(tx).count, count));
}

const oldMarks = 'FROM removed_item WHERE removed_time < ?1 ORDER BY removed_time';

const built = new WeakMap<Kysely<Schema>, ReturnType<typeof buildStatements>>();

function statements({ build }: Reader<Schema>): ReturnType<typeof buildStatements> {
  let known = built.get(build);
  if (known === undefined) {
    known = buildStatements(build);
    built.set(build, known);
  }
  return known;
}

function buildStatements(build: Kysely<Schema>) {
  return {
    last: build.selectFrom('change_counter').select('value').compile(),
    count: build
      .updateTable('change_counter')
      .set((set) => ({ value: set('value', '+', 0) }))
      .compile(),
    containers: sql
      .raw<{ container_id: string }>(
        'SELECT DISTINCT container_id FROM removed_item WHERE kind = ? AND change > ?',
      )
      .compile(build),
    unreported: sql
      .raw(
        `DELETE FROM removed_item WHERE id IN (
           SELECT id FROM removed_item
           WHERE kind = ?1 AND container_id = ?2 AND change < (
             SELECT change FROM removed_item WHERE kind = ?1 AND container_id = ?2
             ORDER BY change DESC LIMIT 1 OFFSET ${mostRemoved}
           )
           ORDER BY change LIMIT ?3
         )`,
      )
      .compile(build),
    anyOld: sql.raw(`SELECT id ${oldMarks} LIMIT 1`).compile(build),
    old: sql
      .raw(`DELETE FROM removed_item WHERE id IN (SELECT id ${oldMarks} LIMIT ${mostForgotten})`)
      .compile(build),
  };
}

/** Most removed items that a refresh reports; a client that is further behind must list again. */
export const mostRemoved = 10_000;

/**
 * Deletes the oldest marks of removals after the last `count` were added, at change `first`, where a container has more
 * marks than a refresh reports. One more than those is kept, so that a client further behind is noticed.
 */
export function forgetUnreported(tx: Writer<Schema>, kind: string, first: number, count: number): void {
  const { containers, unreported } = statements(tx);
  for (const { container_id } of tx.all(withParameters(containers, kind, first)))
    tx.run(withParameters(unreported, kind, container_id, 2 * count));
}

/** Most old marks that one call deletes. */
const mostForgotten = 2_000;

/** Deletes marks of removals that are older than any valid list token, many at once but not all. */
export async function forgetOldMarks(store: Store<Schema>, now: number): Promise<void> {
  const { anyOld, old } = statements(store);
  const before = now - listTokenLifetime;
  if (store.get(withParameters(anyOld, before)) === undefined) return;
  await store.write((tx) => tx.run(withParameters(old, before)));
}
