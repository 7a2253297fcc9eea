import { testClock } from '@gatehouse/service-kit/clock';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test, vi } from 'vitest';
import { openSqlite } from '#store/sqlite.ts';
import { knownClusters } from './known-clusters.ts';

test("stores a status at the next reading if it couldn't be stored", async () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const clusters = knownClusters(database, testClock());
  const status = { mode: 'disabled', can_replicate: true, signed_in: true, may: null } as const;
  vi.spyOn(database, 'run').mockRejectedValueOnce(new Error('the disk is full'));
  await expect(clusters.keep('test', status)).rejects.toThrow('the disk is full');
  await clusters.keep('test', status);
  expect(await clusters.of('test')).toMatchObject({ mode: 'disabled' });
  await database.close();
});
