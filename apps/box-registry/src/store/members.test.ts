import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { memberStore } from './members.ts';

test('adds at most 1,000 members to an organization, and still reads a larger one', async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  const members = memberStore(store);
  const addMany = (from: number, to: number) =>
    store.write((tx) =>
      tx.run(
        sql`
          INSERT INTO member (namespace_id, account_id, role, created_time)
          WITH RECURSIVE n(at) AS (SELECT ${from} UNION ALL SELECT at + 1 FROM n WHERE at < ${to})
          SELECT 'crew', 'u_' || at, 'owner', 0 FROM n`.compile(tx.build),
      ),
    );
  await store.write((tx) =>
    tx.run(
      sql`INSERT INTO namespace (id, kind, name, name_key, profile, created_time)
        VALUES ('crew', 'organization', 'crew', 'crew', '', 0)`.compile(tx.build),
    ),
  );
  await addMany(1, 999);
  await members.add('crew', 'u_1000', 'reader', 0);
  await expect(members.add('crew', 'u_1001', 'reader', 0)).rejects.toThrow('at most 1,000 members');
  await addMany(1001, 1500);
  expect(members.list('crew')).toHaveLength(1500);
  await store.close();
});
