import { systemClock, testClock } from '@gatehouse/service-kit/clock';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { openSqlite } from '#store/sqlite.ts';
import { createMoves, moveLimit } from './moves.ts';

test('counts running moves by user, and deletes their abandoned moves, the oldest first', async () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const moves = createMoves(database, systemClock);
  const begin = (environment: string, personId: string) =>
    moves.create({
      environment,
      kind: 'boxes',
      personId,
      personName: personId,
      address: 'https://boxes.example',
      wanted: ['acme'],
    });
  const [first, second, third] = [await begin('a', 'ada'), await begin('b', 'ada'), await begin('a', 'ben')];
  expect([await moves.countOf(['ada']), await moves.countOf(['ben'])]).toEqual([2, 1]);
  await moves.change(second.id, ['paused'], { state: 'abandoned' });
  await moves.change(third.id, ['paused'], { state: 'abandoned' });
  await moves.log(second.id, 'a line');
  expect([await moves.countOf(['ada']), await moves.countOf(['ben'])]).toEqual([1, 0]);
  expect([await moves.forgetAbandoned(['ada']), await moves.forgetAbandoned(['ada'])]).toEqual([true, false]);
  const left = await Promise.all([first, second, third].map(({ id }) => moves.find(id)));
  expect(left.map((row) => row?.id)).toEqual([first.id, undefined, third.id]);
  expect(await moves.readLog(second.id)).toEqual([]);
  await database.close();
});

test("keeps the newest of a user's ended moves, and stores names and choices apart", async () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const clock = testClock();
  const moves = createMoves(database, clock);
  const of = (personId: string) => ({
    environment: 'a',
    kind: 'boxes' as const,
    personId,
    personName: personId,
    address: 'https://boxes.example',
    wanted: ['acme/long'],
  });
  const ended: string[] = [];
  for (let count = 0; count < moveLimit; count++) {
    clock.advance(1);
    const { id } = await moves.create(of('ada'));
    ended.push(id);
    await moves.rest(id, ['paused'], { state: 'abandoned' });
  }
  const theirs = await moves.create(of('ben'));
  for (const person of ['ada', 'ada', 'ben']) await moves.forgetEnded([person]);
  const left = await moves.list('a', ['boxes'], true);
  expect(left.map(({ id }) => id)).toEqual(ended.slice(1).toReversed());
  const listed = await moves.list('a', ['boxes'], false);
  expect(listed.map(({ id }) => id)).toEqual([theirs.id]);
  const rows = await database.all(database.build.selectFrom('move').selectAll().compile());
  expect(JSON.stringify(rows)).not.toMatch(/acme\/long|all-but/);
  await database.close();
});

test("keeps the newest lines of a move's log", async () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const clock = testClock();
  const moves = createMoves(database, clock);
  for (const id of ['one', 'other'])
    for (let line = 0; line < 210; line++) {
      clock.advance(1);
      await moves.log(id, `line ${line}`);
    }
  const lines = Array.from({ length: 200 }, (_, index) => `line ${209 - index}`);
  for (const id of ['one', 'other']) expect((await moves.readLog(id)).map(({ text }) => text)).toEqual(lines);
  const stored = await database.all(database.build.selectFrom('move_event').selectAll().compile());
  expect(stored).toHaveLength(400);
  await database.close();
});

test('changes nothing of a move for a process that no longer has it', async () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const moves = createMoves(database, systemClock);
  const { id } = await moves.create({
    environment: 'a',
    kind: 'boxes',
    personId: 'ada',
    personName: 'Ada',
    address: 'https://boxes.example',
    wanted: ['acme'],
  });
  await moves.change(id, ['paused'], { state: 'planning', worker: 'second' });
  const before = await moves.find(id);
  expect(await moves.change(id, ['planning'], { expanded: 1 }, 'first')).toBe(false);
  expect(await moves.rest(id, ['planning'], { state: 'planned' }, 'first')).toBe(false);
  expect(await moves.find(id)).toEqual(before);
  expect(await moves.rest(id, ['planning'], { state: 'planned' }, 'second')).toBe(true);
  await database.close();
});
