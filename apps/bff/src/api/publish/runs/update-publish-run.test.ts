import { systemClock } from '@gatehouse/service-kit/clock';
import { keyRingOfOne } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { tokenSeal } from '#session/token-seal.ts';
import { openSqlite } from '#store/sqlite.ts';
import { createRuns, planned } from '#uploads/runs.ts';
import { createSpool } from '#uploads/spool.ts';
import { createUploads } from '#uploads/uploads.ts';
import { updatePublishRun } from './update-publish-run.ts';

type Parts = Parameters<typeof updatePublishRun>;

test('a plan that a step changed between read and write is a conflict, and the next save succeeds', async () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const ring = keyRingOfOne('k_1', Buffer.alloc(32, 1));
  const seal = tokenSeal(
    () => ring,
    systemClock,
    () => undefined,
  );
  const runs = createRuns(database, systemClock, seal);
  const box = { username: 'ada', name: 'base', create: null };
  const run = await runs.create(
    { personId: 'ada', environment: 'test' },
    { box: { ...box, step: planned, stored: null }, version: null, providers: [], release: planned },
  );
  let reads = 0;
  const get: typeof runs.get = async (owner, id) => {
    reads += 1;
    if (reads === 2) await runs.change(id, (plan) => ({ ...plan, release: { ...planned, state: 'done' } }));
    return runs.get(owner, id);
  };
  const context: Partial<Parts[0]> = {
    runs: { ...runs, get },
    uploads: createUploads(database, systemClock, createSpool({ folder: folder.file('uploads') }), []),
  };
  const call: { [Part in keyof Parts[1]]?: Partial<Parts[1][Part]> } = {
    params: { environment: 'test', run: run.id },
    session: { personId: 'ada' },
    body: { box, version: { version: '1.0.0', description: '' }, providers: [] },
    note: { saw: () => undefined },
  };
  const save = (revision: string) => updatePublishRun(context as Parts[0], { ...call, revision } as Parts[1]);
  await expect(save(run.revision)).rejects.toMatchObject({
    code: 'conflict',
    init: { conflict: { reason: 'modified', currentRevision: '2' } },
  });
  await expect(save('2')).resolves.toMatchObject({ version: { version: '1.0.0' } });
  await database.close();
});
