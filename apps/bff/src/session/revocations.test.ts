import { systemClock } from '@gatehouse/service-kit/clock';
import { createLog } from '@gatehouse/service-kit/log';
import { keyRingOfOne } from '@gatehouse/service-kit/secret-box';
import { StoreUnavailable } from '@gatehouse/service-kit/store';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import type { Database } from '#store/database.ts';
import { openSqlite } from '#store/sqlite.ts';
import { revocations } from './revocations.ts';
import { tokenSeal } from './token-seal.ts';

const place = { session_id: 's', environment: 'e', service: 'boxes' };

/** An empty queue's parts, and how to add tokens to it. */
function startQueue(folder: { file(name: string): string }) {
  const database = openSqlite(folder.file('console.db'));
  const ring = keyRingOfOne('k_1', Buffer.alloc(32, 1));
  const seal = tokenSeal(
    () => ring,
    systemClock,
    () => undefined,
  );
  const sealed = seal.seal('x', { sessionId: 's', environment: 'e', service: 'boxes' });
  const add = async (first: number, count: number): Promise<void> => {
    const rows = Array.from({ length: count }, (_, index) => ({
      ...place,
      id: `r${first + index}`,
      token_id: `t${first + index}`,
      sealed_token: sealed,
      attempts: 0,
      next_attempt_at: 0,
      give_up_at: Number.MAX_SAFE_INTEGER,
    }));
    await database.run(database.build.insertInto('revocation').values(rows).compile());
  };
  return { database, seal, add };
}

test('whoever waits for the queue waits for tokens that became due during its work', async () => {
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
    revoke: async (_environment, _service, tokenId) => {
      begun.resolve();
      await answer.promise;
      revoked.push(tokenId);
    },
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
    revoke: () => Promise.resolve(),
  });
  await expect(queue.run()).rejects.toBe(down);
  expect(lines.join('')).toContain('revocation queue');
  await database.close();
});
