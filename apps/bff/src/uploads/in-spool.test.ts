import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '@gatehouse/service-kit/clock';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import type { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import type { Addresses } from '#moves/rows/addresses.ts';
import { createPieces } from '#moves/rows/pieces.ts';
import type { Database } from '#store/database.ts';
import { openSqlite } from '#store/sqlite.ts';
import { takenBeside } from './in-spool.ts';

test('finds the spooled bytes of all moves without reading all their images', async () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const asked: string[] = [];
  const noting: Database = {
    ...database,
    all: <Row>(query: CompiledQuery<Row>) => {
      asked.push(query.sql);
      return database.all(query);
    },
  };
  const pieces = createPieces(noting, systemClock, { opened: (piece) => piece } as Addresses);
  await pieces.inSpool();
  await pieces.expire();
  await takenBeside(noting, { id: '', received: 0, person_id: 'test/boxes/u_1' });
  using file = new DatabaseSync(folder.file('console.db'));
  const queries = asked.filter((text) => text.includes('move_piece'));
  expect(queries).toHaveLength(3);
  for (const text of queries) {
    const plan = file.prepare(`EXPLAIN QUERY PLAN ${text}`).all();
    expect(plan.map(({ detail }) => detail)).toContain('SCAN move_piece USING INDEX move_piece_spooled');
  }
  await database.close();
});
