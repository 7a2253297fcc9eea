import { systemClock, testClock } from '@gatehouse/service-kit/clock';
import { silentLog } from '@gatehouse/service-kit/log';
import { keyRingOfOne } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { tokenSeal } from '#session/token-seal.ts';
import { openPostgres } from '#store/postgres.ts';
import { openSqlite } from '#store/sqlite.ts';
import { postgresProxy } from '#test/postgres-proxy.ts';
import { startPostgres } from '#test/postgres.ts';
import { auditChain } from './chain.ts';
import { auditKeys } from './keys.ts';
import { auditTrail, pathsWithin, type Deed } from './trail.ts';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const ring = keyRingOfOne('k_1', Buffer.alloc(32, 7));
const seal = tokenSeal(
  () => ring,
  systemClock,
  () => undefined,
);

test("keeps 1,000 paths and 32 KiB of an entry's paths, and the number of the others", () => {
  const short = Array.from({ length: 1_001 }, (_, at) => `f${at}`);
  expect(pathsWithin(short.slice(0, 1_000))).toEqual(short.slice(0, 1_000));
  expect(pathsWithin(short)).toEqual([...short.slice(0, 999), 'and 2 more']);
  const long = Array.from({ length: 80 }, () => 'x'.repeat(512));
  expect(pathsWithin(long.slice(0, 64))).toEqual(long.slice(0, 64));
  expect(pathsWithin(long)).toEqual([...long.slice(0, 64), 'and 16 more']);
});

test('counts recorded reads of a user, and an entry with long paths or decisions more than once', async () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const clock = testClock();
  const chain = auditChain(database, (await auditKeys(database, seal, clock)).current, silentLog);
  const trail = auditTrail({ environments: [], database, chain, seal, clock, log: silentLog });
  const short = { personId: 'test/access/ada', paths: ['f'], decisions: [] };
  const long = { ...short, paths: Array.from({ length: 3 }, () => 'x'.repeat(500)) };
  const choice = { path: 'x'.repeat(300), choice: 'mine' } as const;
  const decided = { ...short, decisions: Array.from({ length: 5 }, () => choice) };
  for (let read = 0; read < 150; read += 1) trail.count(long, true)();
  for (let read = 0; read < 150; read += 1) trail.count(decided, true)();
  const refused = { code: 'rate-limited', message: expect.stringContaining('revealed or compared values') };
  expect(() => trail.count(short, true)).toThrow(expect.objectContaining(refused));
  clock.advance(1_000);
  for (let read = 0; read < 5; read += 1) trail.count(short, true)();
  expect(() => trail.count(short, true)).toThrow(expect.objectContaining(refused));
  // Changes that succeed are never delayed; failures count by their paths too.
  for (let change = 0; change < 400; change += 1) trail.count(long, false)();
  for (let failure = 0; failure < 150; failure += 1) trail.count(long, false);
  expect(() => trail.count(short, false)).toThrow('failed, changed nothing or were exports');
  await database.close();
});

test("records other late outcomes though one still can't be recorded", async () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const chain = auditChain(database, (await auditKeys(database, seal, systemClock)).current, silentLog);
  const failing = new Set(['first', 'second']);
  const trail = auditTrail({
    environments: [],
    database,
    chain: {
      ...chain,
      append: async (event, along) => {
        if (failing.has(event.resource_id)) throw new Error('the disk is full');
        return chain.append(event, along);
      },
    },
    seal,
    clock: systemClock,
    log: silentLog,
  });
  for (const id of failing) await trail.did({ ...deed, id }, null);
  failing.delete('second');
  await trail.retry();
  const recorded = await database.all(database.build.selectFrom('audit').select('resource_id').compile());
  expect(recorded).toEqual([{ resource_id: 'second' }]);
  await trail.close();
  await database.close();
});

test("an entry stays open until its outcome is stored, also if another console's row comes first", async () => {
  using folder = temporaryFolder();
  const [database, elsewhere] = [
    openSqlite(folder.file('console.db')),
    openSqlite(folder.file('console.db')),
  ];
  const { current } = await auditKeys(database, seal, systemClock);
  const [chain, other] = [database, elsewhere].map((each) => auditChain(each, current, silentLog));
  if (chain === undefined || other === undefined) throw new Error('unreachable');
  const trail = auditTrail({ environments: [], database, chain, seal, clock: systemClock, log: silentLog });
  const open = () => database.all(database.build.selectFrom('audit_open').select('intent').compile());
  const wish = { operation: 'targets.update', params: {}, body: {}, revision: null } as const;
  const intent = await trail.intend(deed, wish);
  const { sequence: _sequence, previous_hash: _previous, key_id: _key, hash: _hash, ...event } = intent;
  await other.append({ ...event, request_id: 'another' });
  // The first attempt finds the other row; the second one fails.
  const batch = database.batch.bind(database);
  let attempts = 0;
  const failing = vi.spyOn(database, 'batch').mockImplementation((statements) => {
    attempts += 1;
    return attempts === 2 ? Promise.reject(new Error('the disk is full')) : batch(statements);
  });
  await trail.conclude(intent, { outcome: 'succeeded', problem: null, revisionAfter: null, learned: {} });
  failing.mockRestore();
  expect(attempts).toBe(2);
  expect(await open()).toEqual([{ intent: intent.sequence }]);
  await trail.retry();
  expect(await open()).toEqual([]);
  await Promise.all([trail.close(), other.close()]);
  await Promise.all([database.close(), elsewhere.close()]);
});

describe.runIf(postgres !== undefined)(
  'if the answer to a commit is lost, and the database is gone then',
  () => {
    const start = async () => {
      const proxy = await postgresProxy((await postgres?.database()) ?? '');
      const database = await openPostgres(proxy.url);
      const chain = auditChain(database, (await auditKeys(database, seal, systemClock)).current, silentLog);
      const trail = auditTrail({
        environments: [],
        database,
        chain,
        seal,
        clock: systemClock,
        log: silentLog,
      });
      const { build } = database;
      const entries = () =>
        database.all(
          build
            .selectFrom('audit')
            .select(['intent', 'resource_id', 'outcome', 'problem'])
            .orderBy('sequence')
            .compile(),
        );
      return {
        trail,
        /** Does something whose commit gets no answer, and no later query either. */
        async losing(work: () => Promise<unknown>) {
          proxy.loses = (sql) => {
            if (sql !== 'COMMIT') return undefined;
            proxy.breaks = () => true;
            return Promise.resolve();
          };
          await work();
          expect(proxy.breaks('')).toBe(true);
          // Changes nothing as long as the database is gone.
          await trail.retry();
          proxy.breaks = () => false;
          proxy.loses = () => undefined;
        },
        entries,
        /** The outcomes after another attempt to record them. */
        retried: async () => {
          await trail.retry();
          return (await entries()).map(({ outcome }) => outcome);
        },
        open: () => database.all(build.selectFrom('audit_open').select('intent').compile()),
        async [Symbol.asyncDispose]() {
          await trail.close();
          await database.close();
          await proxy[Symbol.asyncDispose]();
        },
      };
    };

    test('records a part of a change and the outcome once', async () => {
      await using at = await start();
      const intent = await at.trail.intend(deed, wish);
      await at.losing(() => at.trail.did({ ...deed, id: 'part' }, null));
      await at.trail.retry();
      await at.losing(() =>
        at.trail.conclude(intent, { outcome: 'succeeded', problem: null, revisionAfter: '2', learned: {} }),
      );
      await expect.poll(at.retried).toEqual(['intent', 'succeeded', 'succeeded']);
      expect(await at.retried()).toHaveLength(3);
      expect(await at.open()).toEqual([]);
    });

    test('records that nothing was tried after an intent', async () => {
      await using at = await start();
      await at.losing(() =>
        expect(at.trail.intend(deed, wish)).rejects.toMatchObject({ code: 'service-unavailable' }),
      );
      // The server may commit later than the proxy loses its answer.
      await expect.poll(at.open).toEqual([{ intent: 1 }]);
      await expect.poll(at.retried).toEqual(['intent', 'failed']);
      await at.trail.retry();
      expect(await at.entries()).toMatchObject([
        { outcome: 'intent', intent: null },
        { outcome: 'failed', intent: 1, problem: 'service-unavailable' },
      ]);
      expect(await at.open()).toEqual([]);
    });
  },
);

const wish = { operation: 'boxes.create', params: {}, body: {}, revision: null };

const deed: Deed = {
  personId: 'test/access/u_1',
  personName: 'Ada',
  loginName: 'ada',
  sessionId: 'se_1',
  address: '127.0.0.1',
  environment: 'test',
  service: 'boxes',
  action: 'box.create',
  kind: 'box',
  id: '',
  name: '',
  paths: [],
  decisions: [],
  revision: null,
  requestId: 'request',
};
