import { testClock } from '@gatehouse/service-kit/clock';
import { createLog, silentLog } from '@gatehouse/service-kit/log';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../store/database.ts';
import { vaultLeaseStore } from '../store/vault-leases.ts';
import { vaultTokenStore, type Due } from '../store/vault-tokens.ts';
import { keeper } from './keeper.ts';

/** A keeper whose work lasts until a test ends it. @param slowMs the duration from which servers count as slow */
function keeping(slowMs?: number) {
  const clock = testClock();
  let due: Due[] = [];
  let begun: { readonly id: string; readonly end: () => void }[] = [];
  const kept = keeper(
    { clock, log: silentLog, limits: {} },
    { due: () => due, get: (id) => ({ id, dueTime: 0 }) },
    ({ id }) => new Promise<void>((end) => begun.push({ id, end })),
    slowMs,
  );
  return {
    /** Starts a round with one item per entry. @returns the servers of the items that it begins at once */
    round(servers: readonly string[]): string[] {
      due = servers.map((server, at) => ({ id: `${server} ${at}`, server }));
      const before = begun.length;
      kept.begin();
      return begun.slice(before).map(({ id }) => id.replace(/ .*/, ''));
    },
    begun: () => begun.length,
    /** Ends all work that has begun, after a time. */
    async end(ms = 0): Promise<void> {
      clock.advance(ms);
      due = [];
      kept.begin();
      for (const { end } of begun) end();
      await kept.done();
      begun = [];
    },
  };
}

test('lets slow servers share a few places, and gives a new server one', async () => {
  const works = keeping();
  const slow = Array.from({ length: 10 }, (_, number) => `slow-${number}`);
  expect(works.round(slow)).toHaveLength(10);
  await works.end(2_000);
  expect(works.round(slow)).toHaveLength(8);
  expect(works.round([...slow, 'new', 'new'])).toEqual(['new']);
  await works.end();
});

test('prefers the servers that have used the least time among those equally fast, in later rounds too', async () => {
  const works = keeping();
  const eager = Array.from({ length: 300 }, (_, number) => `eager-${number}`);
  expect(works.round(eager)).toHaveLength(256);
  await works.end(1_800);
  works.round(['light']);
  await works.end(1_000);
  // Servers without a place in the first round have used no time.
  const begun = works.round([...eager, 'light']);
  expect(begun.slice(0, 44)).toEqual(eager.slice(256));
  expect(begun[44]).toBe('light');
  await works.end();
});

test('gives a fast server four places', async () => {
  const works = keeping();
  works.round(['quick']);
  await works.end(1);
  expect(works.round(Array.from({ length: 9 }, () => 'quick'))).toHaveLength(4);
  await works.end();
});

test('gives the place of slow work to other work', async () => {
  const works = keeping(5);
  const slow = Array.from({ length: 10 }, (_, number) => `slow-${number}`);
  works.round(slow);
  await works.end(5);
  expect(works.round(slow)).toHaveLength(8);
  await expect.poll(() => works.begun()).toBe(10);
  await works.end();
});

test('keeps a part of each round for slower servers', async () => {
  const works = keeping();
  const quick = Array.from({ length: 120 }, (_, number) => `quick-${number}`);
  works.round(quick);
  await works.end(1);
  works.round(['other']);
  await works.end(300);
  const due = quick.flatMap((server) => [server, server, server, server]);
  expect(works.round([...due, 'other'])).toContain('other');
  await works.end();
  // With no other work, fast servers get the whole round.
  expect(works.round(due)).toHaveLength(400);
  await works.end();
});

test('begins a limited number of items per round, however many servers answer at once', async () => {
  const begun: string[] = [];
  const kept = keeper(
    { clock: testClock(), log: silentLog, limits: {} },
    {
      due: () => Array.from({ length: 1_000 }, (_, at) => ({ id: String(at), server: String(at % 300) })),
      get: (id) => ({ id, dueTime: 0 }),
    },
    async ({ id }) => void begun.push(id),
  );
  kept.begin();
  await kept.done();
  await expect.poll(() => begun.length).toBe(400);
  kept.begin();
  await expect.poll(() => begun.length).toBe(800);
});

test("finds a server's due tokens and leases, however many are due at another server", async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  await store.write((tx) => {
    const rows = sql.raw(`
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 6000)
      INSERT INTO vault_token (id, store_id, status, sealed, server, expiration_time, due_time, failures)
      SELECT 'token ' || n, 'store ' || n, 'current', x'', iif(n = 6000, 'another', 'one'), n, 0, 0 FROM number`);
    tx.run(rows.compile(tx.build));
    const leases = sql.raw(`
      INSERT INTO vault_lease
      SELECT 'lease ' || id, '', iif(server = 'one', 'token 1', id), '', '', '', 'active', 1, 0, expiration_time, 0
      FROM vault_token`);
    tx.run(leases.compile(tx.build));
  });
  const due = vaultTokenStore(store).due(0);
  expect(due).toHaveLength(5000);
  const leases = vaultLeaseStore(store, silentLog).due(10_000);
  for (const first of [due.slice(0, 2), leases.slice(0, 2)])
    expect(first.map(({ server }) => server)).toEqual(['one', 'another']);
  await store.close();
});

test('checks an item that cannot be read later and later, logs one per round, and checks others in the meantime', async () => {
  const clock = testClock();
  const lines: string[] = [];
  const read: string[] = [];
  const checked: string[] = [];
  const due = ['broken-1', 'broken-2', 'good'].map((id) => ({ id, server: id }));
  const log = createLog({ service: 'access', destination: { write: (line) => void lines.push(line) } });
  let isBroken = true;
  const kept = keeper(
    { clock, log, limits: {} },
    {
      due: () => due,
      get: (id) => {
        read.push(id);
        if (isBroken && id !== 'good') throw new Error('unreadable');
        return { id, dueTime: 0 };
      },
    },
    async ({ id }) => void checked.push(id),
  );
  /** Does a round, after a time. @returns the items that were read and the number of lines that were logged */
  const round = async (ms = 0) => {
    clock.advance(ms);
    read.length = lines.length = 0;
    kept.begin();
    await kept.done();
    return [read.toSorted(), lines.length];
  };
  const all = ['broken-1', 'broken-2', 'good'];
  expect(await round()).toEqual([all, 1]);
  expect(await round(999)).toEqual([['good'], 0]);
  expect(await round(1)).toEqual([all, 1]);
  expect(await round(1_999)).toEqual([['good'], 0]);
  expect(await round(1)).toEqual([all, 1]);
  isBroken = false;
  expect(await round(4_000)).toEqual([all, 0]);
  expect(await round()).toEqual([all, 0]);
  expect(new Set(checked)).toEqual(new Set(all));
});
