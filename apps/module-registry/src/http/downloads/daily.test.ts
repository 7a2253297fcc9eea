import { dayOf } from '@gatehouse/service-kit/clock';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../../store/database.ts';
import { downloadStore, mostAtOnce } from '../../store/downloads.ts';
import type { Wire } from '../../testing/client.ts';
import { startServer } from '../../testing/server.ts';

const net = { namespace: 'acme', name: 'net', provider: 'aws', description: '' };
const versions = Array.from({ length: 1500 }, (_, minor) => `1.${minor}.0`);

/** A registry with a module whose 1,500 versions were each downloaded twice a day, on 20 days up to today. */
async function startDownloaded() {
  const server = await startServer({ seed: [{ ...net, versions }] });
  const store = openDatabase(server.dataDir);
  const today = dayOf(server.clock.now());
  await store.write((tx) => {
    const days = sql`WITH RECURSIVE on_day(day) AS (SELECT ${today - 19} UNION ALL SELECT day + 1 FROM on_day WHERE day < ${today})`;
    for (const rows of [
      sql`INSERT INTO download (module_id, version_id, day, count) ${days} SELECT 1, id, day, 2 FROM on_day, version`,
      sql`INSERT INTO download_day (module_id, day, versions, count) ${days} SELECT 1, day, 1500, 3000 FROM on_day`,
      sql`UPDATE module SET downloads = 60000`,
    ])
      tx.run(rows.compile(tx.build));
  });
  return {
    server,
    store,
    today,
    async [Symbol.asyncDispose]() {
      await store.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

test('returns downloads of the newest days that fit, of fewer days to strangers', async () => {
  await using registry = await startDownloaded();
  const { server } = registry;
  const user = await server.as('read-only');
  const daily = '/v2/modules/acme/net/aws/downloads/daily';
  for (const [client, path, since, rows] of [
    [server.anonymous, `${daily}?days=366`, '2026-01-01', 1500],
    [user, daily, '2025-12-20', 13 * 1500],
    [user, `${daily}?days=2`, '2025-12-31', 3000],
  ] as const) {
    const { body } = await client.get(path);
    const data = body['data'] as Wire[];
    expect(body['meta']).toEqual({ since });
    expect(data).toHaveLength(rows);
    expect(data[0]).toEqual({ date: since, version: '1.0.0', count: 2 });
    expect(data.at(-1)).toEqual({ date: '2026-01-01', version: '1.1499.0', count: 2 });
  }
});

test('reads a limited number of downloads at a time', async () => {
  await using registry = await startDownloaded();
  const parts = [...downloadStore(registry.store).daily(1, registry.today - 1)];
  expect(parts.map((part) => part.length)).toEqual(Array.from({ length: 12 }, () => mostAtOnce));
  expect(new Set(parts.flat().map(({ date, version }) => `${date} ${version}`)).size).toBe(3000);
});

test('keeps the downloads of 366 days, and the total', async () => {
  await using registry = await startDownloaded();
  const { server, store, today } = registry;
  const downloads = downloadStore(store);
  const daysOf = (table: 'download' | 'download_day'): number[] =>
    store
      .all(store.build.selectFrom(table).select('day').distinct().orderBy('day').compile())
      .map(({ day }) => day);
  const count = (days: number, version: number): Promise<void> =>
    downloads.count({ id: version, moduleId: 1 }, undefined, server.clock.now() + days * 86_400_000);
  // The first of 20 days, a few at a time.
  const next = today - 19 + 366;
  for (const version of [1, 2]) await count(next - today, version);
  expect(daysOf('download')[0]).toBe(today - 19);
  expect(daysOf('download_day')[0]).toBe(today - 18);
  await count(next - today, 3);
  expect(daysOf('download')).toEqual([...Array.from({ length: 19 }, (_, day) => today - 18 + day), next]);
  const { body } = await server.anonymous.get('/v2/modules/acme/net/aws/downloads/summary');
  expect(body['data']).toMatchObject({ attributes: { total: 60_003 } });
});

test('knows totals without the downloads of versions', async () => {
  await using registry = await startDownloaded();
  const { server, store } = registry;
  await store.write((tx) => {
    tx.run(tx.build.deleteFrom('download').compile());
  });
  const summary = await server.anonymous.get('/v2/modules/acme/net/aws/downloads/summary');
  expect(summary.body['data']).toMatchObject({
    attributes: { week: 21_000, month: 60_000, year: 60_000, total: 60_000 },
  });
  for (const path of ['/v1/modules', '/v1/modules/acme/net'])
    expect((await server.anonymous.get(path)).body['modules']).toMatchObject([{ downloads: 60_000 }]);
});

test('counts the downloaded versions of a day once each', async () => {
  await using server = await startServer({ seed: [{ ...net, versions }] });
  const store = openDatabase(server.dataDir);
  const downloads = downloadStore(store);
  const now = server.clock.now();
  for (const id of [1, 1, 2]) await downloads.count({ id, moduleId: 1 }, undefined, now);
  expect(downloads.firstDay(1, 1, 2, now)).toBe(dayOf(now));
  expect(downloads.firstDay(1, 1, 1, now)).toBe(dayOf(now) + 1);
  await store.close();
});
