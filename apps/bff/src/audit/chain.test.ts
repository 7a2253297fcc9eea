import { systemClock } from '@gatehouse/service-kit/clock';
import { silentLog } from '@gatehouse/service-kit/log';
import { keyRingOfOne, KeyRingRefused, type KeyRing } from '@gatehouse/service-kit/secret-box';
import { Slices } from '@gatehouse/service-kit/slices';
import { StoreUnavailable } from '@gatehouse/service-kit/store';
import { temporaryFolder, type TemporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { tokenSeal } from '#session/token-seal.ts';
import type { Database } from '#store/database.ts';
import { openPostgres } from '#store/postgres.ts';
import type { AuditHeadRow, AuditRow } from '#store/schema.ts';
import { openSqlite } from '#store/sqlite.ts';
import { postgresProxy } from '#test/postgres-proxy.ts';
import { startPostgres } from '#test/postgres.ts';
import { auditChain, hashOf, type AuditChain, type AuditEvent } from './chain.ts';
import { auditKeys, type AuditKeys } from './keys.ts';
import { verifyChain } from './verify.ts';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const ring = keyRingOfOne('k_1', Buffer.alloc(32, 7));
const sealOf = (keyRing: KeyRing) =>
  tokenSeal(
    () => keyRing,
    systemClock,
    () => undefined,
  );
const seal = sealOf(ring);
const slices = new Slices(() => false, { name: 'ada', isKnown: true });
const openKeys = (database: Database, of = seal) => auditKeys(database, of, systemClock);

/** Opens the same database several times, as replicas do. */
type Opener = (folder: TemporaryFolder) => Promise<() => Promise<Database>>;
const kinds: [string, Opener][] = [
  ['SQLite', async (folder) => async () => openSqlite(folder.file('console.db'))],
];
if (postgres !== undefined) {
  kinds.push([
    'PostgreSQL',
    async () => {
      const url = await postgres.database();
      return () => openPostgres(url);
    },
  ]);
}

const event = (n: number): AuditEvent => ({
  time: 1_700_000_000_000 + n,
  intent: null,
  person_id: 'test/access/u_1',
  person_name: 'Ada "the" Größte 😀',
  login_name: 'ada',
  session_id: 'se_1',
  address: '127.0.0.1',
  environment: 'test',
  service: 'access',
  action: 'target.update',
  resource_kind: 'target',
  resource_id: `ttcp_${n}`,
  resource_name: `target ${n}`,
  paths: '["name"]',
  decisions: '[]',
  revision_before: '1',
  revision_after: null,
  outcome: 'intent',
  problem: null,
  request_id: `request-${n}`,
});

describe.runIf(postgres !== undefined)('a row whose commit gets no answer', () => {
  const start = async () => {
    const url = (await postgres?.database()) ?? '';
    const proxy = await postgresProxy(url);
    const database = await openPostgres(proxy.url);
    const keys = await openKeys(database);
    const chain = auditChain(database, keys.current, silentLog);
    return {
      url,
      proxy,
      chain,
      /** Appends the same row each time. */
      append: () =>
        chain.append(lost, ({ sequence }, appended) => [
          appended.insert('audit_open', { intent: sequence, instance: 'a', sealed_wish: 'x' }),
        ]),
      rows: () => database.all(database.build.selectFrom('audit').selectAll().orderBy('sequence').compile()),
      verify: async () => verifyChain(database, await chain.head(), keys, slices),
      async [Symbol.asyncDispose]() {
        await chain.close();
        await database.close();
        await proxy[Symbol.asyncDispose]();
      },
    };
  };
  const lost = event(1);
  test('is appended once, also if the commit takes long', async () => {
    await using at = await start();
    const other = new pg.Client(at.url);
    await other.connect();
    onTestFinished(() => other.end());
    const committed = Promise.withResolvers<void>();
    at.proxy.loses = (sql) => {
      if (sql !== 'COMMIT') return undefined;
      at.proxy.loses = () => undefined;
      return committed.promise;
    };
    const appended = at.append();
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1);
    committed.resolve();
    const written = await Promise.all([appended, at.chain.append(event(2))]);
    expect(await at.rows()).toEqual(written);
    expect(await at.verify()).toMatchObject({ intact: true, rows: 2 });
  });

  test.each([
    ['is found when it is appended again', true],
    ['is appended again if it was not stored', false],
  ])('%s after the database was gone', async (_how, isStored) => {
    await using at = await start();
    let isGone = false;
    at.proxy.breaks = (sql) => isGone || (!isStored && sql === 'COMMIT' && (isGone = true));
    at.proxy.loses = (sql) => (sql === 'COMMIT' && (isGone = true) ? Promise.resolve() : undefined);
    await expect(at.append()).rejects.toThrow(StoreUnavailable);
    await expect(at.append()).rejects.toThrow(StoreUnavailable);
    isGone = false;
    at.proxy.breaks = () => false;
    at.proxy.loses = () => undefined;
    const row = await at.append();
    const next = await at.chain.append(event(2));
    expect(await at.rows()).toEqual([row, next]);
    expect(await at.verify()).toMatchObject({ intact: true, rows: 2 });
  });
});

describe.each(kinds)('on %s', (kind, opener) => {
  let folder: TemporaryFolder;
  let databases: Database[];
  let one: AuditChain;
  let two: AuditChain;
  let database: Database;
  let keys: AuditKeys;

  beforeEach(async () => {
    folder = temporaryFolder();
    const open = await opener(folder);
    database = await open();
    databases = [database, await open()];
    keys = await openKeys(database);
    [one, two] = databases.map((each) => auditChain(each, keys.current, silentLog)) as [
      AuditChain,
      AuditChain,
    ];
  });
  afterEach(async () => {
    await Promise.all([one.close(), two.close()]);
    await Promise.all(databases.map((each) => each.close()));
    folder[Symbol.dispose]();
  });

  const rows = () =>
    database.all(database.build.selectFrom('audit').selectAll().orderBy('sequence').compile());
  const verify = async () => verifyChain(database, await one.head(), keys, slices);

  test('rows of many writers and two replicas are one chain without a gap', async () => {
    expect(await verify()).toMatchObject({ intact: true, rows: 0, head: { sequence: 0 } });
    const each = process.env['GATEHOUSE_DEEP'] === '1' ? 5_000 : 150;
    const written = await Promise.all(
      Array.from({ length: 2 * each }, (_, n) => (n % 2 === 0 ? one : two).append(event(n))),
    );
    const stored = await rows();
    expect(stored.map(({ sequence }) => sequence)).toEqual(stored.map((_, index) => index + 1));
    expect(new Set(stored.map(({ request_id }) => request_id)).size).toBe(2 * each);
    for (const row of written) expect(stored[row.sequence - 1]).toEqual(row);
    expect(await verify()).toMatchObject({ intact: true, rows: 2 * each, faults: [] });
    // A process appends its rows in their order.
    const [first, second] = [await one.append(event(1)), await one.append(event(2))];
    expect(second.previous_hash).toBe(first.hash);
  });

  test('people take turns, however many rows of one of them wait', async () => {
    const flood = Array.from({ length: 1_000 }, (_, n) => one.append(event(n)));
    const other = one.append({ ...event(1_000), person_id: 'test/access/u_2' });
    const stranger = one.append({ ...event(1_001), person_id: '', address: '192.0.2.1' });
    expect((await other).sequence).toBeLessThan(10);
    expect((await stranger).sequence).toBeLessThan(10);
    const own = await Promise.all(flood);
    expect(own.map(({ request_id }) => request_id)).toEqual(own.map((_, n) => `request-${n}`));
    expect(own.map(({ sequence }) => sequence)).toEqual(
      own.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
    );
    expect(await verify()).toMatchObject({ intact: true, rows: 1_002 });
  });

  test('what goes along is done with the row or not at all', async () => {
    const row = await one.append(event(1), ({ sequence }, appended) => [
      appended.insert('audit_open', { intent: sequence, instance: 'a', sealed_wish: 'x' }),
    ]);
    const failing = two.append(event(2), (_row, appended) => [
      appended.insert('audit_open', { intent: row.sequence, instance: 'b', sealed_wish: 'twice' }),
    ]);
    await expect(failing).rejects.toThrow();
    expect(await rows()).toEqual([row]);
    expect(await two.append(event(3))).toMatchObject({ sequence: 2, previous_hash: row.hash });
    expect(await verify()).toMatchObject({ intact: true, rows: 2 });
  });

  // Over a connection, other queries continue during the transaction.
  test.runIf(kind === 'SQLite')(
    'a check lets others continue, and ends when its client has left',
    async () => {
      await Promise.all(Array.from({ length: 3_000 }, (_, n) => one.append(event(n))));
      let turns = 0;
      const others = setInterval(() => (turns += 1));
      expect(await verify()).toMatchObject({ intact: true, rows: 3_000 });
      clearInterval(others);
      expect(turns).toBeGreaterThan(0);
      const left = new Slices(() => true, { name: 'ada', isKnown: true });
      await expect(verifyChain(database, await one.head(), keys, left)).rejects.toMatchObject({
        status: 499,
      });
    },
  );

  describe('tampering', () => {
    const count = 12;
    const change = (sequence: number, set: Partial<AuditRow>) =>
      database.run(database.build.updateTable('audit').set(set).where('sequence', '=', sequence).compile());
    const drop = (sequence: number) =>
      database.run(database.build.deleteFrom('audit').where('sequence', '=', sequence).compile());
    const swap = async (a: number, b: number) => {
      await change(a, { sequence: 1_000 });
      await change(b, { sequence: a });
      await change(1_000, { sequence: b });
    };
    beforeEach(async () => {
      for (let n = 1; n <= count; n++) await one.append(event(n));
    });

    test.each([
      'time',
      'person_id',
      'person_name',
      'login_name',
      'session_id',
      'address',
      'environment',
      'service',
      'action',
      'resource_kind',
      'resource_id',
      'resource_name',
      'paths',
      'decisions',
      'revision_before',
      'revision_after',
      'outcome',
      'problem',
      'request_id',
      'previous_hash',
      'hash',
      'intent',
    ] as const)('a flipped %s names its row', async (column) => {
      await change(7, { [column]: column === 'time' || column === 'intent' ? 4 : 'flipped' });
      const { intact, faults } = await verify();
      expect(intact).toBe(false);
      expect(faults.map(({ sequence }) => sequence)).toContain(7);
      expect(faults.every(({ sequence }) => sequence === 7)).toBe(true);
    });

    test.skipIf(kind !== 'SQLite').each([
      ['intent', '9e999', 'JSON writes as null'],
      ['intent', '-9e999', 'JSON writes as null'],
      ['time', '9223372036854775807', 'is no JavaScript number'],
    ])('names a row whose %s is %s, which %s', async (column, value) => {
      await database.run(
        sql`update audit set ${sql.raw(column)} = ${sql.raw(value)} where sequence = 7`.compile(
          database.build,
        ),
      );
      expect(await verify()).toMatchObject({ intact: false, faults: [{ sequence: 7, fault: 'changed' }] });
    });

    test('detects by the next row that a row was changed with its hash', async () => {
      const row = (await rows())[6];
      if (row === undefined) throw new Error('there are twelve rows');
      const { hash: _hash, ...forged } = { ...row, person_name: 'Eve' };
      await change(7, { person_name: 'Eve', hash: hashOf(forged, keys.current.key) });
      expect((await verify()).faults).toEqual([{ sequence: 7, fault: 'changed' }]);
    });

    test('detects by the head that the last row was changed with its hash', async () => {
      const row = (await rows()).at(-1);
      if (row === undefined) throw new Error('there are twelve rows');
      const { hash: _hash, ...forged } = { ...row, person_name: 'Eve' };
      await change(count, { person_name: 'Eve', hash: hashOf(forged, keys.current.key) });
      expect((await verify()).faults).toEqual([{ sequence: count, fault: 'changed' }]);
    });

    test.each([[[1]], [[7]], [[count]], [[count - 1, count]], [[3, 4, 9]]])(
      'names dropped rows %j',
      async (sequences) => {
        for (const sequence of sequences) await drop(sequence);
        expect((await verify()).faults).toEqual(
          sequences.map((sequence) => ({ sequence, fault: 'missing' })),
        );
      },
    );

    test.each([
      [3, 4],
      [2, 9],
      [1, count],
    ])('names swapped rows %i and %i', async (a, b) => {
      await swap(a, b);
      const { faults } = await verify();
      expect(faults.map(({ sequence }) => sequence)).toEqual([a, b]);
      if (b === a + 1) expect(faults.map(({ fault }) => fault)).toEqual(['moved', 'moved']);
    });

    test.each([1, 4, count - 1])('detects that the last %i rows were cut off', async (cut) => {
      const last = (await rows())[count - cut - 1] ?? { sequence: 0, hash: '0'.repeat(64) };
      for (let sequence = last.sequence + 1; sequence <= count; sequence++) await drop(sequence);
      const { sequence, hash } = last;
      const moveHead = (more: Partial<AuditHeadRow>) =>
        database.run(
          database.build
            .updateTable('audit_head')
            .set({ sequence, hash, ...more })
            .compile(),
        );
      await moveHead({});
      expect(await verify()).toMatchObject({ intact: false, faults: [{ sequence, fault: 'cut' }] });
      await moveHead({ key_id: null, seal: null });
      expect(await verify()).toMatchObject({ intact: false, faults: [{ sequence, fault: 'cut' }] });
    });

    test.each([-1, 0, count + 1, 1_000_000])(
      'names a row that was added at %i, outside the chain',
      async (at) => {
        const row = (await rows())[6];
        if (row === undefined) throw new Error('there are twelve rows');
        const added = { ...row, sequence: at, intent: 7, outcome: 'refused' };
        await database.run(database.build.insertInto('audit').values(added).compile());
        expect((await verify()).faults).toEqual([{ sequence: at, fault: 'added' }]);
      },
    );

    test("doesn't report rows that are appended during the verification", async () => {
      const head = await one.head();
      await one.append(event(count + 1));
      expect(await verifyChain(database, head, keys, slices)).toMatchObject({ intact: true, rows: count });
    });

    test('logs that an earlier copy of the trail, which verifies, was restored', async () => {
      const said: string[] = [];
      const log = { ...silentLog, error: (what: string) => void said.push(what) };
      const chain = auditChain(database, keys.current, log);
      const { id: _, ...copied } = await chain.head();
      await chain.append(event(count + 1));
      expect(said).toEqual([]);
      await drop(count + 1);
      await database.run(database.build.updateTable('audit_head').set(copied).compile());
      expect((await verify()).intact).toBe(true);
      await chain.append(event(count + 1));
      expect(said).toEqual(['audit trail moved back']);
      await chain.close();
    });

    test("doesn't accept an emptied trail as a new one", async () => {
      await database.run(database.build.deleteFrom('audit').compile());
      const head = { sequence: 0, hash: '0'.repeat(64), key_id: null, seal: null };
      await database.run(database.build.updateTable('audit_head').set(head).compile());
      const found = { intact: false, faults: [{ sequence: 0, fault: 'cut' }] };
      expect(await verify()).toMatchObject(found);
      // The next start doesn't sign it either.
      keys = await openKeys(database);
      expect(await verify()).toMatchObject(found);
    });

    test('reports rows whose key is missing', async () => {
      await database.run(database.build.deleteFrom('audit_key').compile());
      const others = await openKeys(database);
      expect((await verifyChain(database, await one.head(), others, slices)).faults[0]).toEqual({
        sequence: 1,
        fault: 'key-missing',
      });
    });

    test('detects any of these changes at any place', async () => {
      const whole = await rows();
      const restore = async () => {
        await database.run(database.build.deleteFrom('audit').compile());
        for (const row of whole) await database.run(database.build.insertInto('audit').values(row).compile());
      };
      const place = fc.integer({ min: 1, max: count });
      await fc.assert(
        fc.asyncProperty(fc.constantFrom('flip', 'drop', 'swap'), place, place, async (kind, a, b) => {
          await restore();
          if (kind === 'flip') await change(a, { resource_name: 'flipped' });
          else if (kind === 'drop') await drop(a);
          else if (a !== b) await swap(a, b);
          else return;
          const { faults } = await verify();
          expect(faults.map(({ sequence }) => sequence)).toContain(a);
        }),
        { numRuns: process.env['GATEHOUSE_DEEP'] === '1' ? 500 : 25 },
      );
    });
  });

  test('starts with a ring that decrypts none of its keys only where no other console can use the database', async () => {
    const other = sealOf(keyRingOfOne('k_1', Buffer.alloc(32, 8)));
    if (kind === 'PostgreSQL') {
      const refused = openKeys(database, other);
      await expect(refused).rejects.toThrow(KeyRingRefused);
      await expect(refused).rejects.toThrow('.database files in the uploads folders');
      expect(await verify()).toMatchObject({ intact: true });
      await database.run(database.build.deleteFrom('audit_key').compile());
    }
    const { current } = await openKeys(database, other);
    expect(current.id).not.toBe(keys.current.id);
  });

  test("keeps keys after the ring's keys are gone, and starts a new key with a rotation", async () => {
    await one.append(event(1));
    const newer = keyRingOfOne('k_1', Buffer.alloc(32, 7));
    newer.rotate();
    const reopened = await openKeys(database, sealOf(newer));
    expect(reopened.current.id).not.toBe(keys.current.id);
    const next = auditChain(database, reopened.current, silentLog);
    await next.append(event(2));
    newer.retire('k_1');
    const last = await openKeys(database, sealOf(newer));
    expect(last.current.id).toBe(reopened.current.id);
    expect(await verifyChain(database, await next.head(), last, slices)).toMatchObject({
      intact: true,
      rows: 2,
    });
    await next.close();
  });
});
