import { systemClock } from '@gatehouse/service-kit/clock';
import { Slices } from '@gatehouse/service-kit/slices';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import type { Database } from '#store/database.ts';
import { gave, rowsRead, storedMove } from '#test/stored-move.ts';
import { everything } from '../rows/moves.ts';
import { createMoveChoices, namesHere } from './choosing.ts';

const always = new Slices(() => false, { name: 'ada', isKnown: true });
const since = (version: string) => ({ ...everything, versions: { kind: 'since', version } }) as const;

/** How many versions are chosen, and how many pieces are in each state. */
async function counts(database: Database) {
  const { build } = database;
  const versions = build.selectFrom('move_version').select('id').where('chosen', '=', 1);
  const pieces = sql<{
    state: string;
    count: number;
  }>`select state, count(*) as count from move_piece group by state`;
  return {
    chosen: (await database.all(versions.compile())).length,
    ...Object.fromEntries(
      (await database.all(pieces.compile(build))).map(({ state, count }) => [state, count]),
    ),
  };
}

test('applies a choice to tens of thousands of versions, in slices', async () => {
  await using move = await storedMove(7, 5_000, 1);
  const { database, moves, id } = move;
  const choices = createMoveChoices(database, systemClock, moves);
  const choose = async (choice: Parameters<typeof choices.choose>[1]) => {
    const stored = await moves.find(id);
    if (stored === undefined) throw new Error('the move is gone');
    return gave((slices) => choices.choose(stored, choice, slices));
  };
  const left = await choose(since('2.0.0'));
  expect(left.result).toBe('applied');
  expect(left.times).toBeGreaterThanOrEqual(35_000);
  expect(await counts(database)).toEqual({ chosen: 0, 'left-out': 35_000 });
  expect((await choose({ ...everything, versions: { kind: 'newest', count: 2 } })).result).toBe('applied');
  expect(await counts(database)).toEqual({ chosen: 14, missing: 14, 'left-out': 34_986 });
  expect(await moves.find(id)).toMatchObject({ unapplied: 0, revision: 3 });
});

test('reads each image once to apply a choice, however many a version has', async () => {
  await using move = await storedMove(1, 2, 1_000);
  const { database, moves, id } = move;
  const stored = await moves.find(id);
  if (stored === undefined) throw new Error('the move is gone');
  const batch = vi.spyOn(database, 'batch');
  const choice = { ...everything, providers: ['provider7'] };
  expect(await createMoveChoices(database, systemClock, moves).choose(stored, choice, always)).toBe(
    'applied',
  );
  const changes = batch.mock.calls
    .flatMap(([queries]) => queries)
    .filter((query) => query.sql.startsWith('update "move_piece"'));
  const read = await Promise.all(changes.map((query) => rowsRead(database, query)));
  expect(read).toHaveLength(11);
  expect([...new Set(read)]).toEqual([
    'move_id=? AND id<?',
    'move_id=? AND id>? AND id<?',
    'move_id=? AND id>?',
  ]);
  expect(await counts(database)).toEqual({ chosen: 2, missing: 2, 'left-out': 1_998 });
});

test('continues a choice that was stored and applied in part', async () => {
  await using move = await storedMove(3, 500, 1);
  const { database, moves, id } = move;
  const choices = createMoveChoices(database, systemClock, moves);
  const stored = await moves.find(id);
  if (stored === undefined) throw new Error('the move is gone');
  const real = database.batch.bind(database);
  const batch = vi.spyOn(database, 'batch');
  batch.mockImplementationOnce(real).mockImplementationOnce(real).mockRejectedValueOnce(new Error('ended'));
  await expect(choices.choose(stored, since('2.0.0'), always)).rejects.toThrow('ended');
  batch.mockRestore();
  const half = await moves.find(id);
  expect(half).toMatchObject({ unapplied: 1, revision: 2 });
  expect(await moves.choice(id)).toEqual(since('2.0.0'));
  expect(await choices.apply(id, always)).toBe('applied');
  expect(await counts(database)).toEqual({ chosen: 0, 'left-out': 1_500 });
  expect(await moves.find(id)).toMatchObject({ unapplied: 0, revision: 2 });
});

test('stops applying a choice once the move has another one, or is copied', async () => {
  await using move = await storedMove(3, 500, 1);
  const { database, moves, id } = move;
  const choices = createMoveChoices(database, systemClock, moves);
  const applied = async (change: () => Promise<unknown>) => {
    const stored = await moves.find(id);
    if (stored === undefined) throw new Error('the move is gone');
    const real = database.batch.bind(database);
    const batch = vi
      .spyOn(database, 'batch')
      .mockImplementationOnce(real)
      .mockImplementationOnce(real)
      .mockImplementationOnce(async (queries) => {
        await change();
        return real(queries);
      });
    const result = await choices.choose(stored, since('2.0.0'), always);
    batch.mockRestore();
    return result;
  };
  expect(
    await applied(async () => {
      const now = await moves.find(id);
      if (now !== undefined) expect(await choices.choose(now, everything, always)).toBe('applied');
    }),
  ).toBe('changed');
  expect(await counts(database)).toEqual({ chosen: 1_500, missing: 1_500 });
  const planning = database.build.updateTable('move').set({ state: 'planning' });
  await applied(() => database.run(planning.compile()));
  expect((await counts(database)).chosen).toBeGreaterThan(0);
  expect(await moves.find(id)).toMatchObject({ unapplied: 1 });
});

test('continues after it gave items other names, whose places must be read again', async () => {
  await using move = await storedMove(3, 1, 1);
  const { database, moves, id } = move;
  const choices = createMoveChoices(database, systemClock, moves);
  const stored = await moves.find(id);
  if (stored === undefined) throw new Error('the move is gone');
  const choice = { ...everything, owners: [{ from: 'team', to: 'crew' }] };
  expect(await choices.choose(stored, choice, always)).toBe('places');
  // The move can't be copied until they are read.
  expect(await moves.find(id)).toMatchObject({ unapplied: 1 });
  expect(await choices.apply(id, always)).toBe('places');
  const items = await database.all(database.build.selectFrom('move_item').selectAll().compile());
  expect(items.map(({ name_here, pass }) => [name_here, pass])).toEqual(
    [0, 1, 2].map((at) => [`crew/${at}`, -1]),
  );
});

test("finds an item's name here without comparing it with each owner", () => {
  let compared = 0;
  const owners = Array.from({ length: 1_000 }, (_, at) => ({
    get from() {
      compared += 1;
      return `team${at % 999}`;
    },
    to: `crew${at}`,
  }));
  const hereOf = namesHere({ owners });
  const names = Array.from({ length: 1_000 }, (_, at) => hereOf(`team${at}/base/aws`));
  expect([names[0], names[998], names[999]]).toEqual([
    'crew0/base/aws',
    'crew998/base/aws',
    'team999/base/aws',
  ]);
  expect(compared).toBe(1_000);
});
