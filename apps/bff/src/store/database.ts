import { sql, type CompiledQuery, type Kysely, type RawBuilder } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * What the console keeps, behind small asynchronous calls, so that SQLite and PostgreSQL are the same to it.
 * A batch is the only transaction: its conditions are in its statements, and no network is waited for inside.
 */
export interface Database {
  /** Builds queries (`build.selectFrom(…).compile()`); it cannot run them itself. */
  readonly build: Kysely<Schema>;
  /** Whether other processes may use it at the same time. */
  readonly shared: boolean;
  /** How long, in milliseconds, what was read may be taken for true, unless this process changed it. */
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

/** A query that runs with every request: compiled once, for values that take the place of its parameters in order. */
export function reusable<Row>(
  query: CompiledQuery<Row>,
): (...parameters: readonly unknown[]) => CompiledQuery<Row> {
  return (...parameters) => ({ ...query, parameters });
}
