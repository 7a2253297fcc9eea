import { systemClock } from '@gatehouse/service-kit/clock';
import { keyRingOfOne } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { tokenSeal } from '#session/token-seal.ts';
import { openSqlite } from '#store/sqlite.ts';
import { createRuns, planned } from './runs.ts';
import { createSpool } from './spool.ts';
import { createUploads } from './uploads.ts';

test('what was written of an upload that was cancelled just before is removed', async () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const ring = keyRingOfOne('k_1', Buffer.alloc(32, 1));
  const seal = tokenSeal(
    () => ring,
    systemClock,
    () => undefined,
  );
  const spool = createSpool({ folder: folder.file('uploads') });
  const uploads = createUploads(database, systemClock, spool);
  const owner = { personId: 'ada', environment: 'test' };
  const box = { username: 'ada', name: 'base', create: null, step: planned, stored: null };
  const { id: runId } = await createRuns(database, systemClock, seal).create(owner, {
    box,
    version: null,
    providers: [],
    release: planned,
  });
  const file = { name: 'a.box', size: 10, last_modified: 0, fingerprint: 'a' };
  const row = await uploads.begin({ ...owner, runId, providerId: 'pp_1' }, file);
  await uploads.drop(row.id, 'cancelled');
  const pieces = async function* () {
    yield await Promise.resolve(Buffer.alloc(4));
  };
  await spool.write(row.id, 0, pieces());
  expect(await spool.holds(row.id, 4)).toBe(true);
  expect(await uploads.commit(row, 4)).toBe(false);
  expect(await spool.holds(row.id, 4)).toBe(false);
  await database.close();
});
