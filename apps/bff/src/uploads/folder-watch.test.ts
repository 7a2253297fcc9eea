import { rmSync } from 'node:fs';
import { systemClock } from '@gatehouse/service-kit/clock';
import { silentLog } from '@gatehouse/service-kit/log';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { openSqlite } from '#store/sqlite.ts';
import { type FolderWatch, watchFolder } from './folder-watch.ts';

/** A database with one key of its audit trail. */
async function openDatabase(file: string, auditKeyId: string) {
  const database = openSqlite(file);
  const key = { id: auditKeyId, sealed_key: '', created_at: 0 };
  await database.run(database.build.insertInto('audit_key').values(key).compile());
  return database;
}

const problems = async (watch: FolderWatch) => {
  await watch.check();
  return [watch.isOwn(), ...watch.problems()];
};

test('counts a folder as used until the last replica that shares it has left', async () => {
  using folder = temporaryFolder();
  const database = await openDatabase(folder.file('console.db'), 'ak_1');
  const watch = (name: string) =>
    watchFolder({ folder: folder.file(name) }, { ...database, shared: true }, systemClock, silentLog, {
      auditKeyId: 'ak_1',
      environments: 'test',
    });
  const [one, two, other] = [watch('shared'), watch('shared'), watch('other')];
  expect(await problems(one)).toEqual([true]);
  expect(await problems(two)).toEqual([true]);
  expect(await problems(other)).toEqual([true, 'uploads-not-shared']);
  await one.leave();
  expect(await problems(other)).toEqual([true, 'uploads-not-shared']);
  await two.leave();
  expect(await problems(other)).toEqual([true]);
  await database.close();
});

test('reports other environments of a replica until it has left', async () => {
  using folder = temporaryFolder();
  const database = await openDatabase(folder.file('console.db'), 'ak_1');
  const watch = (environments: string) =>
    watchFolder({ folder: folder.file('shared') }, { ...database, shared: true }, systemClock, silentLog, {
      auditKeyId: 'ak_1',
      environments,
    });
  const [one, same, other] = [watch('test'), watch('test'), watch('test and more')];
  expect(await problems(one)).toEqual([true]);
  expect(await problems(same)).toEqual([true]);
  expect(await problems(other)).toEqual([true, 'environments-differ']);
  expect(await problems(one)).toEqual([true, 'environments-differ']);
  await other.leave();
  expect(await problems(one)).toEqual([true]);
  await database.close();
});

test("doesn't report a failure of the database as one of the folder, and removes nothing then", async () => {
  using folder = temporaryFolder();
  const database = await openDatabase(folder.file('console.db'), 'ak_1');
  const watch = watchFolder({ folder: folder.file('uploads') }, database, systemClock, silentLog, {
    auditKeyId: 'ak_1',
    environments: 'test',
  });
  expect(await problems(watch)).toEqual([true]);
  await database.close();
  await expect(watch.check()).rejects.toThrow();
  expect([watch.isOwn(), ...watch.problems()]).toEqual([false]);
});

test('counts a folder as its own unless another database has marked it', async () => {
  using folder = temporaryFolder();
  const watchOf = async (auditKeyId: string) => {
    const database = await openDatabase(folder.file(`${auditKeyId}.db`), auditKeyId);
    const watch = () =>
      watchFolder({ folder: folder.file('uploads') }, database, systemClock, silentLog, {
        auditKeyId,
        environments: 'test',
      });
    return { database, watch: watch(), replica: watch() };
  };
  const [one, other] = [await watchOf('ak_1'), await watchOf('ak_2')];
  expect(one.watch.isOwn()).toBe(false);
  expect(await problems(one.watch)).toEqual([true]);
  expect(await problems(one.replica)).toEqual([true]);
  for (const watch of [other.watch, one.watch, one.replica])
    expect(await problems(watch)).toEqual([false, 'uploads-of-another-database']);
  rmSync(folder.file('uploads/ak_2.database'));
  expect(await problems(one.watch)).toEqual([true]);
  for (const { database } of [one, other]) await database.close();
});
