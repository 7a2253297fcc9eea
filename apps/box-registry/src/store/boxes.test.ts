import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { boxStore } from './boxes.ts';
import { openDatabase } from './database.ts';
import { namespaceStore } from './namespaces.ts';

test('stores at most 2,000 boxes of one owner', async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  const boxes = boxStore(store);
  const { id: namespaceId } = await namespaceStore(store).ensurePerson('u_1', 'operator', 0, undefined);
  const fields = { namespaceId, shortDescription: '', description: '', isPrivate: true };
  const { id } = await boxes.create({ ...fields, name: 'first' }, 0);
  await store.write((tx) =>
    tx.run(
      sql`
        INSERT INTO box (id, namespace_id, name, name_key, short_description, description, is_private, downloads,
          created_time, updated_time)
        WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 1998)
        SELECT 'b' || at, ${namespaceId}, 'b' || at, 'b' || at, '', '', 1, 0, 0, 0 FROM n`.compile(tx.build),
    ),
  );
  await boxes.create({ ...fields, name: 'last' }, 0);
  expect(boxes.count(namespaceId, 'all')).toBe(2_000);
  await expect(boxes.create({ ...fields, name: 'more' }, 0)).rejects.toThrow('at most 2,000 boxes');
  await boxes.remove(id);
  await boxes.create({ ...fields, name: 'more' }, 0);
  await store.close();
});
