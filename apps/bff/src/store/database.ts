import type { Clock } from '@gatehouse/service-kit/clock';
import { sql, type CompiledQuery, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * The console's database behind asynchronous calls, so that SQLite and PostgreSQL are used alike. A batch is the only
 * transaction. Its conditions are in its statements, and it never waits for the network.
 */
export interface Database {
  /** Builds queries (`build.selectFrom(…).compile()`), but can't run them. */
  readonly build: Kysely<Schema>;
  /** Whether other processes may use the database at the same time. */
  readonly shared: boolean;
  /**
   * The time by which processes that share the database judge each other's leases, in milliseconds since the epoch: the
   * database's own when it runs the statement, because the clocks of the processes may differ, or stand still.
   * @param later milliseconds to add
   */
  leaseTime(clock: Clock, later?: number): RawBuilder<number>;
  /**
   * Whether a text contains a part, compared as they are. Unlike LIKE, this takes no longer for parts that nearly match
   * at each position.
   */
  readonly contains: (text: RawBuilder<string>, part: string) => RawBuilder<SqlBool>;
  /** How long a read may be reused, in milliseconds, unless this process has changed the data. */
  readonly freshForMs: number;
  all<Row>(query: CompiledQuery<Row>): Promise<Row[]>;
  /** The first row, or undefined. */
  get<Row>(query: CompiledQuery<Row>): Promise<Row | undefined>;
  /** Runs one statement durably. Resolves to the number of changed rows. */
  run(query: CompiledQuery): Promise<number>;
  /** Runs statements in order in one transaction: all or none. Resolves to the number of changed rows of each. */
  batch(queries: readonly CompiledQuery[]): Promise<readonly number[]>;
  /** Whether the database answers and can be written. */
  healthy(): Promise<boolean>;
  close(): Promise<void>;
}

/** An integer parameter, for places where PostgreSQL can't infer the type. */
export function bigint(value: number): RawBuilder<number> {
  return sql<number>`cast(${value} as bigint)`;
}
