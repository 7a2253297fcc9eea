import { DatabaseSync } from 'node:sqlite';
import { openStore } from '@gatehouse/service-kit/store';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { formatListToken } from '../domain/list-token.ts';
import { itemsOf, startController, textOf } from '../testing/controller.ts';
import { migrations } from './schema.ts';
import type { Schema } from './schema.ts';

/** Makes a store as the first version wrote it. */
async function writeFirstVersion(file: string): Promise<void> {
  await openStore<Schema>({ file, migrations: migrations.slice(0, 1) }).close();
  const db = new DatabaseSync(file);
  const now = Date.UTC(2025, 11, 31);
  db.exec(`
    INSERT INTO scope VALUES ('global', 'global', NULL, 'global', 'Global Scope', ${now}, ${now}, 1);
    INSERT INTO scope VALUES ('o_1234567890', 'org', 'global', 'org', '', ${now}, ${now}, 1);
    INSERT INTO scope VALUES ('p_1234567890', 'project', 'o_1234567890', 'project', '', ${now}, ${now}, 1);
    INSERT INTO target VALUES ('ttcp_1234567890', 'p_1234567890', 'tcp', 'old', '', ${now}, ${now}, 4,
      60, -1, '', '', '', '10.0.0.1', 22, NULL, '', 0, 7);
    INSERT INTO removed_target VALUES ('ttcp_0000000000', 'p_1234567890', 8, ${now});
    UPDATE change_counter SET value = 8;
  `);
  db.close();
}

test('a store of the first version is taken over, with its tokens, and gets the well-known hosts', async () => {
  using folder = temporaryFolder();
  await writeFirstVersion(folder.file('access-controller.db'));
  await using controller = await startController({ dataDir: folder.path });
  const client = await controller.as('operator');

  expect((await client.get('/v1/targets/ttcp_1234567890')).body).toMatchObject({
    name: 'old',
    version: 4,
    host_sources: [],
  });
  const token = formatListToken(
    { phase: 'listed', since: 6 },
    'target\np_1234567890\n\n',
    controller.clock.now(),
  );
  const refreshed = await client.get(`/v1/targets?scope_id=p_1234567890&list_token=${token}`);
  expect(refreshed.body['removed_ids']).toEqual(['ttcp_0000000000']);
  expect(itemsOf(refreshed).map((item) => textOf(item, 'id'))).toEqual(['ttcp_1234567890']);

  expect((await client.get('/v1/host-sets/hsst_1234567890')).body).toMatchObject({
    host_catalog_id: 'hcst_1234567890',
    host_ids: ['hst_1234567890'],
    version: 1,
  });
  expect((await client.get('/v1/hosts/hst_1234567890')).body).toMatchObject({
    attributes: { address: '127.0.0.1' },
    host_set_ids: ['hsst_1234567890'],
  });
  await using fresh = await startController();
  for (const path of ['host-catalogs/hcst', 'host-sets/hsst', 'hosts/hst']) {
    const ignoring = { created_time: '', updated_time: '', scope: {} };
    const of = async (source: typeof fresh) =>
      (await (await source.as('operator')).get(`/v1/${path}_1234567890`)).body;
    expect({ ...(await of(controller)), ...ignoring }).toEqual({ ...(await of(fresh)), ...ignoring });
  }
});

test('a store of a later version is refused', async () => {
  using folder = temporaryFolder();
  const file = folder.file('access-controller.db');
  await openStore<Schema>({
    file,
    migrations: [...migrations, { name: 'later', up: () => undefined }],
  }).close();
  await expect(startController({ dataDir: folder.path })).rejects.toThrow('another version');
});
