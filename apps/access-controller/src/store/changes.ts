import { withParameters } from '@gatehouse/service-kit/store';
import type { Reader, Writer } from '@gatehouse/service-kit/store';
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
  };
}

/** Deletes marks of removals that are older than any valid list token. */
export function forgetOldMarks(tx: Writer<Schema>, now: number): void {
  tx.run(
    tx.build
      .deleteFrom('removed_item')
      .where('removed_time', '<', now - listTokenLifetime)
      .compile(),
  );
}
