import { systemClock } from '@gatehouse/service-kit/clock';
import { Slices } from '@gatehouse/service-kit/slices';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { openSqlite } from '#store/sqlite.ts';
import { createMoves } from './moves.ts';
import { createMoveReading } from './reading.ts';

/** A planned move with as many boxes, versions of each and images of each version. */
async function moveOf(boxes: number, versions: number, images: number) {
  const folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const { id } = await createMoves(database, systemClock).create({
    environment: 'a',
    kind: 'boxes',
    personId: 'ada',
    personName: 'Ada',
    address: 'https://there.example',
    wanted: ['team'],
  });
  const insert = async (into: string, count: number, row: string): Promise<void> => {
    await database.run(
      sql`insert into ${sql.raw(into)}
        with recursive n(at) as (select 0 union all select at + 1 from n where at < ${count - 1})
        select ${sql.raw(row)} from n`.compile(database.build),
    );
  };
  await insert(
    `move_item (id, move_id, name, owner, name_here, chosen, is_here, short_description, description, source_url,
      pass, usable, clashes, refused)`,
    boxes,
    `'i' || at, '${id}', 'team/' || at, 'team', 'team/' || at, 1, 0, '', '', '', 1, 0, '[]', ''`,
  );
  await insert(
    `move_version (id, move_id, item_id, version, rank, priority, description, status, chosen, differs, completes,
      phase, released, agreed)`,
    boxes * versions,
    `'v' || at, '${id}', 'i' || (at / ${versions}), '1.0.' || (at % ${versions}), at % ${versions}, 1, '', 'active', 1,
      '[]', 0, 'open', 0, 0`,
  );
  await insert(
    `move_piece (id, move_id, item_id, version_id, priority, place, provider, architecture, hosted, url, checksum,
      checksum_type, plan, plan_detail, state, detail, received, validator, sha256, attempts, updated_at)`,
    boxes * versions * images,
    `'p' || at, '${id}', 'i' || (at / ${versions * images}), 'v' || (at / ${images}), 1, at % ${images},
      'provider' || (at % ${images}), 'amd64', 1, '', '', '', 'missing', '', 'missing', '', 0, '', '', 0, 0`,
  );
  return {
    id,
    reading: createMoveReading(database),
    async [Symbol.asyncDispose]() {
      await database.close();
      folder[Symbol.dispose]();
    },
  };
}

/** Counts how often work gave way. */
async function gave<Result>(work: (slices: Slices) => Promise<Result>) {
  const slices = new Slices(() => false, { name: 'ada', isKnown: true });
  const asked = vi.spyOn(slices, 'giveWay');
  return { result: await work(slices), times: asked.mock.calls.length };
}

test('adds up thousands of boxes in slices', async () => {
  await using move = await moveOf(3_000, 1, 1);
  const { result, times } = await gave((slices) => move.reading.itemSums(move.id, slices));
  expect(result).toMatchObject({ total: 3_000, chosen: 3_000, to_copy: 3_000, finished: 0, usable: 0 });
  expect(times).toBeGreaterThanOrEqual(30);
});

test('reads the versions of a box and their images in slices', async () => {
  await using move = await moveOf(1, 1_000, 2);
  const { result, times } = await gave((slices) => move.reading.item(move.id, 'i0', slices));
  const versions = result?.versions ?? [];
  expect(versions.map(({ version }) => version)).toEqual(
    Array.from({ length: 1_000 }, (_, index) => `1.0.${index}`),
  );
  for (const [index, { pieces }] of versions.entries())
    expect(pieces.map(({ id }) => id)).toEqual([`p${2 * index}`, `p${2 * index + 1}`]);
  expect(times).toBeGreaterThanOrEqual(1_000);
});

test('reads a version with thousands of images in slices', async () => {
  await using move = await moveOf(1, 1, 3_000);
  const { result, times } = await gave((slices) => move.reading.item(move.id, 'i0', slices));
  expect(new Set(result?.versions[0]?.pieces.map(({ id }) => id)).size).toBe(3_000);
  expect(times).toBeGreaterThanOrEqual(6);
});

test('reads a page of boxes with their images in slices', async () => {
  await using move = await moveOf(100, 1, 50);
  const query = { q: '', show: undefined, offset: 0, limit: 100 };
  const { result, times } = await gave((slices) => move.reading.items(move.id, query, slices));
  expect(result.items).toHaveLength(100);
  for (const item of result.items)
    expect(item).toMatchObject({ versions: 1, pieces: { missing: 50 }, architectures: ['amd64'] });
  expect(result.items[0]?.providers).toHaveLength(50);
  expect(times).toBeGreaterThanOrEqual(100);
});

test('reports in slices, each box with its versions in order', async () => {
  await using move = await moveOf(10, 50, 4);
  const { result, times } = await gave((slices) =>
    Array.fromAsync(move.reading.report({ id: move.id, person_id: 'ada' }, () => '', slices)),
  );
  expect(result.map(({ item, version, provider }) => `${item} ${version} ${provider}`)).toEqual(
    Array.from(
      { length: 2_000 },
      (_, at) => `team/${Math.floor(at / 200)} 1.0.${Math.floor(at / 4) % 50} provider${at % 4}`,
    ),
  );
  expect(times).toBeGreaterThanOrEqual(20);
});
