import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '@gatehouse/service-kit/store';
import { expect, test } from 'vitest';
import { createProvider, digest, send, uploadPath } from '../testing/publishing.ts';
import { startServer } from '../testing/server.ts';
import { migrations } from './schema.ts';
import type { Schema } from './schema.ts';

const image = Buffer.from('an image of a machine');

/** Puts a store of a later form into the one of the first version, with all that it could hold. */
async function toFirstForm(file: string): Promise<void> {
  const later = `${file}.later`;
  const source = new DatabaseSync(file);
  source.exec(`VACUUM INTO '${later}'`);
  source.close();
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  await openStore<Schema>({ file, migrations: migrations.slice(0, 1) }).close();
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  db.exec(`ATTACH '${later}' AS later`);
  const tables = db
    .prepare(`SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name <> 'migration'`)
    .all();
  for (const { name } of tables) {
    const columns = db.prepare('SELECT name FROM pragma_table_info(?)').all(name ?? null);
    const list = columns.map((column) => String(column['name'])).join(', ');
    db.exec(`INSERT INTO main.${String(name)} (${list}) SELECT ${list} FROM later.${String(name)}`);
  }
  db.close();
  rmSync(later);
}

/** How much each version is counted as. */
function sizesIn(file: string): unknown {
  using db = new DatabaseSync(file, { readOnly: true });
  return db.prepare('SELECT id, size FROM version ORDER BY id').all();
}

/** What the rows of a table refer to, and whether they are deleted with it. */
function referencesOf(file: string, table: string): unknown {
  using db = new DatabaseSync(file, { readOnly: true });
  return db.prepare('SELECT "table", on_delete FROM pragma_foreign_key_list(?)').all(table);
}

test('a store of the first version is taken over with its images, checksums, downloads and uploads', async () => {
  await using server = await startServer();
  const file = join(server.dataDir, 'box-registry.db');
  const admin = await server.as('administrator');
  const done = await createProvider(admin, 'done', { checksum: digest('md5', image), checksum_type: 'md5' });
  const again = await uploadPath(admin, done);
  expect((await send(again, image)).status).toBe(200);
  await admin.put(`${done.version}/release`);
  for (let time = 0; time < 3; time++) await server.anonymous.get(done.download);
  await createProvider(admin, 'elsewhere', { url: 'https://example.com/a.box' });
  const open = await createProvider(admin, 'open');
  const openPath = await uploadPath(admin, open);
  const received = await createProvider(admin, 'received');
  const { upload_path: path, callback } = (await admin.get(`${received.provider}/upload/direct`)).body;
  expect((await send(String(path), image)).status).toBe(200);
  const before = [];
  for (const name of ['done', 'elsewhere', 'open', 'received'])
    before.push((await admin.get(`/api/v1/box/admin/${name}`)).body);
  const sizes = sizesIn(file);

  await server.restart(() => toFirstForm(file));
  expect(sizesIn(file)).toEqual(sizes);
  const after = [];
  for (const { name } of before) after.push((await admin.get(`/api/v1/box/admin/${String(name)}`)).body);
  expect(after).toEqual(before);
  expect((await admin.get(done.provider)).body).toMatchObject({
    architecture: 'unknown',
    default_architecture: true,
    checksum: digest('md5', image),
    checksum_type: 'md5',
    downloads: 3,
  });
  expect((await server.anonymous.get(done.download)).text).toBe(String(image));
  // Who asked for them was not kept.
  for (const path of [again, openPath]) expect((await send(path, image)).status).toBe(403);
  const finished = await admin.put(new URL(String(callback)).pathname);
  expect([finished.status, finished.body['checksum']]).toEqual([200, digest('sha256', image)]);

  // What was built again refers to what it did before.
  const references: unknown[] = [];
  await server.restart(async () => {
    for (const table of ['provider', 'upload']) references.push(referencesOf(file, table));
  });
  expect(references).toEqual([
    [{ table: 'version', on_delete: 'CASCADE' }],
    [{ table: 'provider', on_delete: 'CASCADE' }],
  ]);
});
