import { systemClock } from '@gatehouse/service-kit/clock';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { gave, storedMove } from '#test/stored-move.ts';
import { createPieces } from './pieces.ts';
import { createMoveReading } from './reading.ts';

test('adds up thousands of boxes in slices', async () => {
  await using move = await storedMove(3_000, 1, 1);
  const { result, times } = await gave((slices) =>
    createMoveReading(move.database).itemSums(move.id, slices),
  );
  expect(result).toMatchObject({ total: 3_000, chosen: 3_000, to_copy: 3_000, finished: 0, usable: 0 });
  expect(times).toBeGreaterThanOrEqual(30);
});

test('adds up and names tens of thousands of versions and images in slices', async () => {
  await using move = await storedMove(3, 5_000, 2);
  const { database, id } = move;
  const change = (statement: ReturnType<typeof sql>) => database.run(statement.compile(database.build));
  await change(sql`update move_piece set state = 'copied', size = 7 where item_id = 'i1'`);
  await change(
    sql`update move_piece set state = 'here', provider = '', architecture = '' where item_id = 'i2'`,
  );
  await change(sql`update move_version set chosen = 0 where item_id = 'i0'`);
  await change(sql`update move_version set status_here = 'active' where item_id <> 'i1'`);
  const reading = createMoveReading(database);
  const sums = await gave((slices) => reading.sums(id, slices));
  expect(sums.result).toMatchObject({
    pieces: { missing: 10_000, copied: 10_000, here: 10_000, failed: 0 },
    bytes: { total: 70_000, copied: 70_000, unknown: 10_000 },
  });
  const found = await gave((slices) => reading.found(id, slices));
  expect(found.result).toEqual({
    owners: ['team'],
    providers: ['provider0', 'provider1'],
    architectures: ['amd64'],
  });
  const versions = await gave((slices) => reading.versions(id, slices));
  expect(versions.result).toBe(10_000);
  const pieces = createPieces(database, systemClock, {
    seal: String,
    opened: (piece) => piece,
    renew: async () => undefined,
  });
  const joined = await gave((slices) => pieces.joinedReleases(id, { rests: true }, slices));
  expect(joined.result).toBe(5_000);
  expect(Math.min(sums.times, found.times)).toBeGreaterThanOrEqual(15);
  expect(Math.min(versions.times, joined.times)).toBeGreaterThanOrEqual(8);
});

test('names a thousand providers of a move and a hundred of a box at most', async () => {
  await using move = await storedMove(1, 1, 3_000);
  const reading = createMoveReading(move.database);
  const { result } = await gave((slices) => reading.found(move.id, slices));
  expect(result).toMatchObject({ owners: ['team'], architectures: ['amd64'], providers: { length: 1_000 } });
  const query = { q: '', show: undefined, offset: 0, limit: 10 };
  const { items } = (await gave((slices) => reading.items(move.id, query, slices))).result;
  expect(items).toMatchObject([{ providers: { length: 100 }, pieces: { missing: 3_000 } }]);
});

test('reads the versions of a box and their images in slices', async () => {
  await using move = await storedMove(1, 1_000, 2);
  const { result, times } = await gave((slices) =>
    createMoveReading(move.database).item(move.id, 'i0', slices),
  );
  const versions = result?.versions ?? [];
  expect(versions.map(({ version }) => version)).toEqual(
    Array.from({ length: 1_000 }, (_, index) => `1.0.${index}`),
  );
  for (const [index, { pieces }] of versions.entries())
    expect(pieces.map(({ id }) => id)).toEqual([`p${2 * index}`, `p${2 * index + 1}`]);
  expect(times).toBeGreaterThanOrEqual(1_000);
});

test('reads a version with thousands of images in slices', async () => {
  await using move = await storedMove(1, 1, 3_000);
  const { result, times } = await gave((slices) =>
    createMoveReading(move.database).item(move.id, 'i0', slices),
  );
  expect(new Set(result?.versions[0]?.pieces.map(({ id }) => id)).size).toBe(3_000);
  expect(times).toBeGreaterThanOrEqual(6);
});

test('reads a page of boxes with their images in slices', async () => {
  await using move = await storedMove(100, 1, 50);
  const query = { q: '', show: undefined, offset: 0, limit: 100 };
  const { result, times } = await gave((slices) =>
    createMoveReading(move.database).items(move.id, query, slices),
  );
  expect(result.items).toHaveLength(100);
  for (const item of result.items)
    expect(item).toMatchObject({ versions: 1, pieces: { missing: 50 }, architectures: ['amd64'] });
  expect(result.items[0]?.providers).toHaveLength(50);
  expect(times).toBeGreaterThanOrEqual(100);
});

test('reports in slices, each box with its versions in order', async () => {
  await using move = await storedMove(10, 50, 4);
  const { result, times } = await gave((slices) =>
    Array.fromAsync(
      createMoveReading(move.database).report({ id: move.id, person_id: 'ada' }, () => '', slices),
    ),
  );
  expect(result.map(({ item, version, provider }) => `${item} ${version} ${provider}`)).toEqual(
    Array.from(
      { length: 2_000 },
      (_, at) => `team/${Math.floor(at / 200)} 1.0.${Math.floor(at / 4) % 50} provider${at % 4}`,
    ),
  );
  expect(times).toBeGreaterThanOrEqual(20);
});
