import { mostTokens } from '@gatehouse/service-kit/account-tokens';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { authTokenStore } from './auth-tokens.ts';
import { openDatabase } from './database.ts';
import { hostCatalogStore } from './host-catalogs.ts';
import { targetStore } from './targets.ts';

test("replaces a user's least recently used token when they have too many", async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  const tokens = authTokenStore(store);
  const issue = (userId: string, time: number) =>
    tokens.issue({
      userId,
      passwordVersion: 1,
      createdTime: time,
      lastUsedTime: time,
      expirationTime: 1_000_000,
    });
  const theirs = await issue('ben', 0);
  const made = await Promise.all(Array.from({ length: mostTokens }, (_, at) => issue('ada', at)));
  const [first, second] = made;
  if (first === undefined || second === undefined) throw new Error('no tokens');
  await tokens.recordUse(first.record.id, 500_000);
  await issue('ada', mostTokens);
  expect(tokens.list('ada')).toHaveLength(mostTokens);
  expect([first, second, theirs].map(({ record }) => tokens.get(record.id) !== undefined)).toEqual([
    true,
    false,
    true,
  ]);
  await store.close();
});

test("doesn't list the removed items for a client that is more than 10,000 removals behind", async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  await store.write((tx) => {
    const marks = sql.raw(`
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 10001)
      INSERT INTO removed_item (id, kind, container_id, change, removed_time)
      SELECT 'ttcp_' || n, 'target', 'p_1234567890', n, 0 FROM number`);
    tx.run(marks.compile(tx.build));
  });
  const targets = targetStore(store);
  expect(targets.removedSince('all', 1)).toHaveLength(10_000);
  expect(targets.removedSince('all', 0)).toBeUndefined();
  await store.close();
});

test('a large catalog is deleted in several writes, so that others continue in between', async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  await store.write((tx) => {
    for (const statement of [
      "INSERT INTO scope VALUES ('p_1', 'project', NULL, '', '', 0, 0, 1)",
      "INSERT INTO host_catalog VALUES ('hcst_1', 'p_1', '', '', 0, 0, 1, 1)",
      `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 60000)
       INSERT INTO host SELECT 'hst_' || n, 'hcst_1', 'p_1', '', '', 0, 0, 1, '10.0.0.1', 1 FROM number`,
    ])
      tx.run(sql.raw(statement).compile(tx.build));
  });
  const removed = hostCatalogStore(store)
    .remove('hcst_1', 1)
    .then(() => 'removed');
  let others = 0;
  while ((await Promise.race([removed, store.write(() => 'another')])) === 'another') others += 1;
  expect(others).toBeGreaterThan(2);
  expect(store.all(sql`SELECT id FROM host`.compile(store.build))).toEqual([]);
  await store.close();
});
