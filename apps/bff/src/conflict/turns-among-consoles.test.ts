import { systemClock } from '@gatehouse/service-kit/clock';
import { silentLog } from '@gatehouse/service-kit/log';
import { StoreUnavailable } from '@gatehouse/service-kit/store';
import { afterAll, describe, expect, test } from 'vitest';
import { isHeld } from '#ground/held.ts';
import { openPostgres } from '#store/postgres.ts';
import { postgresProxy } from '#test/postgres-proxy.ts';
import { startPostgres } from '#test/postgres.ts';
import { replicaKinds, replicasOfEach } from '#test/replicas.ts';
import { turnsAmongConsoles } from './turns-among-consoles.ts';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

describe.each(replicaKinds(postgres))('on %s, two replicas', (_kind, opener) => {
  const at = replicasOfEach(opener);

  test('do one thing to a record at a time, and a dead one delays the other only briefly', async () => {
    const { one, two, clock } = at;
    const parts = { clock, log: silentLog };
    const [first, second] = [one, two].map(({ database }) => turnsAmongConsoles({ database, ...parts }));
    const done: string[] = [];
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const key = 'secrets/'.repeat(1_000);
    const before = first?.(key, () => {
      begun.resolve();
      return held.promise;
    });
    await begun.promise;
    const after = second?.(key, async () => void done.push('after'));
    await second?.('another', async () => void done.push('another'));
    expect(done).toEqual(['another']);
    held.reject(new Error('failed'));
    await expect(before).rejects.toThrow('failed');
    await after;
    expect(done).toEqual(['another', 'after']);

    const dead = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const died = turnsAmongConsoles({ ...parts, database: one.database, heartbeatMs: 3_600_000 })(key, () => {
      began.resolve();
      return dead.promise.then(isHeld);
    });
    await began.promise;
    clock.advance(20_001);
    const aged = one.database.build.updateTable('turn').set(({ eb }) => ({
      lease_until: eb('lease_until', '-', 20_001),
    }));
    // SQLite's leases were judged by the clock above.
    if (one.database.shared) await one.database.run(aged.compile());
    await second?.(key, async () => void done.push('last'));
    expect(done).toEqual(['another', 'after', 'last']);
    // If it was only suspended, it changes nothing once it continues.
    dead.resolve();
    expect(await died).toBe(false);
  });
});

describe.runIf(postgres !== undefined)('a PostgreSQL database', () => {
  test('lets consoles do one thing to a record at a time, however their clocks differ', async () => {
    const url = (await postgres?.database()) ?? '';
    const [here, there] = [await openPostgres(url), await openPostgres(url)];
    const ahead = { ...systemClock, now: () => systemClock.now() + 300_000 };
    const first = turnsAmongConsoles({ database: here, clock: systemClock, log: silentLog });
    const second = turnsAmongConsoles({ database: there, clock: ahead, log: silentLog });
    const done: string[] = [];
    const begun = Promise.withResolvers<void>();
    const looked = Promise.withResolvers<void>();
    const before = first('record', async () => {
      begun.resolve();
      await looked.promise;
      done.push('first');
    });
    await begun.promise;
    const run = there.run.bind(there);
    let looks = 0;
    there.run = (query) => {
      looks += 1;
      // It has been refused once.
      if (looks === 2) looked.resolve();
      return run(query);
    };
    await second('record', async () => void done.push('second'));
    await before;
    expect(done).toEqual(['first', 'second']);
    await Promise.all([here.close(), there.close()]);
  });

  test('delays others only for seconds if a console is suspended in the middle of a change', async () => {
    const url = (await postgres?.database()) ?? '';
    await using proxy = await postgresProxy(url);
    const [suspended, other] = [await openPostgres(proxy.url), await openPostgres(url)];
    const headTo = (sequence: number) => other.build.updateTable('audit_head').set({ sequence }).compile();
    const isStill = Promise.withResolvers<void>();
    proxy.stops = (sql) => {
      if (!sql.startsWith('delete from "turn"')) return false;
      isStill.resolve();
      return true;
    };
    const change = suspended.batch([headTo(7), other.build.deleteFrom('turn').compile()]);
    change.catch(() => undefined);
    await isStill.promise;
    expect(await other.run(headTo(8))).toBe(1);
    await expect(change).rejects.toThrow(StoreUnavailable);
    expect(await other.get(other.build.selectFrom('audit_head').select('sequence').compile())).toEqual({
      sequence: 8,
    });
    for (const one of [suspended, other]) await one.close();
  });
});
