import { systemClock } from '@gatehouse/service-kit/clock';
import { silentLog } from '@gatehouse/service-kit/log';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { openSqlite } from '#store/sqlite.ts';
import { watchFolder } from './folder-watch.ts';

test('counts a folder as used until the last replica that shares it has left', async () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const watch = (name: string) =>
    watchFolder(folder.file(name), { ...database, shared: true }, systemClock, silentLog);
  const [one, two, other] = [watch('shared'), watch('shared'), watch('other')];
  const isSplit = async () => {
    await other.check();
    return other.isSplit();
  };
  await one.check();
  await two.check();
  expect([one.isSplit(), two.isSplit(), await isSplit()]).toEqual([false, false, true]);
  await one.leave();
  expect(await isSplit()).toBe(true);
  await two.leave();
  expect(await isSplit()).toBe(false);
  await database.close();
});
