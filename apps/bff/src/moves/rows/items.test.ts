import { systemClock } from '@gatehouse/service-kit/clock';
import { keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import { Slices } from '@gatehouse/service-kit/slices';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { ProblemError } from '#ground/problem.ts';
import { tokenSeal } from '#session/token-seal.ts';
import type { SourceBox, SourceImage } from '#sources/source.ts';
import type { MoveItemRow } from '#store/schema.ts';
import { openSqlite } from '#store/sqlite.ts';
import { takenBeside } from '#uploads/in-spool.ts';
import { planBox } from '../plan/plan-box.ts';
import { storedBox } from '../plan/stored-source.ts';
import { createAddresses } from './addresses.ts';
import { createItems, knownPieces, privacyOf, weightOf } from './items.ts';
import { createMoves } from './moves.ts';
import { createPieces } from './pieces.ts';

const always = new Slices(() => false, { name: 'ada', isKnown: true });
const imageOf = (provider: string): SourceImage => ({
  provider,
  architecture: 'amd64',
  isDefault: null,
  hosted: true,
  url: `https://there.example/${provider.toLowerCase()}`,
  checksum: '',
  checksumType: null,
  size: 10,
});
const boxOf = (versions: number, ...providers: readonly string[]): SourceBox => ({
  owner: 'team',
  name: 'base',
  shortDescription: '',
  description: '',
  isPrivate: false,
  versions: Array.from({ length: versions }, (_, index) => ({
    version: `1.0.${versions - index}`,
    description: '',
    status: 'active',
    images: providers.map(imageOf),
  })),
  problems: [],
});

/** A move of one box. */
async function startMove() {
  const folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const ring = keyRingFromFile(folder.file('keys'));
  const seal = tokenSeal(
    () => ring,
    systemClock,
    () => undefined,
  );
  const addresses = createAddresses(database, seal);
  const items = createItems(database, systemClock, addresses);
  const { id } = await createMoves(database, systemClock).create({
    environment: 'a',
    kind: 'boxes',
    personId: 'ada',
    personName: 'Ada',
    address: 'https://there.example',
    wanted: ['team/base'],
  });
  await items.add(id, ['team/base'], (name) => name, always);
  const item = (await items.nextUnread(id, 1, [])) as MoveItemRow;
  const stored = async () => {
    const found = await items.whole(item.id, always);
    if (found === undefined) throw new Error('the item is gone');
    return { ...found, known: await knownPieces(found, always) };
  };
  return {
    database,
    addresses,
    items,
    item,
    stored,
    async plan(source: SourceBox, slices = always, mayBePrivate = false) {
      const { known } = await stored();
      const place = { name: 'team/base', owner: 'there', knowsArchitectures: true, mayBePrivate } as const;
      return planBox(source, null, { ...place, known }, slices);
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      folder[Symbol.dispose]();
    },
  };
}

test('gives way while it plans, writes and reads an item with thousands of versions', async () => {
  await using move = await startMove();
  const { items, item } = move;
  const count = 3_000;
  const gave = async <Result>(work: (slices: Slices) => Promise<Result>) => {
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    const slices = new Slices(() => false, { name: 'ada', isKnown: true });
    const asked = vi.spyOn(slices, 'giveWay');
    const result = await work(slices);
    isDone = true;
    return { result, turns, asked: asked.mock.calls.length };
  };
  const planned = await gave((slices) => move.plan(boxOf(count, 'virtualbox'), slices));
  expect(planned.asked).toBeGreaterThanOrEqual(2 * count);
  for (const pass of [1, 2]) {
    const written = await gave((slices) => items.replace(item, pass, planned.result, slices));
    expect(written.asked).toBeGreaterThanOrEqual(count);
    // Each has at most some hundred rows.
    expect(written.turns).toBeGreaterThanOrEqual(2 * (count / 200));
  }
  const read = await gave((slices) => items.whole(item.id, slices));
  expect(read.asked).toBeGreaterThanOrEqual(count);
  const stored = await move.stored();
  const again = await gave((slices) => storedBox(stored, slices));
  expect(again.asked).toBeGreaterThanOrEqual(count);
  expect(again.result.versions).toEqual(boxOf(count, 'virtualbox').versions);
});

const withTexts = (source: SourceBox, characters: number): SourceBox => {
  const text = 'x'.repeat(characters);
  const versions = source.versions.map((version) => ({
    ...version,
    description: text,
    images: version.images.map((image) => ({ ...image, url: `https://there.example/${text}` })),
  }));
  return { ...source, description: text, versions };
};

test('counts each version, each image, and each 1,000 characters of their texts', async () => {
  await using move = await startMove();
  const { items, item } = move;
  const counted = () => items.count({ move: item.move_id });
  const source = boxOf(2, 'virtualbox', 'qemu');
  for (const [characters, weight] of [
    [0, 6],
    [900, 6 + 6],
    // Six texts of versions and images, and the box's own.
    [1_000, 6 + 7],
    [3_000, 6 + 3 * 7],
  ] as const) {
    const planned = await move.plan(withTexts(source, characters));
    expect(weightOf(planned)).toBe(weight);
    await items.replace(item, 1, planned, always);
    expect(await counted()).toBe(1 + weight);
    expect(await items.count({ persons: ['ada'] })).toBe(1 + weight);
  }
  await items.fail(item, 2, new ProblemError('conflict', 'It is gone.'), always);
  expect(await counted()).toBe(1);
  expect(await items.count({ persons: ['grace'] })).toBe(0);
});

test('gives rows IDs in their order, so that those that change together lie together', async () => {
  await using move = await startMove();
  const { items, item } = move;
  await items.replace(item, 1, await move.plan(boxOf(300, 'virtualbox', 'qemu')), always);
  const { versions, pieces } = await move.stored();
  const inOrder = (ids: readonly string[]) => expect(ids).toEqual(ids.toSorted());
  inOrder(versions.map(({ id }) => id));
  inOrder(pieces.map(({ id }) => id));
});

test('writes long texts a few at a time', async () => {
  await using move = await startMove();
  const { database, items, item } = move;
  const planned = await move.plan(withTexts(boxOf(100, 'virtualbox'), 10_000));
  const batch = vi.spyOn(database, 'batch');
  await items.replace(item, 1, planned, always);
  const written = batch.mock.calls.map(
    ([queries]) => JSON.stringify(queries.flatMap(({ parameters }) => parameters)).length,
  );
  expect(written.length).toBeGreaterThan(2);
  expect(Math.max(...written)).toBeLessThan(100_000);
  expect(await move.stored()).toMatchObject({ versions: { length: 100 }, pieces: { length: 100 } });
});

test("doesn't count an interrupted plan as complete, and keeps its received bytes", async () => {
  await using move = await startMove();
  const { database, items, item } = move;
  const source = boxOf(300, 'virtualbox', 'qemu');
  await items.replace(item, 1, await move.plan(source), always);
  await database.run(
    database.build.updateTable('move_piece').set({ received: 5, validator: '"1"' }).compile(),
  );
  const received = async () =>
    [...(await move.stored()).known.values()].filter((piece) => piece.received === 5).length;
  const planned = await move.plan(source);
  // Within its rows, at their end, and while the previous plan's rows are removed.
  for (const last of [1, 2, 250, 600, 604, 606]) {
    let left = last;
    const slices = new Slices(() => false, { name: 'ada', isKnown: true });
    vi.spyOn(slices, 'giveWay').mockImplementation(async () => {
      left -= 1;
      if (left < 0) throw new Error('the move was stopped');
    });
    await expect(items.replace(item, 2, planned, slices)).rejects.toThrow('the move was stopped');
    expect(await items.find(item.id)).toMatchObject({ pass: 0 });
    expect(await received()).toBe(600);
  }
  await items.replace(item, 2, planned, always);
  expect(await received()).toBe(600);
  expect(await move.stored()).toMatchObject({
    item: { pass: 2 },
    versions: { length: 300 },
    pieces: { length: 600 },
  });
});

test("requests the end of a former owner's complete image with the next owner's token", async () => {
  await using move = await startMove();
  const { database, items, item } = move;
  await items.replace(item, 1, await move.plan(boxOf(1, 'virtualbox', 'qemu')), always);
  const [whole, part] = (await move.stored()).pieces;
  for (const [piece, received] of [
    [whole, 10],
    [part, 5],
  ] as const) {
    const update = database.build.updateTable('move_piece').set({ received });
    await database.run(update.where('id', '=', piece?.id ?? '').compile());
  }
  const keeping = await createPieces(database, systemClock, move.addresses).keeping(item.move_id);
  await database.batch(keeping(sql`1 = 1`));
  const kept = await database.all(
    database.build.selectFrom('move_piece').select(['id', 'received']).compile(),
  );
  expect(kept).toEqual(
    expect.arrayContaining([
      { id: whole?.id, received: 9 },
      { id: part?.id, received: 5 },
    ]),
  );
});

test('keeps the assumed privacy of a box that is planned again for another place', async () => {
  await using move = await startMove();
  const { items, item } = move;
  const source = { ...boxOf(1, 'virtualbox'), isPrivate: null };
  await items.replace(item, 1, await move.plan(source, always, true), always);
  const stored = await move.stored();
  expect(privacyOf(stored.item.is_private)).toBe('assumed');
  expect((await storedBox(stored, always)).isPrivate).toBeNull();
});

test('gives the received bytes to one of several images whose names differ only in case', async () => {
  await using move = await startMove();
  const { items, item } = move;
  for (const pass of [1, 2]) {
    await items.replace(item, pass, await move.plan(boxOf(1, 'qemu', 'QEMU')), always);
    expect((await move.stored()).pieces.map(({ provider, plan }) => `${provider} ${plan}`)).toEqual([
      'qemu missing',
      'QEMU not-copied',
    ]);
  }
});

test('refuses changes by a process of a move that another process has', async () => {
  await using move = await startMove();
  const { database, items, item } = move;
  await items.replace(item, 1, await move.plan(boxOf(1, 'virtualbox')), always);
  const {
    pieces: [piece],
    versions: [version],
  } = await move.stored();
  if (piece === undefined || version === undefined) throw new Error('nothing was planned');
  const has = async (worker: string | null) =>
    database.run(database.build.updateTable('move').set({ worker }).compile());
  const own = createPieces(database, systemClock, move.addresses, 'one');
  await has('one');
  await own.wait(item.move_id);
  expect(await own.take(item.move_id)).toMatchObject({ piece: { id: piece.id } });
  for (const worker of ['two', null]) {
    await has(worker);
    await own.wait(item.move_id);
    await Promise.all(
      [
        () => own.back(piece.id, 1),
        () => own.reserve(piece.id, 1),
        () => own.settle(piece.id, { state: 'copied', detail: '', sha256: '' }),
        () => own.finish(version, { released: 1 }),
        () => own.usable(item.id),
        () => own.problem(item.id, { code: 'conflict', detail: '' }),
      ].map((change) => expect(change()).rejects.toThrow('taken by another process')),
    );
    expect(await move.stored()).toMatchObject({
      item: { usable: 0, problem_code: null },
      versions: [{ released: 0 }],
      pieces: [{ state: 'copying', attempts: 0 }],
    });
  }
});

test("doesn't make pieces wait that are being copied again since the move rested", async () => {
  await using move = await startMove();
  const { database, items, item } = move;
  await items.replace(item, 1, await move.plan(boxOf(1, 'virtualbox')), always);
  const isNow = async (state: string, worker: string | null) =>
    database.run(database.build.updateTable('move').set({ state, worker }).compile());
  const anyone = createPieces(database, systemClock, move.addresses);
  await isNow('paused', null);
  await anyone.wait(item.move_id);
  // Someone resumed the move elsewhere before the pausing process came to this.
  await isNow('copying', 'two');
  expect(await createPieces(database, systemClock, move.addresses, 'two').take(item.move_id)).toBeDefined();
  await anyone.wait(item.move_id);
  expect(await move.stored()).toMatchObject({ pieces: [{ state: 'copying' }] });
  await isNow('paused', null);
  await anyone.wait(item.move_id);
  expect(await move.stored()).toMatchObject({ pieces: [{ state: 'waiting' }] });
});

test('a piece that is copied again reserves nothing until it has begun', async () => {
  await using move = await startMove();
  const { database, items, item } = move;
  await items.replace(item, 1, await move.plan(boxOf(1, 'virtualbox')), always);
  await database.run(database.build.updateTable('move').set({ state: 'copying', worker: 'one' }).compile());
  const pieces = createPieces(database, systemClock, move.addresses, 'one');
  await pieces.wait(item.move_id);
  const taken = await pieces.take(item.move_id);
  if (taken === undefined) throw new Error('nothing waits');
  const { id } = taken.piece;
  await pieces.reserve(id, 20);
  const promised = async () =>
    (await takenBeside(database, [], { id: '', received: 0, person_id: 'ada' })).promised;
  expect(await promised()).toBe(20);
  await pieces.back(id, 1);
  expect(await promised()).toBe(0);
  await pieces.take(item.move_id);
  expect(await promised()).toBe(0);
});

test('deletes the rest of an abandoned move immediately', async () => {
  await using move = await startMove();
  const { database, items, item } = move;
  await items.replace(item, 1, await move.plan(boxOf(1, 'virtualbox')), always);
  await database.run(database.build.updateTable('move_piece').set({ received: 5 }).compile());
  const pieces = createPieces(database, systemClock, move.addresses);
  expect(await pieces.expire()).toEqual([]);
  await database.run(database.build.updateTable('move').set({ state: 'abandoned' }).compile());
  const [piece] = (await move.stored()).pieces;
  expect(await pieces.expire()).toEqual([piece?.id]);
  expect(await pieces.inSpool()).toEqual([]);
});
