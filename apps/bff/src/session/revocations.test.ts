import { systemClock, testClock } from '@gatehouse/service-kit/clock';
import { createLog, silentLog } from '@gatehouse/service-kit/log';
import { keyRingOfOne } from '@gatehouse/service-kit/secret-box';
import { StoreUnavailable } from '@gatehouse/service-kit/store';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import type { Database } from '#store/database.ts';
import type { RevocationRow } from '#store/schema.ts';
import { openSqlite } from '#store/sqlite.ts';
import { revocations } from './revocations.ts';
import { tokenSeal } from './token-seal.ts';

const place = { session_id: 's', environment: 'e', service: 'boxes' };

/** The seal of a console that reaches the service at this address; undefined if it isn't configured there. */
function sealOf(address: string | undefined) {
  const ring = keyRingOfOne('k_1', Buffer.alloc(32, 1));
  return tokenSeal(
    () => ring,
    systemClock,
    () => address,
  );
}

/** An empty queue's parts, and how to add tokens to it. */
function startQueue(folder: { file(name: string): string }) {
  const database = openSqlite(folder.file('console.db'));
  const seal = sealOf('https://one.example');
  const sealed = seal.seal('x', { sessionId: 's', environment: 'e', service: 'boxes' });
  const add = async (first: number, count: number, more: Partial<RevocationRow> = {}): Promise<void> => {
    const rows = Array.from({ length: count }, (_, index) => ({
      ...place,
      id: `r${first + index}`,
      token_id: `t${first + index}`,
      sealed_token: sealed,
      attempts: 0,
      next_attempt_at: 0,
      give_up_at: Number.MAX_SAFE_INTEGER,
      ...more,
    }));
    await database.run(database.build.insertInto('revocation').values(rows).compile());
  };
  return { database, seal, add };
}

test('waiting for the queue includes tokens that became due during its work', async () => {
  using folder = temporaryFolder();
  const { database, seal, add } = startQueue(folder);
  const begun = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const revoked: string[] = [];
  const queue = revocations({
    database,
    clock: systemClock,
    seal,
    log: createLog({ service: 'console', destination: { write: () => undefined } }),
    serviceOf: () => ({
      async revoke(tokenId) {
        begun.resolve();
        await answer.promise;
        revoked.push(tokenId);
      },
    }),
  });
  await add(0, 1);
  queue.wake();
  await begun.promise;
  await add(1, 1);
  const all = queue.run();
  answer.resolve();
  await all;
  expect(revoked).toEqual(['t0', 't1']);
  await database.close();
});

test('a database that fails between two full batches is logged, and ends no process', async () => {
  using folder = temporaryFolder();
  const { database, seal, add } = startQueue(folder);
  for (let first = 0; first < 1000; first += 100) await add(first, 100);
  let reads = 0;
  const down = new StoreUnavailable('busy', undefined);
  const failing: Database = {
    ...database,
    all: async (query) => {
      reads += 1;
      if (reads === 1) return database.all(query);
      // Turns of the event loop, in which a rejection that nobody awaits is reported.
      for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
      throw down;
    },
    run: () => Promise.reject(down),
  };
  const lines: string[] = [];
  const log = createLog({ service: 'console', destination: { write: (line) => void lines.push(line) } });
  const queue = revocations({
    database: failing,
    clock: systemClock,
    seal,
    log,
    serviceOf: () => ({ revoke: () => Promise.resolve() }),
  });
  await expect(queue.run()).rejects.toBe(down);
  expect(lines.join('')).toContain('revocation queue');
  await database.close();
});

test.each([
  ["doesn't name the service", undefined],
  ['names it at another address', 'https://two.example'],
])(
  'a console whose configuration %s leaves the token to the one that can revoke it',
  async (_why, address) => {
    using folder = temporaryFolder();
    const { database, seal, add } = startQueue(folder);
    const clock = testClock();
    const revoked: string[] = [];
    const queueOf = (own: typeof seal, isConfigured: boolean) =>
      revocations({
        database,
        clock,
        seal: own,
        log: silentLog,
        serviceOf: () =>
          isConfigured
            ? {
                revoke: async (tokenId) => {
                  revoked.push(tokenId);
                  await Promise.resolve();
                },
              }
            : undefined,
      });
    const other = queueOf(sealOf(address), address !== undefined);
    const left = () =>
      database.all(
        database.build.selectFrom('revocation').select(['id', 'attempts', 'next_attempt_at']).compile(),
      );
    // More than a batch, so that others' tokens hide none of the console's own.
    for (let first = 0; first < 1_100; first += 100) await add(first, 100);
    const before = await left();
    await other.run();
    expect(await left()).toEqual(before);
    const own = sealOf(address).seal('y', { sessionId: 's', environment: 'e', service: 'boxes' });
    await add(2_000, 1, { sealed_token: own, next_attempt_at: 1 });
    await other.run();
    expect(revoked).toEqual(address === undefined ? [] : ['t2000']);
    // A token that has ended is removed by any console, some time later.
    await add(3_000, 1, { give_up_at: clock.now() });
    await other.run();
    expect((await left()).map(({ id }) => id)).toContain('r3000');
    clock.advance(7 * 60_000);
    await other.run();
    expect((await left()).map(({ id }) => id)).not.toContain('r3000');
    expect(revoked).not.toContain('t3000');
    await queueOf(seal, true).run();
    expect(revoked).toHaveLength(address === undefined ? 1_100 : 1_101);
    await database.close();
  },
);
