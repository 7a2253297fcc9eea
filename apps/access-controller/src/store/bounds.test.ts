import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { mostTokens } from '@gatehouse/service-kit/account-tokens';
import type { Store } from '@gatehouse/service-kit/store';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { sql } from 'kysely';
import type { CompiledQuery } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { listTokenLifetime } from '../domain/list-token.ts';
import { keptAfterEnd } from '../domain/session/session.ts';
import { authTokenStore } from './auth-tokens.ts';
import { forgetOldMarks } from './changes.ts';
import { openDatabase } from './database.ts';
import { hostCatalogStore } from './host-catalogs.ts';
import { hostSetStore } from './host-sets.ts';
import { hostStore } from './hosts.ts';
import type { Schema } from './schema.ts';
import { scopeStore } from './scopes.ts';
import { sessionStore } from './sessions.ts';
import { targetStore } from './targets.ts';

test("replaces a user's least recently used token when they have too many", async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  const tokens = authTokenStore(store);
  const issue = (userId: string, time: number) =>
    tokens.issue({
      userId,
      passwordVersion: 1,
      createdTime: time,
      lastUsedTime: time,
      expirationTime: 1_000_000,
    });
  const theirs = await issue('ben', 0);
  const made = await Promise.all(Array.from({ length: mostTokens }, (_, at) => issue('ada', at)));
  const [first, second] = made;
  if (first === undefined || second === undefined) throw new Error('no tokens');
  await tokens.recordUse(first.record.id, 500_000);
  await issue('ada', mostTokens);
  expect(tokens.pages('ada').count('all')).toBe(mostTokens);
  expect([first, second, theirs].map(({ record }) => tokens.get(record.id) !== undefined)).toEqual([
    true,
    false,
    true,
  ]);
  await store.close();
});

test("doesn't list the removed items for a client that is more than 10,000 removals behind", async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  await store.write((tx) => {
    const marks = sql.raw(`
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 10001)
      INSERT INTO removed_item (id, kind, container_id, change, removed_time)
      SELECT 'ttcp_' || n, 'target', 'p_1234567890', n, 0 FROM number`);
    tx.run(marks.compile(tx.build));
  });
  const targets = targetStore(store);
  expect(targets.removedSince('all', 1)).toHaveLength(10_000);
  expect(targets.removedSince('all', 0)).toBeUndefined();
  await store.close();
});

test('a large catalog is deleted in several writes, with other writes between them', async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  await run(store, [
    ...project,
    "INSERT INTO host_catalog VALUES ('hcst_1', 'p_1', '', '', 0, 0, 1, 1)",
    numbered(5_000, "INSERT INTO host SELECT 'hst_' || n, 'hcst_1', 'p_1', '', '', 0, 0, 1, '10.0.0.1', 1"),
  ]);
  expect(await othersDuring(store, hostCatalogStore(store).remove('hcst_1', 1))).toBeGreaterThan(2);
  expect(store.all(sql`SELECT id FROM host`.compile(store.build))).toEqual([]);
  await store.close();
});

test('an organization with many projects is deleted in several writes', async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  await run(store, [
    ...project,
    numbered(3_000, "INSERT INTO scope SELECT 'p_' || (n + 1), 'project', 'o_1', 'n' || n, '', 0, 0, 1"),
  ]);
  expect(await othersDuring(store, scopeStore(store).remove('o_1', 1))).toBeGreaterThan(2);
  expect(rows(store, "SELECT id FROM scope WHERE id <> 'global'")).toEqual([]);
  await store.close();
});

test('as many removals of a container are remembered as a refresh reports, and no older ones than list tokens', async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  await run(store, [
    ...project,
    "INSERT INTO host_catalog VALUES ('hcst_1', 'p_1', '', '', 0, 0, 1, 1), ('hcst_2', 'p_1', '', '', 0, 0, 1, 1)",
    numbered(12_000, "INSERT INTO host SELECT 'hst_' || n, 'hcst_1', 'p_1', '', '', 0, 0, 1, '10.0.0.1', 1"),
    "INSERT INTO host VALUES ('hst_0', 'hcst_2', 'p_1', '', '', 0, 0, 1, '10.0.0.1', 1)",
  ]);
  const catalogs = hostCatalogStore(store);
  await catalogs.remove('hcst_2', 1);
  await catalogs.remove('hcst_1', 1);
  const marks = () => rows(store, 'SELECT id FROM removed_item').length;
  expect(marks()).toBe(10_001 + 3);
  const hosts = hostStore(store);
  expect(hosts.removedSince({ in: 'hcst_1' }, 0)).toBeUndefined();
  expect(hosts.removedSince({ in: 'hcst_2' }, 0)).toEqual(['hst_0']);

  await forgetOldMarks(store, listTokenLifetime + 1);
  expect(marks()).toBe(10_004);
  await forgetOldMarks(store, listTokenLifetime + 2);
  expect(marks()).toBe(8_004);
  await store.close();
});

test('thousands of sessions are canceled and end in several writes', async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  await run(store, [...project, sessions(5000, 'theirs', 'pending', 1000, 7)]);
  const all = sessionStore(store);
  const statuses = () => rows(store, 'SELECT DISTINCT status, version FROM session');
  expect(await othersDuring(store, all.cancelOfUser('u_7', 2000))).toBeGreaterThan(1);
  expect(statuses()).toEqual([{ status: 'canceling', version: 2 }]);
  expect(await othersDuring(store, all.settle(3000))).toBeGreaterThan(2);
  expect(statuses()).toEqual([{ status: 'terminated', version: 3 }]);
  expect(rows(store, 'SELECT DISTINCT change FROM session')).toHaveLength(5000);
  await store.close();
});

test.each([
  ['ttcp_1', targetStore],
  ['hst_1', hostStore],
  ['hsst_1', hostSetStore],
] as const)('the sessions that %s takes along are canceled in several writes', async (id, storeOf) => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  await run(store, [
    ...project,
    "INSERT INTO host_catalog VALUES ('hcst_1', 'p_1', '', '', 0, 0, 1, 1)",
    "INSERT INTO host VALUES ('hst_1', 'hcst_1', 'p_1', '', '', 0, 0, 1, '10.0.0.1', 1)",
    "INSERT INTO host_set VALUES ('hsst_1', 'hcst_1', 'p_1', '', '', 0, 0, 1, 1)",
    `INSERT INTO target VALUES ('ttcp_1', 'p_1', 'tcp', 't', '', 0, 0, 1, 60, -1, '', '', '', '', 22, NULL, '', 0, 1)`,
    sessions(5000, 'its', 'pending', 1000, 'n % 3'),
  ]);
  expect(await othersDuring(store, storeOf(store).remove(id, 2000))).toBeGreaterThan(2);
  expect(rows(store, 'SELECT DISTINCT status FROM session')).toEqual([{ status: 'canceling' }]);
  await store.close();
});

describe('a session that has ended', () => {
  test('is deleted after an hour, in several writes, and only its user is informed', async () => {
    using folder = temporaryFolder();
    const store = openDatabase(folder.path);
    await run(store, [
      ...project,
      sessions(1999, 'ended', 'terminated', 1000, 'n % 2'),
      sessions(1, 'later', 'terminated', 1001, 0),
      sessions(5, 'living', 'pending', 1000, 'n % 2'),
    ]);
    const ended = sessionStore(store);
    const ids = () => rows(store, 'SELECT id FROM session');
    await ended.removeEnded(999 + keptAfterEnd);
    expect(ids()).toHaveLength(2005);

    expect(await othersDuring(store, ended.removeEnded(1000 + keptAfterEnd))).toBeGreaterThan(1);
    expect(ids()).toHaveLength(6);

    await ended.removeEnded(1001 + keptAfterEnd);
    expect(ids()).toHaveLength(5);
    const informed = (userId: string | undefined) =>
      ended.listing({ userId, terminated: true }).removedSince({ in: 'p_1' }, 0)?.length;
    expect([undefined, 'u_0', 'u_1', 'u_2'].map(informed)).toEqual([2000, 1000, 1000, 0]);
    await store.close();
  });

  test('is deleted in a later round if there are many', async () => {
    using folder = temporaryFolder();
    const store = openDatabase(folder.path);
    await run(store, [...project, sessions(2100, 'ended', 'terminated', 1000, 0)]);
    for (const left of [100, 0]) {
      await sessionStore(store).removeEnded(1000 + keptAfterEnd);
      expect(rows(store, 'SELECT id FROM session')).toHaveLength(left);
    }
    await store.close();
  });

  test.each([
    ['of all', undefined, 'all', 'session_living', 'session_change'],
    ['of a project', undefined, { in: 'p_1' }, 'session_living_in_project', 'session_change'],
    ['of an organization', undefined, { org: 'o_1' }, 'session_living_in_project', 'session_change'],
    ['of a user', 'u_1', 'all', 'session_living_of_user', 'session_change_of_user'],
    ['of a user in a project', 'u_1', { in: 'p_1' }, 'session_living_of_user', 'session_change_of_user'],
  ] as const)(
    'is not read by a list %s, unless it ended since',
    async (_, userId, within, living, changed) => {
      using folder = temporaryFolder();
      const store = openDatabase(folder.path);
      const asked: CompiledQuery[] = [];
      const listing = sessionStore({
        ...store,
        all: (query) => (asked.push(query), store.all(query)),
        get: (query) => (asked.push(query), store.get(query)),
      }).listing({ userId, terminated: false });
      using database = new DatabaseSync(join(folder.path, 'access-controller.db'));
      const indexes = (ask: () => unknown): unknown[] => {
        asked.length = 0;
        ask();
        return asked
          .flatMap(({ sql: text, parameters }) =>
            database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...(parameters as string[])),
          )
          .flatMap(({ detail }) => / session .*INDEX (\w+)/.exec(String(detail))?.[1] ?? []);
      };
      expect(indexes(() => listing.page(within, undefined, 100))).toEqual([living]);
      expect(indexes(() => listing.page(within, { createdTime: 1, id: 's_1' }, 100))).toEqual([living]);
      expect(indexes(() => listing.count(within))).toEqual([living]);
      expect(indexes(() => listing.changedPage(within, 1, 2, 100))).toEqual([changed]);
      await store.close();
    },
  );
});

const project = [
  "INSERT INTO scope VALUES ('o_1', 'org', NULL, '', '', 0, 0, 1)",
  "INSERT INTO scope VALUES ('p_1', 'project', 'o_1', '', '', 0, 0, 1)",
];

const numbered = (count: number, insert: string): string =>
  `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count}) ${insert} FROM number`;

/** SQL that inserts sessions in a status since `at`, of the users with the numbers `user`. */
const sessions = (count: number, name: string, status: string, at: number, user: number | string): string =>
  numbered(
    count,
    `INSERT INTO session SELECT 's_${name}' || n, 'p_1', 'ttcp_1', 'u_' || (${user}), 'at_1', 'hst_1', 'hsst_1', 'tcp',
       'tcp://10.0.0.1:22', ${at}, ${at}, 9000000000, 1, -1, '', '${status}', '[{"status":"${status}","startTime":${at}}]',
       ${status === 'terminated' ? 'NULL' : '9000000000'}, 1`,
  );

async function run(store: Store<Schema>, statements: readonly string[]): Promise<void> {
  await store.write((tx) => {
    for (const statement of statements) tx.run(sql.raw(statement).compile(tx.build));
  });
}

/** How many other writes are done while this work is. */
async function othersDuring(store: Store<Schema>, work: Promise<unknown>): Promise<number> {
  // Each look at the clock takes 4 ms, so that a write is over after a few steps, however fast the machine is.
  let time = performance.now();
  using _slow = vi.spyOn(performance, 'now').mockImplementation(() => (time += 4));
  const done = work.then(() => 'done');
  let others = 0;
  while ((await Promise.race([done, store.write(() => 'another')])) === 'another') others += 1;
  return others;
}

const rows = (store: Store<Schema>, text: string): unknown[] => store.all(sql.raw(text).compile(store.build));
