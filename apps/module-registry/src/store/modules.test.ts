import { Slices } from '@gatehouse/service-kit/slices';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { moduleStore } from './modules.ts';
import { seedModules } from './seed.ts';

/** Counts how often work could give way to other work. */
class Counted extends Slices {
  count = 0;
  override giveWay(): Promise<void> {
    this.count += 1;
    return super.giveWay();
  }
}

test('searches a limited number of modules at a time', async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  await store.write((tx) => {
    for (const rows of [
      sql`INSERT INTO namespace VALUES ('acme', 'a_1', 0)`,
      sql`INSERT INTO module (namespace, name, provider, verified, latest_id, search, created_time)
          WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 4500)
          SELECT 'acme', 'm' || n, 'aws', 0, n, iif(n % 1500 = 0, 'found', ''), 0 FROM n`,
      sql`INSERT INTO version (module_id, version, description, source, owner, archive_size, archive_sha256, published_time)
          SELECT id, '1.0.0', '', '', 'ada', 1, '', 0 FROM module ORDER BY id`,
    ])
      tx.run(rows.compile(tx.build));
  });
  const found = async (words: readonly string[], offset: number, limit: number) => {
    const slices = new Counted(() => false, { name: 'ada', isKnown: true });
    const listed = await moduleStore(store).list({ words }, offset, limit, slices);
    return [slices.count, ...listed.map(({ module }) => module.name)];
  };
  expect(await found(['found'], 0, 10)).toEqual([5, 'm1500', 'm3000', 'm4500']);
  expect(await found(['found'], 1, 1)).toEqual([3, 'm3000']);
  expect(await found(['none'], 0, 10)).toEqual([5]);
  expect(await found([], 1999, 2)).toEqual([3, 'm2000', 'm2001']);
  expect(await found([], 4500, 2)).toEqual([5]);
  await store.close();
});

test('reads a limited number of versions at a time', async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  const versions = Array.from({ length: 150 }, (_, minor) => `1.${minor}.0`);
  const net = { namespace: 'acme', name: 'net', provider: 'aws', description: '' };
  await seedModules(store, [{ ...net, versions }], 0);
  const choices = moduleStore(store).choices(1);
  expect(choices.next().value).toMatchObject({ version: '1.0.0', deprecation: null, publishedTime: 0 });
  await store.write((tx) => tx.run(tx.build.deleteFrom('version').where('id', '>', 60).compile()));
  expect([...choices].at(-1)).toMatchObject({ version: '1.59.0' });
  await store.close();
});

test('a module can have 2,000 versions, because clients read all of them at once', async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  const modules = moduleStore(store);
  const net = { namespace: 'acme', name: 'net', provider: 'aws' };
  const publish = (version: string) =>
    modules.publish(
      net,
      {
        version,
        description: '',
        source: '',
        owner: 'ada',
        archive: { key: version, size: 1, sha256: '' },
        content: {
          root: {
            path: '',
            name: '',
            required_version: '',
            readme: '',
            empty: true,
            inputs: [],
            outputs: [],
            dependencies: [],
            provider_dependencies: [],
            resources: [],
          },
          submodules: [],
          examples: [],
          problems: [],
        },
      },
      'a_1',
      0,
    );
  await publish('1.0.0');
  await store.write((tx) =>
    tx.run(
      sql`INSERT INTO version (module_id, version, description, source, owner, archive_key, archive_size, archive_sha256,
            folders, needs, problems, deprecation, published_time, deleted_time)
          WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1998)
          SELECT module_id, '0.0.' || n, description, source, owner, 'k' || n, archive_size, archive_sha256,
            folders, needs, problems, deprecation, published_time, deleted_time FROM version, n`.compile(
        tx.build,
      ),
    ),
  );
  await publish('1.0.1');
  await expect(publish('1.0.2')).rejects.toMatchObject({ kind: 'conflict' });
  expect(() => modules.requireFree(net, '1.0.2')).toThrow(/at most 2000 versions/);
  await store.close();
});
