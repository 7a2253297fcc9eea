import { testClock } from '@gatehouse/service-kit/clock';
import { silentLog } from '@gatehouse/service-kit/log';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../store/database.ts';
import { vaultTokenStore } from '../store/vault-tokens.ts';
import { keeper } from './keeper.ts';

test('servers whose last answer took long share a few places, and hold up no others', async () => {
  let servers = Array.from({ length: 10 }, (_, number) => `slow-${number}`);
  let ends: (() => void)[] = [];
  const kept = keeper(
    { clock: testClock(), log: silentLog, limits: {} },
    {
      due: () => servers.flatMap((server) => ['one', 'two'].map((id) => ({ id: `${server}/${id}`, server }))),
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
  expect(ends).toHaveLength(20);
  await endAll();
  kept.begin();
  expect(ends).toHaveLength(8);
  servers = [...servers, 'another'];
  kept.begin();
  expect(ends).toHaveLength(10);
  servers = [];
  kept.begin();
  await endAll();
});

test('however many tokens are due at one server, they hide none of another', async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  await store.write((tx) => {
    const rows = sql.raw(`
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 6000)
      INSERT INTO vault_token (id, store_id, status, sealed, server, expiration_time, due_time, failures)
      SELECT 'token ' || n, 'store ' || n, 'current', x'', iif(n = 6000, 'another', 'one'), n, 0, 0 FROM number`);
    tx.run(rows.compile(tx.build));
  });
  const due = vaultTokenStore(store).due(0);
  expect(due).toHaveLength(5000);
  expect(due.slice(0, 2).map(({ server }) => server)).toEqual(['one', 'another']);
  await store.close();
});
