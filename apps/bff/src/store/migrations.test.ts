import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '@gatehouse/service-kit/clock';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createMoves, everything } from '#moves/rows/moves.ts';
import { startPostgres } from '#test/postgres.ts';
import type { Database } from './database.ts';
import { migrations } from './migrations.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

/** Runs statements in a new database, and then opens it as a console. */
type Stored = (statements: readonly string[]) => Promise<Database>;

const onSqlite: Stored = async (statements) => {
  using folder = temporaryFolder();
  const file = folder.file('console.db');
  using direct = new DatabaseSync(file);
  for (const statement of statements) direct.exec(statement);
  return openSqlite(file);
};
const onPostgres: Stored = async (statements) => {
  const url = (await postgres?.database()) ?? '';
  const direct = new pg.Client(url);
  await direct.connect();
  for (const statement of statements) await direct.query(statement);
  await direct.end();
  return openPostgres(url);
};
const kinds: [string, Stored][] = [
  ['SQLite', onSqlite],
  ...(postgres === undefined ? [] : [['PostgreSQL', onPostgres] satisfies [string, Stored]]),
];

test.each(kinds)(
  'keeps the names and the choice of a move that an earlier version stored, on %s',
  async (_kind, stored) => {
    const choice = { ...everything, providers: ['virtualbox'] };
    const earlier = migrations.slice(0, 7);
    const database = await stored([
      'CREATE TABLE migration (position BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL UNIQUE)',
      ...earlier.flatMap(({ sql }) => sql),
      ...earlier.map(({ name }, position) => `INSERT INTO migration VALUES (${position}, '${name}')`),
      `INSERT INTO move (id, environment, kind, state, revision, person_id, person_name, address, used_token, wanted,
        expanded, choice, pass, planned_at, lease_until, created_at, updated_at, request_id)
        VALUES ('mv_b1', 'a', 'boxes', 'done', 3, 'ada', 'Ada', 'https://there.example', 0, '["acme/base"]',
        1, '${JSON.stringify(choice)}', 2, 5, 0, 4, 6, 'r1')`,
    ]);
    const moves = createMoves(database, systemClock);
    expect(await moves.wanted('mv_b1')).toEqual(['acme/base']);
    expect(await moves.choice('mv_b1')).toEqual(choice);
    expect(await moves.find('mv_b1')).toMatchObject({ expanded: 1, pass: 2, planned_at: 5, updated_at: 6 });
    await moves.sweep();
    expect(await database.all(database.build.selectFrom('move_text').selectAll().compile())).toEqual([]);
    await database.close();
  },
);
