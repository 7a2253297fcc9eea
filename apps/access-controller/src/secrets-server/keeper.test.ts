import { testClock } from '@gatehouse/service-kit/clock';
import { silentLog } from '@gatehouse/service-kit/log';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../store/database.ts';
import { vaultLeaseStore } from '../store/vault-leases.ts';
import { vaultTokenStore } from '../store/vault-tokens.ts';
import { keeper } from './keeper.ts';

test('servers that were slow share a few places, a new one has one, and neither holds up others', async () => {
  let servers = Array.from({ length: 10 }, (_, number) => `slow-${number}`);
  let ends: (() => void)[] = [];
  const kept = keeper(
    { clock: testClock(), log: silentLog, limits: {} },
    {
      due: () => servers.map((server) => ({ id: server, server })),
      get: (id) => ({ id, dueTime: 0 }),
    },
    () => new Promise((resolve) => ends.push(resolve)),
    // All of them took long enough.
    0,
  );
  const endAll = async (): Promise<void> => {
    for (const end of ends) end();
    await kept.done();
    ends = [];
  };
  kept.begin();
  expect(ends).toHaveLength(10);
  await endAll();
  kept.begin();
  expect(ends).toHaveLength(8);
  servers = [...servers, 'another'];
  kept.begin();
  expect(ends).toHaveLength(9);
  servers = [];
  kept.begin();
  await endAll();
});

test('servers that answer take turns, whichever has more to be done', async () => {
  const begun: string[] = [];
  const kept = keeper(
    { clock: testClock(), log: silentLog, limits: {} },
    {
      due: () =>
        ['many', 'many', 'many', 'few', 'few'].map((server, at) => ({ id: `${server} ${at}`, server })),
      get: (id) => ({ id, dueTime: 0 }),
    },
    async ({ id }) => void begun.push(id),
  );
  kept.begin();
  await expect.poll(() => begun).toHaveLength(5);
  expect(begun.slice(0, 4)).toEqual(['many 0', 'few 3', 'many 1', 'few 4']);
});

test('however many tokens and leases are due at one server, they hide none of another', async () => {
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
      SELECT 'lease ' || id, '', iif(server = 'one', 'token 1', id), '', '', 'active', 1, 0, expiration_time, 0
      FROM vault_token`);
    tx.run(leases.compile(tx.build));
  });
  const due = vaultTokenStore(store).due(0);
  expect(due).toHaveLength(5000);
  const leases = vaultLeaseStore(store).due(10_000);
  for (const first of [due.slice(0, 2), leases.slice(0, 2)])
    expect(first.map(({ server }) => server)).toEqual(['one', 'another']);
  await store.close();
});
