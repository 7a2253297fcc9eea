import { systemClock } from '@gatehouse/service-kit/clock';
import { keyRingOfOne } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder, type TemporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { tokenSeal } from '#session/token-seal.ts';
import { openSqlite } from '#store/sqlite.ts';
import { createRuns, planned } from './runs.ts';
import { createSpool } from './spool.ts';
import { createUploads } from './uploads.ts';

/** An empty database with one run. */
async function withRun(folder: TemporaryFolder) {
  const database = openSqlite(folder.file('console.db'));
  const ring = keyRingOfOne('k_1', Buffer.alloc(32, 1));
  const seal = tokenSeal(
    () => ring,
    systemClock,
    () => undefined,
  );
  const spool = createSpool({ folder: folder.file('uploads') });
  const owner = { personId: 'ada', environment: 'test' };
  const box = { username: 'ada', name: 'base', create: null, step: planned, stored: null };
  const { id: runId } = await createRuns(database, systemClock, seal).create(owner, {
    box,
    version: null,
    providers: [],
    release: planned,
  });
  return { database, spool, place: { ...owner, runId, providerId: 'pp_1' } };
}

const file = { name: 'a.box', size: 10, last_modified: 0, fingerprint: 'a' };

test('tells one of two consoles that begin an upload at the same time about the other', async () => {
  using folder = temporaryFolder();
  const { database, spool, place } = await withRun(folder);
  const consoles = [1, 2].map(() => createUploads(database, systemClock, spool));
  const begun = await Promise.allSettled(consoles.map((uploads) => uploads.begin(place, file)));
  // Either may be first.
  expect(begun.toSorted((a, b) => (a.status < b.status ? -1 : 1))).toEqual([
    { status: 'fulfilled', value: expect.objectContaining({ state: 'receiving' }) as unknown },
    { status: 'rejected', reason: expect.objectContaining({ code: 'conflict' }) as unknown },
  ]);
  await database.close();
});

test('removes what was written of an upload that was cancelled just before', async () => {
  using folder = temporaryFolder();
  const { database, spool, place } = await withRun(folder);
  const uploads = createUploads(database, systemClock, spool);
  const row = await uploads.begin(place, file);
  const pieces = async function* () {
    yield await Promise.resolve(Buffer.alloc(4));
  };
  await spool.write(row.id, 0, pieces());
  await uploads.drop(row.id, 'cancelled');
  await expect.poll(() => spool.holds(row.id, 4)).toBe(false);
  await spool.write(row.id, 0, pieces());
  expect(await spool.holds(row.id, 4)).toBe(true);
  expect(await uploads.commit(row, 4)).toBe(false);
  expect(await spool.holds(row.id, 4)).toBe(false);
  await database.close();
});
