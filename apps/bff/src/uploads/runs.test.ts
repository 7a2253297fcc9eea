import { systemClock, testClock } from '@gatehouse/service-kit/clock';
import { keyRingOfOne } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { tokenSeal } from '#session/token-seal.ts';
import { openSqlite } from '#store/sqlite.ts';
import { createRuns, planned, runLimit, type StoredPlan, type StoredRun } from './runs.ts';

const owner = { personId: 'test/boxes/ada', environment: 'test' };
const sealOf = () => {
  const ring = keyRingOfOne('k_1', Buffer.alloc(32, 1));
  return tokenSeal(
    () => ring,
    systemClock,
    () => undefined,
  );
};
const plan: StoredPlan = {
  box: { username: 'ada', name: 'canary-box', create: null, step: planned, stored: null },
  version: null,
  providers: [],
  release: planned,
};

const idsOf = async (runs: AsyncIterable<StoredRun>): Promise<string[]> =>
  (await Array.fromAsync(runs)).map(({ id }) => id);

test('stores plans encrypted and bound to their run', async () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const runs = createRuns(database, systemClock, sealOf());
  const stored = async () =>
    database.all(database.build.selectFrom('publish_run').select(['id', 'plan']).orderBy('id').compile());
  const set = (id: string, text: string) =>
    database.run(
      database.build.updateTable('publish_run').set({ plan: text }).where('id', '=', id).compile(),
    );
  const [one, two] = [await runs.create(owner, plan), await runs.create(owner, plan)];
  await runs.change(one.id, (before) => before);
  expect(JSON.stringify(await stored())).not.toContain('canary');
  expect((await runs.find(one.id))?.plan).toEqual(plan);

  const rows = await stored();
  await set(one.id, rows.find(({ id }) => id === two.id)?.plan ?? '');
  expect(await runs.find(one.id)).toBeUndefined();
  expect(await idsOf(runs.list(owner, false))).toEqual([two.id]);
  await database.close();
});

test("keeps the newest of a user's ended runs", async () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const clock = testClock();
  const runs = createRuns(database, clock, sealOf());
  const open = await runs.create(owner, plan);
  const first = await runs.create(owner, plan);
  await runs.log(first.id, 'The first one.');
  await runs.end(first.id, 'abandoned');
  const theirs = await runs.create({ ...owner, personId: 'test/boxes/bob' }, plan);
  await runs.end(theirs.id, 'abandoned');
  for (let count = 0; count < runLimit; count++) {
    clock.advance(1);
    await runs.end((await runs.create(owner, plan)).id, 'abandoned');
  }
  await runs.forgetEnded([owner.personId]);
  expect(await runs.find(first.id)).toBeUndefined();
  expect(await runs.readLog(first.id)).toEqual([]);
  expect((await runs.find(theirs.id))?.id).toBe(theirs.id);
  expect(await runs.countOpen([owner.personId])).toBe(1);
  expect(await idsOf(runs.list(owner, false))).toEqual([open.id]);
  expect(await idsOf(runs.list(owner, true))).toHaveLength(runLimit - 1);
  await database.close();
});
