import { AsyncResource } from 'node:async_hooks';
import { systemClock, testClock } from '@gatehouse/service-kit/clock';
import { silentLog } from '@gatehouse/service-kit/log';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { isHeld, whileHeld } from '#ground/held.ts';
import { createMoves } from '#moves/rows/moves.ts';
import { startPostgres } from '#test/postgres.ts';
import { changeIn, createHolder, hasNotEnded, stopwatch, underLease } from './lease.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

test('extends a lease until it is lost, also after the database failed, and not after its end', async () => {
  const answers: (boolean | Error)[] = [true, new Error('busy'), true, false];
  let lost = 0;
  const parts = { clock: testClock(), log: silentLog };
  const extend = async (): Promise<boolean> => {
    const answer = answers.shift() ?? true;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const lease = { age: () => 0, lastsMs: 60_000, extend, lost: () => (lost += 1) };
  await underLease(lease, { ...parts, heartbeatMs: 1 }, async () => {
    expect(isHeld()).toBe(true);
    await expect.poll(() => lost).toBe(1);
    expect(isHeld()).toBe(false);
  });
  expect(answers).toEqual([]);
  answers.push(true);
  await underLease(lease, parts, async () => undefined);
  expect([answers, lost]).toEqual([[true], 1]);
});

test('counts a lease as lost five seconds before it ends unless it is extended, until the work is done', async () => {
  const clock = testClock();
  const beats = Promise.withResolvers<boolean>();
  const lease = {
    age: stopwatch(clock),
    lastsMs: 20_000,
    extend: () => beats.promise,
    lost: () => expect.unreachable(),
  };
  const left = await underLease(lease, { clock, log: silentLog, heartbeatMs: 1 }, async () => {
    clock.advance(14_999);
    expect(isHeld()).toBe(true);
    clock.advance(1);
    expect(isHeld()).toBe(false);
    whileHeld(
      () => true,
      () => expect(isHeld()).toBe(false),
    );
    beats.resolve(true);
    // Extended while it was suspended: no other process has taken it.
    await expect.poll(isHeld).toBe(true);
    clock.advance(15_000);
    await expect.poll(isHeld).toBe(true);
    return { isStillHeld: AsyncResource.bind(isHeld) };
  });
  clock.advance(60_000);
  expect(left.isStillHeld()).toBe(true);
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
  expect([await claim, await holder.claim(id)]).toEqual([undefined, undefined]);
  const rows = await database.all(build.selectFrom('move').select('worker').compile());
  await database.close();
  expect(rows).toEqual([{ worker: null }]);
});

test.runIf(postgres !== undefined)(
  'the end of a session waits for a change that needs the session',
  async () => {
    const url = (await postgres?.database()) ?? '';
    const database = await openPostgres(url);
    const other = new pg.Client(url);
    await other.connect();
    const { build } = database;
    const text = {
      secret_hash: '',
      person_name: '',
      login_name: '',
      environment: '',
      service: '',
      method: '',
    };
    const times = { signed_in_at: 0, last_active_at: 0, expires_at: 0 };
    const row = { id: 'se_1', person_id: 'ada', ...text, ...times, address: '', client: '' };
    await database.run(
      build
        .insertInto('session')
        .values({ ...row, ended: null, ended_at: null })
        .compile(),
    );
    const { id } = await createMoves(database, systemClock).create({
      environment: 'a',
      kind: 'boxes',
      personId: 'ada',
      personName: 'Ada',
      address: 'https://there.example',
      wanted: [],
    });
    const change = (): Promise<boolean> =>
      changeIn(
        { database, clock: systemClock },
        'move',
        { id, from: ['paused'], only: hasNotEnded(database, 'se_1') },
        { sealed_token: 'sealed' },
        // Waits for the other client.
        [sql`update preference set value = value`.compile(build)],
      );
    const waits = sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    const waiting = async (): Promise<number> => (await database.all(waits.compile(build))).length;
    await other.query('BEGIN; LOCK TABLE preference');
    const changed = change();
    await expect.poll(waiting).toBe(1);
    const ended = database.run(build.updateTable('session').set({ ended: 'ended' }).compile());
    await expect.poll(waiting).toBe(2);
    await other.query('COMMIT');
    expect([await changed, await ended, await change()]).toEqual([true, 1, false]);
    await other.end();
    await database.close();
  },
);
