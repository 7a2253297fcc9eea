import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '@gatehouse/service-kit/clock';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import type { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import type { Addresses } from '#moves/rows/addresses.ts';
import { createMoves } from '#moves/rows/moves.ts';
import { createPieces } from '#moves/rows/pieces.ts';
import type { Database } from '#store/database.ts';
import type { MovePieceRow } from '#store/schema.ts';
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
  await takenBeside(noting, [], { id: '', received: 0, person_id: 'test/boxes/u_1' });
  using file = new DatabaseSync(folder.file('console.db'));
  const queries = asked.filter((text) => text.includes('move_piece'));
  expect(queries).toHaveLength(3);
  for (const text of queries) {
    const plan = file.prepare(`EXPLAIN QUERY PLAN ${text}`).all();
    expect(plan.map(({ detail }) => detail)).toContain('SCAN move_piece USING INDEX move_piece_spooled');
  }
  await database.close();
});

test('counts what moves have reserved for the account of their owner, not what a source announces', async () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const moves = createMoves(database, systemClock);
  const service = { endpoint: { kind: 'socket', path: '/nowhere' }, signIn: ['password'] } as const;
  const environments = [
    {
      id: 'test',
      name: 'Test',
      kind: 'development',
      sharedAccounts: false,
      services: { access: service, boxes: service },
    } as const,
  ];
  const move = async (state: string): Promise<string> => {
    const { id } = await moves.create({
      environment: 'test',
      kind: 'boxes',
      personId: 'test/boxes/u_1',
      personName: 'Ada',
      address: 'https://there.example',
      wanted: ['team/base'],
    });
    await database.run(database.build.updateTable('move').set({ state }).where('id', '=', id).compile());
    return id;
  };
  const [copying, paused] = [await move('copying'), await move('paused')];
  const piece = async (move_id: string, id: string, of: Partial<MovePieceRow>): Promise<void> => {
    const row: MovePieceRow = {
      id,
      move_id,
      item_id: 'i',
      version_id: id,
      priority: 0,
      place: 0,
      provider: '',
      architecture: '',
      is_default: null,
      hosted: 1,
      url: '',
      checksum: '',
      checksum_type: '',
      size: null,
      plan: 'missing',
      plan_detail: '',
      state: 'copying',
      detail: '',
      received: 0,
      validator: '',
      sha256: '',
      attempts: 0,
      updated_at: 0,
      image_here: '',
      reserved: 0,
      ...of,
    };
    await database.run(database.build.insertInto('move_piece').values(row).compile());
  };
  const taken = (id: string, person_id: string) =>
    takenBeside(database, environments, { id, received: 0, person_id });
  await piece(copying, 'huge', { size: 2 ** 50, received: 7, reserved: 17 });
  expect(await taken('', 'test/access/u_1')).toEqual({
    promised: 17,
    promisedToAccount: 17,
    missing: 10,
    missingOfAccount: 10,
  });
  await piece(copying, 'endless', { reserved: 10 });
  expect(await taken('endless', 'test/access/u_2')).toMatchObject({ promised: 17, promisedToAccount: 0 });
  expect(await taken('huge', 'test/boxes/u_1')).toMatchObject({ promised: 10, promisedToAccount: 10 });
  // Nothing more is reserved for these.
  await piece(copying, 'written', { received: 5, reserved: 4 });
  await piece(copying, 'waiting', { size: 2 ** 50, state: 'waiting', received: 3, reserved: 20 });
  await piece(paused, 'paused', { size: 2 ** 50, received: 2, reserved: 20 });
  expect(await taken('', '')).toMatchObject({ promised: 17 + 10 + 5 + 3 + 2, missing: 10 + 10 });
  await database.close();
});
