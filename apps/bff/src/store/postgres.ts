import { errorCode } from '@gatehouse/service-kit/error-code';
import { StoreUnavailable } from '@gatehouse/service-kit/store';
import { NoTurn, turns } from '@gatehouse/service-kit/turns';
import { currentAsker } from '@gatehouse/service-kit/write-queue';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type CompiledQuery,
} from 'kysely';
import pg from 'pg';
import { bigint, type Database } from './database.ts';
import { migrations } from './migrations.ts';
import type { Schema } from './schema.ts';

/** How long a read may be reused, in milliseconds. A session that another replica ended lasts as long here. */
const freshForMs = 1_000;
/** How often a transaction is repeated after it collided with another one. */
const collisionLimit = 20;
/** Serializes migrations of replicas that start together. The number is arbitrary, and the same everywhere. */
const migrationLock = 7_104_201;

/** PostgreSQL's number of the type BIGINT. */
const bigintType = 20;

/** How long the state of the database is remembered for probes, in milliseconds. */
const healthFor = 1_000;
const connectMs = 5_000;
/** Connections, of which probes need one. */
const mostConnections = 10;
/** Most statements and transactions of one user at once. */
const mostOfOne = 6;
/**
 * Longest time between two statements of a transaction, in milliseconds. A console that is suspended or cut off holds
 * its changed rows no longer. Others wait for them as long as a statement may take.
 */
const standingMs = 5_000;

/**
 * Opens the console's PostgreSQL database, which several replicas share, and updates its schema.
 * @param url such as `postgres://console@db.example/console`
 * @param statementMs how long a statement may take, in milliseconds; those that update the schema have no limit
 * @throws Error whose message says in one line why the database can't be used
 */
export async function openPostgres(url: string, statementMs = 10_000): Promise<Database> {
  const pool = await openPool(url, statementMs).catch((cause: unknown) => {
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

  const inTurn = turns({
    atOnce: mostConnections - 1,
    ownAtOnce: mostOfOne,
    mostOwn: Infinity,
    mostWaiting: Infinity,
    waitMs: connectMs,
  });
  const available = <Result>(work: () => Promise<Result>): Promise<Result> =>
    orUnavailable(() => inTurn(currentAsker(), work));
  const query = ({ sql: text, parameters }: CompiledQuery) =>
    available(() => pool.query(text, [...parameters]));
  const all = async <Row>(of: CompiledQuery<Row>): Promise<Row[]> => (await query(of)).rows as Row[];
  const check = async (): Promise<boolean> => {
    try {
      // `on` for a standby too.
      const { rows } = await pool.query('SHOW transaction_read_only');
      return rows[0].transaction_read_only === 'off';
    } catch {
      return false;
    }
  };
  let checked: { readonly at: number; readonly isHealthy: Promise<boolean> } | undefined;
  return {
    build,
    shared: true,
    leaseTime: (_clock, later = 0) =>
      sql`cast(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) + ${bigint(later)}`,
    // PostgreSQL stores no NUL, and refuses it.
    contains: (text, part) => (part.includes('\0') ? sql`false` : sql`strpos(${text}, ${part}) > 0`),
    freshForMs,
    all,
    get: async (of) => (await all(of))[0],
    run: async (of) => (await query(of)).rowCount ?? 0,
    batch: (queries) =>
      available(() =>
        transaction(pool, 'REPEATABLE READ', async (client) => {
          const counts: number[] = [];
          for (const query of queries)
            counts.push((await client.query(query.sql, [...query.parameters])).rowCount ?? 0);
          return counts;
        }),
      ),
    healthy() {
      const now = performance.now();
      // Everyone may ask, so concurrent questions share one answer.
      if (checked === undefined || now - checked.at >= healthFor) checked = { at: now, isHealthy: check() };
      return checked.isHealthy;
    },
    close: () => pool.end(),
  };
}

/** Connects, and updates the schema. */
async function openPool(url: string, statementMs: number) {
  const options = {
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    application_name: 'gatehouse',
    types: { getTypeParser },
  };
  // Another console may be updating the schema for minutes.
  const patient = new pg.Pool({ ...options, max: 1 });
  patient.on('error', () => undefined);
  try {
    await transaction(patient, 'READ COMMITTED', migrate);
  } finally {
    await patient.end();
  }
  const pool = new pg.Pool({
    ...options,
    max: mostConnections,
    statement_timeout: statementMs,
    query_timeout: statementMs + 1_000,
  });
  // A connection that breaks while idle is replaced, and no query is lost.
  pool.on('error', () => undefined);
  return pool;
}

/** The message of the server or the network, in one line; of several addresses, the first one's. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  const [words = ''] = error instanceof Error ? error.message.split('\n', 1) : [];
  return words.replace(/\.$/, '');
}

/**
 * Integers arrive as text, because they may exceed what a number represents exactly. The console's are times and
 * counts.
 */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return oid === bigintType ? Number : pg.types.getTypeParser(oid, format);
}

/**
 * REPEATABLE READ: a later statement of a batch changes the row as an earlier one read it, or the batch starts over.
 * Migrations wait for their lock inside the transaction, and must see what others did until then.
 */
async function transaction<Result>(
  pool: pg.Pool,
  isolation: 'READ COMMITTED' | 'REPEATABLE READ',
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect();
    let broken: Error | undefined;
    // A connection may also break between two statements, and nobody else listens to it while it is in use.
    const onBroken = (error: Error): void => {
      broken = error;
    };
    client.on('error', onBroken);
    try {
      // One message, rather than a setting of the connection, which a connection pooler might refuse.
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
  const { rows: encodings } = await client.query('SHOW server_encoding');
  if (encodings[0].server_encoding !== 'UTF8')
    throw new Error(
      `the database's encoding is ${encodings[0].server_encoding}, so most names can't be stored. Create one with the encoding UTF8`,
    );
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

/** Runs work, and distinguishes an error of the statement from a database that can't be used now. */
async function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (errorCode(error) === '53100') throw new StoreUnavailable('full', error);
    throw isUnavailable(error) ? new StoreUnavailable('busy', error) : error;
  }
}

/** Whether an error says that the database can't be used now, and nothing about the statement. */
export function isUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (error instanceof NoTurn) return true;
  // Timeouts of the client and broken connections have no code.
  if (code === undefined)
    return error instanceof Error && /timeout|terminated|Connection/i.test(error.message);
  // Classes 08 connection, 28 sign-in, 3D database, 53 resources, 57 intervention, 40 repeated collisions; 25006
  // read-only standby, 25P03 idle in a transaction. Then the codes of networks, names and certificates.
  return /^(?:08|28|3D|53|57|40|25006|25P03|E(?!RR_)|ERR_TLS|ERR_SSL)|CERT|SIGNATURE/.test(code);
}
