import { systemClock } from '@gatehouse/service-kit/clock';
import { keyRingOfOne } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder, type TemporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import type { EnvironmentConfig } from '#config/config.ts';
import { tokenSeal } from '#session/token-seal.ts';
import { openSqlite } from '#store/sqlite.ts';
import { createRuns, planned } from './runs.ts';
import { createSpool, type SpoolOptions } from './spool.ts';
import { createUploads, type UploadPlace, type Uploads } from './uploads.ts';

/** An empty database with one run. */
async function withRun(folder: TemporaryFolder, quotas: Omit<SpoolOptions, 'folder'> = {}) {
  const database = openSqlite(folder.file('console.db'));
  const ring = keyRingOfOne('k_1', Buffer.alloc(32, 1));
  const seal = tokenSeal(
    () => ring,
    systemClock,
    () => undefined,
  );
  const spool = createSpool({ folder: folder.file('uploads'), ...quotas });
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

/** Two environments with embedded services, which have the same accounts. */
const environments = ['one', 'two'].map((id): EnvironmentConfig => {
  const service = { endpoint: { kind: 'socket', path: '/nowhere' }, signIn: ['password'] } as const;
  return {
    id,
    name: id,
    kind: 'development',
    sharedAccounts: false,
    services: { access: service, boxes: service },
  };
});
const idsOfAda = ['one/boxes/u_1', 'one/access/u_1', 'two/boxes/u_1', 'two/access/u_1'];

/** Begins as many uploads as are accepted, by these users in turn. @returns how many */
async function beginAll(
  uploads: Uploads,
  place: UploadPlace,
  personIds: readonly string[],
): Promise<{ readonly count: number; readonly refusal: string }> {
  for (let count = 0; ; count++) {
    const personId = personIds[count % personIds.length] ?? '';
    const upload = { ...place, personId, runId: `${place.runId} of ${personIds[0]}`, providerId: `${count}` };
    try {
      await uploads.begin(upload, file);
    } catch (error) {
      return { count, refusal: String(error) };
    }
  }
}

const file = { name: 'a.box', size: 10, last_modified: 0, fingerprint: 'a' };

test('reports to one of two consoles that begin an upload at the same time that the other has it', async () => {
  using folder = temporaryFolder();
  const { database, spool, place } = await withRun(folder);
  const consoles = [1, 2].map(() => createUploads(database, systemClock, spool, []));
  const begun = await Promise.allSettled(consoles.map((uploads) => uploads.begin(place, file)));
  // Either may be first.
  expect(begun.toSorted((a, b) => (a.status < b.status ? -1 : 1))).toEqual([
    { status: 'fulfilled', value: expect.objectContaining({ state: 'receiving' }) as unknown },
    { status: 'rejected', reason: expect.objectContaining({ code: 'conflict' }) as unknown },
  ]);
  await database.close();
});

test('removes what was written of an upload that was canceled just before', async () => {
  using folder = temporaryFolder();
  const { database, spool, place } = await withRun(folder);
  const uploads = createUploads(database, systemClock, spool, []);
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

test('counts the uploads and the space of an account at all services and in all environments', async () => {
  using folder = temporaryFolder();
  const { database, spool, place } = await withRun(folder);
  const uploads = createUploads(database, systemClock, spool, environments);
  expect(await beginAll(uploads, place, idsOfAda)).toEqual({
    count: 100,
    refusal: expect.stringContaining('You have 100 uploads in progress.') as unknown,
  });
  await uploads.begin({ ...place, personId: 'two/access/u_2', runId: 'theirs' }, file);

  using small = temporaryFolder();
  const other = await withRun(small, { personQuotaBytes: 45 });
  const bounded = createUploads(other.database, systemClock, other.spool, environments);
  expect(await beginAll(bounded, other.place, idsOfAda)).toEqual({
    count: 4,
    refusal: expect.stringContaining('all the space a user can have') as unknown,
  });
  await database.close();
  await other.database.close();
});

test('what an account announces takes at most half of the space that is left for uploads', async () => {
  using folder = temporaryFolder();
  const { database, spool, place } = await withRun(folder, { quotaBytes: 100 });
  const uploads = createUploads(database, systemClock, spool, environments);
  const refusal = expect.stringContaining('as much space as is left for others') as unknown;
  expect(await beginAll(uploads, place, idsOfAda)).toEqual({ count: 5, refusal });
  expect(await beginAll(uploads, place, ['one/boxes/u_2'])).toEqual({ count: 2, refusal });
  expect(await beginAll(uploads, place, ['one/boxes/u_3'])).toMatchObject({ count: 1 });
  await database.close();
});
