import { Slices } from '@gatehouse/service-kit/slices';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { namespaceStore } from './namespaces.ts';
import { boxSearch } from './search.ts';

test('gives way after each 25 boxes whose images it reads, and finds images by their index', async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  const { id: namespaceId } = await namespaceStore(store).ensurePerson('u_1', 'operator', 0, undefined);
  await store.write((tx) =>
    tx.run(
      sql`
        INSERT INTO box (id, namespace_id, name, name_key, short_description, description, is_private, downloads,
          created_time, updated_time)
        WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 60)
        SELECT 'b' || at, ${namespaceId}, 'b' || at, 'b' || at, '', '', 0, 0, 0, 0 FROM n`.compile(tx.build),
    ),
  );
  let gaveWay = 0;
  const slices = new Slices(() => false, { name: 'ada', isKnown: true });
  slices.giveWay = async () => void (gaveWay += 1);
  const query = { text: '', sort: 'created', order: 'asc', limit: 10, offset: 0, readable: 'all' } as const;
  for (const [provider, architecture, stretches] of [
    [undefined, 'arm64', 3],
    ['virtualbox', undefined, 3],
    [undefined, undefined, 1],
  ] as const) {
    gaveWay = 0;
    await boxSearch(store).find({ ...query, provider, architecture }, slices);
    expect([architecture, provider, gaveWay]).toEqual([architecture, provider, stretches]);
  }
  const plan = sql<{ detail: string }>`
    EXPLAIN QUERY PLAN SELECT id FROM provider WHERE version_id = 'v' AND architecture_key = 'arm64'`;
  expect(store.all(plan.compile(store.build))[0]?.detail).toContain('provider_architecture');
  await store.close();
});
