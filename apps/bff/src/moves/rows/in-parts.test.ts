import { systemClock } from '@gatehouse/service-kit/clock';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { rowsRead, storedMove } from '#test/stored-move.ts';
import { partSize } from './in-parts.ts';
import { createPieces } from './pieces.ts';

test('starts, stops and deletes a move a few hundred rows at a time', async () => {
  await using move = await storedMove(2, 3_000, 1);
  const { database, moves, id } = move;
  const pieces = createPieces(database, systemClock, {
    seal: String,
    opened: (piece) => piece,
    renew: async () => undefined,
  });
  await database.run(sql`update move set state = 'paused'`.compile(database.build));
  await database.run(sql`update move_version set status_here = 'active'`.compile(database.build));
  await moves.log(id, 'a line');
  const run = vi.spyOn(database, 'run');
  const batch = vi.spyOn(database, 'batch');
  /** The most rows that a statement changed since the last call. */
  const most = async (): Promise<number> => {
    const changed = await Promise.all([...run.mock.results, ...batch.mock.results].map(({ value }) => value));
    run.mockClear();
    batch.mockClear();
    return Math.max(...changed.flat());
  };
  const count = async (what: string): Promise<number> => {
    const found = sql<{ count: number }>`select count(*) as count from ${sql.raw(what)}`;
    return (await database.get(found.compile(database.build)))?.count ?? 0;
  };
  await pieces.agree(id, { rests: true });
  expect(await count('move_version where agreed = 1')).toBe(6_000);
  expect(await most()).toBeLessThanOrEqual(partSize);
  await pieces.wait(id);
  expect(await count("move_piece where state = 'waiting'")).toBe(6_000);
  expect(await most()).toBeLessThanOrEqual(partSize);
  await pieces.drop(id);
  expect(await count("move_piece where state = 'missing'")).toBe(6_000);
  expect(await most()).toBeLessThanOrEqual(partSize);
  await moves.change(id, ['paused'], { state: 'done' });
  await database.run(sql`update move set state = 'abandoned'`.compile(database.build));
  expect(await moves.forgetAbandoned(['ada'])).toBe(true);
  for (const table of ['move', 'move_text', 'move_item', 'move_version', 'move_piece', 'move_event'])
    expect(await count(table)).toBe(0);
  expect(await most()).toBeLessThanOrEqual(partSize);
});

test('reads each row of a move once to start, agree to and stop it', async () => {
  await using move = await storedMove(2, 300, 2);
  const { database, id } = move;
  const pieces = createPieces(database, systemClock, {
    seal: String,
    opened: (piece) => piece,
    renew: async () => undefined,
  });
  await database.run(sql`update move set state = 'paused'`.compile(database.build));
  await database.run(sql`update move_version set status_here = 'active'`.compile(database.build));
  const run = vi.spyOn(database, 'run');
  const read = async (): Promise<string[]> => {
    const queries = run.mock.calls.map(([query]) => query);
    run.mockClear();
    return Promise.all(queries.map((query) => rowsRead(database, query)));
  };
  const inParts = (count: number) => [
    'move_id=? AND id<?',
    ...Array.from({ length: count - 2 }, () => 'move_id=? AND id>? AND id<?'),
    'move_id=? AND id>?',
  ];
  await pieces.agree(id, { rests: true });
  expect(await read()).toEqual(inParts(4));
  await pieces.wait(id);
  expect(await read()).toEqual(inParts(7));
  await pieces.drop(id);
  expect(await read()).toEqual(inParts(7));
});

test('deletes the rest of a move whose deletion was interrupted', async () => {
  await using move = await storedMove(1, 1_000, 1);
  const { database, moves, id } = move;
  await moves.change(id, ['planned'], { state: 'done' });
  await database.run(sql`update move set updated_at = 0`.compile(database.build));
  const real = database.run.bind(database);
  const run = vi.spyOn(database, 'run');
  run.mockImplementationOnce(real).mockRejectedValueOnce(new Error('ended'));
  await expect(moves.sweep()).rejects.toThrow('ended');
  expect(await moves.find(id)).toMatchObject({ state: 'abandoned' });
  await moves.sweep();
  expect(await moves.find(id)).toBeUndefined();
});
