import { systemClock } from '@gatehouse/service-kit/clock';
import { keyRingOfOne } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { tokenSeal } from '#session/token-seal.ts';
import { openSqlite } from '#store/sqlite.ts';
import { createRuns, planned, type StoredPlan } from './runs.ts';

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

test('plans are kept sealed, each as its own run’s, and those of earlier releases are sealed at the next start', async () => {
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

  await set(one.id, JSON.stringify(plan));
  expect((await runs.find(one.id))?.plan).toEqual(plan);
  await runs.renewSeals();
  expect(JSON.stringify(await stored())).not.toContain('canary');
  expect((await runs.find(one.id))?.plan).toEqual(plan);

  const rows = await stored();
  await set(one.id, rows.find(({ id }) => id === two.id)?.plan ?? '');
  expect(await runs.find(one.id)).toBeUndefined();
  expect((await runs.list(owner, false)).map(({ id }) => id)).toEqual([two.id]);
  await database.close();
});

test('a run of an earlier release has one image of each provider, of an unknown architecture, and shows no stored record', async () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const exists = { ...planned, state: 'exists' as const };
  const provider = {
    id: 'p1',
    name: 'libvirt',
    source: { kind: 'image' },
    checksum: '',
    checksum_type: null,
    step: exists,
    had_image: false,
    may_replace: null,
  };
  const box = { username: 'ada', name: 'base', create: null, step: exists };
  const version = { version: '1.0.0', description: '', step: exists };
  const { build } = database;
  await database.run(
    build
      .insertInto('publish_run')
      .values({
        id: 'pr_1',
        environment: 'test',
        person_id: 'ada',
        state: 'open',
        revision: 1,
        plan: JSON.stringify({ box, version, providers: [provider], release: planned }),
        created_at: 0,
        updated_at: 0,
      })
      .compile(),
  );
  const run = await createRuns(database, systemClock, sealOf()).find('pr_1');
  await database.close();
  expect(run?.plan).toMatchObject({
    box: { ...box, stored: null },
    version: { ...version, stored: null },
    providers: [{ ...provider, architecture: 'unknown', is_default: true, stored: null }],
  });
});
