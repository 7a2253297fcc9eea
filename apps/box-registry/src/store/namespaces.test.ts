import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { namespaceStore } from './namespaces.ts';

const fields = { profile: 'p'.repeat(100), now: 0, reuse: undefined };

test('reads a limited number of namespaces at a time, without their profiles', async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  await store.write((tx) =>
    tx.run(
      sql`
        INSERT INTO namespace (id, kind, name, name_key, profile, created_time)
        WITH RECURSIVE n(at) AS (SELECT 1001 UNION ALL SELECT at + 1 FROM n WHERE at < 1600)
        SELECT 'ns' || at, iif(at % 2, 'person', 'organization'), 'N' || at, 'n' || at, 'p', 0 FROM n`.compile(
        tx.build,
      ),
    ),
  );
  const reads: number[] = [];
  const namespaces = namespaceStore({
    ...store,
    all(query, options) {
      const rows = store.all(query, options);
      for (const row of rows) expect(row).not.toHaveProperty('profile');
      reads.push(rows.length);
      return rows;
    },
  });
  const names = Array.from(namespaces.organizations(), ({ name }) => name);
  expect(names).toHaveLength(300);
  expect([names[0], names.at(-1)]).toEqual(['N1002', 'N1600']);
  expect(reads).toEqual([250, 50, 0]);
  expect([...namespaces.people()]).toHaveLength(300);
  await store.close();
});

test('an account can create 500 organizations, and more once it has deleted some', async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  const namespaces = namespaceStore(store);
  const create = (name: string, ownerId: string) =>
    namespaces.createOrganization({ ...fields, name, ownerId });
  const all = await Promise.all(Array.from({ length: 500 }, (_, at) => create(`o${at}`, 'a_1')));
  await expect(create('more', 'a_1')).rejects.toThrow('at most 500 organizations');
  await create('other', 'a_2');
  await namespaces.remove(all[0]?.id ?? '');
  await create('more', 'a_1');
  await store.close();
});
