import { errorCode } from '@gatehouse/service-kit/error-code';
import { StoreUnavailable } from '@gatehouse/service-kit/store';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
} from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';
import { migrations } from './migrations.ts';
import type { Schema } from './schema.ts';

/** How long what was read is taken for true, in milliseconds: a session that another replica ended lasts as long here. */
const freshForMs = 1_000;
/** Times that a transaction is begun again after it collided with another one. */
const collisionLimit = 20;
/** Serialises migrations of replicas that start together. Any number, the same everywhere. */
const migrationLock = 7_104_201;

/** PostgreSQL's own number for the type BIGINT. */
const bigintType = 20;

const connectMs = 5_000;
const statementMs = 10_000;
/**
 * Between two statements of a transaction: a console that is suspended, or cut off, holds the rows that it has changed for no
 * longer. Others wait for them for `statementMs`.
 */
const standingMs = 5_000;

/**
 * Opens the console's PostgreSQL database, which several replicas share, and brings its schema up to date.
 * @param url such as `postgres://console@db.example/console`
 * @throws Error whose message says in one line why it cannot be used
 */
export async function openPostgres(url: string): Promise<Database> {
  const pool = await openPool(url).catch((cause: unknown) => {
    throw new Error(`PostgreSQL can't be used: ${reasonOf(cause)}.`, { cause });
  });
  const build = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });

  const all = async <Row>(query: CompiledQuery<Row>): Promise<Row[]> => {
    const result = await available(() => pool.query(query.sql, [...query.parameters]));
    return result.rows as Row[];
  };
  return {
    build,
    shared: true,
    freshForMs,
    all,
    get: async (query) => (await all(query))[0],
    async run(query) {
      const result = await available(() => pool.query(query.sql, [...query.parameters]));
      return result.rowCount ?? 0;
    },
    batch: (queries) =>
      available(() =>
        transaction(pool, 'REPEATABLE READ', async (client) => {
          const counts: number[] = [];
          for (const query of queries)
            counts.push((await client.query(query.sql, [...query.parameters])).rowCount ?? 0);
          return counts;
        }),
      ),
    async healthy() {
      try {
        await pool.query('SELECT 1');
        return true;
      } catch {
        return false;
      }
    },
    close: () => pool.end(),
  };
}

/** Connects, and brings the schema up to date. */
async function openPool(url: string): Promise<pg.Pool> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: statementMs + 1_000,
    application_name: 'gatehouse',
    types: { getTypeParser },
  });
  // A connection that breaks while idle is replaced; nobody waits for it.
  pool.on('error', () => undefined);
  try {
    await transaction(pool, 'READ COMMITTED', migrate);
    return pool;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** What the server or the network said, in one line; of several addresses, what the first one said. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  const [words = ''] = error instanceof Error ? error.message.split('\n', 1) : [];
  return words.replace(/\.$/, '');
}

/** Whole numbers arrive as text, for they may exceed what a number holds exactly; the console's are times and counts. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return oid === bigintType ? Number : pg.types.getTypeParser(oid, format);
}

/**
 * REPEATABLE READ: a row that a statement read is the row that a later one of the same batch removes, or the batch
 * starts over. Migrations wait for their lock inside the transaction, and must then see what was done meanwhile.
 */
async function transaction<Result>(
  pool: pg.Pool,
  isolation: 'READ COMMITTED' | 'REPEATABLE READ',
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect();
    let broken: Error | undefined;
    // A connection may also break between two statements, and nobody else listens while it is lent out.
    const onBroken = (error: Error): void => {
      broken = error;
    };
    client.on('error', onBroken);
    try {
      // One message. Not a setting of the connection: a pooler in between may refuse those that it doesn't know.
      await client.query(
        `BEGIN ISOLATION LEVEL ${isolation}; SET LOCAL idle_in_transaction_session_timeout = ${standingMs}`,
      );
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(onBroken);
      const collided = ['40001', '40P01'].includes(errorCode(error) ?? '');
      if (!collided || attempt >= collisionLimit) throw error;
    } finally {
      client.off('error', onBroken);
      client.release(broken);
    }
  }
}

async function migrate(client: pg.PoolClient): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
  await client.query(
    'CREATE TABLE IF NOT EXISTS migration (position BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL UNIQUE)',
  );
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migration ORDER BY position');
  for (const [position, { name }] of rows.entries()) {
    const expected = migrations[position]?.name;
    if (name !== expected) {
      throw new Error(
        `The database was written by another version of the console: step ${position} of its schema is "${name}", expected "${expected ?? 'none'}". ` +
          'Start the version that wrote it, or restore a backup.',
      );
    }
  }
  for (const [position, { name, sql }] of migrations.entries()) {
    if (position < rows.length) continue;
    for (const statement of sql) await client.query(statement);
    await client.query('INSERT INTO migration (position, name) VALUES ($1, $2)', [position, name]);
  }
}

/** Runs work, and tells apart what is about the statement from a database that cannot be used now. */
async function available<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = errorCode(error);
    if (code === '53100') throw new StoreUnavailable('full', error);
    // Classes 08 connection, 53 resources, 57 intervention, 40 collisions that went on and on; 25006 read-only standby, 25P03
    // stood still.
    if (code === undefined ? isTimeout(error) : /^(?:08|53|57|40|25006|25P03)|^E[A-Z]+$/.test(code)) {
      throw new StoreUnavailable('busy', error);
    }
    throw error;
  }
}

/** The client's own time limits and broken connections have no code. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout|terminated|Connection/i.test(error.message);
}
