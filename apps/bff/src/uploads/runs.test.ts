import { testClock } from '@gatehouse/service-kit/clock';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { openSqlite } from '#store/sqlite.ts';
import { createRuns, planned } from './runs.ts';

test('a run from before there were architectures has one image of each provider, of an unknown one', async () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const provider = {
    id: 'p1',
    name: 'libvirt',
    source: { kind: 'image' },
    checksum: '',
    checksum_type: null,
    step: planned,
    had_image: false,
  };
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
        plan: JSON.stringify({ box: null, version: null, providers: [provider], release: planned }),
        created_at: 0,
        updated_at: 0,
      })
      .compile(),
  );
  const run = await createRuns(database, testClock()).find('pr_1');
  await database.close();
  expect(run?.plan.providers).toEqual([{ ...provider, architecture: 'unknown', is_default: true }]);
});
