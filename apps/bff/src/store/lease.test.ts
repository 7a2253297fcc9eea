import { systemClock } from '@gatehouse/service-kit/clock';
import { silentLog } from '@gatehouse/service-kit/log';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { createMoves } from '#moves/rows/moves.ts';
import { createHolder, heartbeat } from './lease.ts';
import { openSqlite } from './sqlite.ts';

test('extends a lease until it is lost, also after the database failed, and not after its end', async () => {
  const answers: (boolean | Error)[] = [true, new Error('busy'), true, false];
  let lost = 0;
  const beats = { log: silentLog, heartbeatMs: 1 };
  const extend = async (): Promise<boolean> => {
    const answer = answers.shift() ?? true;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const end = heartbeat(extend, () => (lost += 1), beats);
  await expect.poll(() => lost).toBe(1);
  await end();
  expect(answers).toEqual([]);
  answers.push(true);
  await heartbeat(extend, () => (lost += 1), { log: silentLog })();
  expect([answers, lost]).toEqual([[true], 1]);
});

test('claims no rows during or after the release of all', async () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const { build } = database;
  const { id } = await createMoves(database, systemClock).create({
    environment: 'a',
    kind: 'boxes',
    personId: 'ada',
    personName: 'Ada',
    address: 'https://there.example',
    wanted: [],
  });
  await database.run(build.updateTable('move').set({ sealed_token: 'sealed' }).compile());
  const holder = createHolder('move', { database, clock: systemClock, log: silentLog });
  const claim = holder.claim(id);
  await holder.release();
  expect([await claim, await holder.claim(id)]).toEqual([false, false]);
  const rows = await database.all(build.selectFrom('move').select('worker').compile());
  await database.close();
  expect(rows).toEqual([{ worker: null }]);
});
