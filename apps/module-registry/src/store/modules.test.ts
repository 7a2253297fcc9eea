import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { moduleStore } from './modules.ts';

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
