import { sql, type CompiledQuery, type Kysely, type RawBuilder } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * What the console keeps, behind small asynchronous calls, so that SQLite and PostgreSQL are the same to it.
 * A batch is the only transaction: its conditions are in its statements, and no network is waited for inside.
 */
export interface Database {
  /** Builds queries (`build.selectFrom(…).compile()`); it cannot run them itself. */
  readonly build: Kysely<Schema>;
  /** How long, in milliseconds, what was read may be taken for true: 0 where reading costs next to nothing. */
  readonly freshForMs: number;
  all<Row>(query: CompiledQuery<Row>): Promise<Row[]>;
  /** The first row, or undefined. */
  get<Row>(query: CompiledQuery<Row>): Promise<Row | undefined>;
  /** Runs one statement durably; answers how many rows it changed. */
  run(query: CompiledQuery): Promise<number>;
  /** Runs statements in order in one transaction: all of them, or none. Answers how many rows each changed. */
  batch(queries: readonly CompiledQuery[]): Promise<readonly number[]>;
  healthy(): Promise<boolean>;
  close(): Promise<void>;
}

/** A whole number as a parameter whose type PostgreSQL cannot guess from its place. */
export function bigint(value: number): RawBuilder<number> {
  return sql<number>`cast(${value} as bigint)`;
}
