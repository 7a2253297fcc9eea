import { systemClock } from '@gatehouse/service-kit/clock';
import { Slices } from '@gatehouse/service-kit/slices';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { sql, type CompiledQuery } from 'kysely';
import { vi } from 'vitest';
/** Large planned moves in a database of their own, without registries. */
import { createMoves } from '#moves/rows/moves.ts';
import type { Database } from '#store/database.ts';
import { openSqlite } from '#store/sqlite.ts';

/** A planned move with as many boxes, versions of each and images of each version. */
export async function storedMove(boxes: number, versions: number, images: number) {
  const folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const moves = createMoves(database, systemClock);
  const { id } = await moves.create({
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
  await moves.rest(id, ['paused'], { state: 'planned' });
  return {
    id,
    database,
    moves,
    async [Symbol.asyncDispose]() {
      await database.close();
      folder[Symbol.dispose]();
    },
  };
}

/** Counts how often work gave way. */
export async function gave<Result>(work: (slices: Slices) => Promise<Result>) {
  const slices = new Slices(() => false, { name: 'ada', isKnown: true });
  const asked = vi.spyOn(slices, 'giveWay');
  return { result: await work(slices), times: asked.mock.calls.length };
}

/** Which rows of a move SQLite reads to find those that a statement changes. */
export async function rowsRead({ all }: Pick<Database, 'all'>, query: CompiledQuery): Promise<string> {
  const steps = await all<{ detail: string }>({ ...query, sql: `explain query plan ${query.sql}` });
  const search = steps.map(({ detail }) => detail).find((detail) => detail.includes('(move_id=?'));
  return /\((.*)\)$/.exec(search ?? '')?.[1] ?? 'all';
}
