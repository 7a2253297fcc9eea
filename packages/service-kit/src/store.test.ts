import { once } from 'node:events';
import { chmodSync, existsSync, renameSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  StoreRefused,
  StoreUnavailable,
  isUniqueViolation,
  openStore,
  throwAwayVariable,
  writeInParts,
} from './store.ts';
import type { Migration, Raw, Store } from './store.ts';
import { temporaryFolder } from './temporary-folder.ts';
import type { TemporaryFolder } from './temporary-folder.ts';
import {
  Unprepared,
  requireInFirstWrite,
  requireInWrites,
  withoutConditions,
  writeFor,
} from './write-queue.ts';

interface Schema {
  item: { id: number | bigint; name: string };
}

const migrations: readonly Migration[] = [
  {
    name: 'items',
    up: (db) => db.exec('CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT'),
  },
];

describe('a store', () => {
  let folder: TemporaryFolder;
  let store: Store<Schema>;
  beforeEach(() => {
    folder = temporaryFolder();
    store = openStore({ file: folder.file('items.db'), migrations });
  });
  afterEach(async () => {
    await store.close();
    folder[Symbol.dispose]();
  });

  const put = (id: number | bigint, name: string): Promise<number> =>
    store.write((tx) => tx.run(tx.build.insertInto('item').values({ id, name }).compile()));
  const names = (): string[] =>
    store.all(store.build.selectFrom('item').select('name').orderBy('id').compile()).map((row) => row.name);

  test('keeps data across a restart, in a file that only its owner can read', async () => {
    await put(1, 'one');
    expect(statSync(folder.file('items.db')).mode & 0o777).toBe(0o600);
    await store.close();
    expect(existsSync(folder.file('items.db-wal'))).toBe(false);
    store = openStore({ file: folder.file('items.db'), migrations });
    expect(names()).toEqual(['one']);
  });

  test.each([
    { saying: undefined, synchronous: 2 },
    { saying: '1', synchronous: 0 },
  ])(
    'writes to disk before it answers, unless its data is disposable: $saying',
    ({ saying, synchronous }) => {
      vi.stubEnv(throwAwayVariable, saying);
      const other = openStore({ file: folder.file('other.db'), migrations });
      vi.unstubAllEnvs();
      expect(other.get(sql`PRAGMA synchronous`.compile(other.build))).toEqual({ synchronous });
      return other.close();
    },
  );

  test('reports changed rows to a watcher within the write, but not those of undone writes', async () => {
    const told: unknown[] = [];
    let commits = 0;
    store.watch({
      tables: { item: { columns: ['id', 'name'], names: ['id'] } },
      onWrite: (_tx, changes) => {
        told.push(changes.map(({ removed, row }) => [removed, ...row]));
        if (changes.some(({ row }) => row[1] === 'refused')) throw new Error('refused');
      },
      beforeCommit: (tx) => {
        if (commits > 0) throw new Error('only one');
        tx.run(
          tx.build
            .insertInto('item')
            .values({ id: 99, name: `after ${told.length}` })
            .compile(),
        );
      },
      onCommit: () => (commits += 1),
      onUndone: () => undefined,
    });
    // However slow the machine is, they are one transaction.
    const time = vi.spyOn(performance, 'now').mockReturnValue(0);
    const results = await Promise.allSettled([
      put(1, 'one'),
      store.write((tx) => {
        tx.run(tx.build.insertInto('item').values({ id: 5, name: 'undone' }).compile());
        throw new Error('no');
      }),
      put(2, 'refused'),
      store.write((tx) => tx.run(tx.build.updateTable('item').set({ name: 'uno' }).compile())),
      store.write((tx) => tx.run(tx.build.deleteFrom('item').compile())),
      store.write((tx) => tx.run(tx.build.deleteFrom('item').compile())),
    ]);
    time.mockRestore();
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
    expect(told).toEqual([[[false, 1, 'one']], [[false, 2, 'refused']], [[false, 1, 'uno']], [[true, 1]]]);
    expect(commits).toBe(1);
    await store.write(
      (tx) => tx.run(tx.build.insertInto('item').values({ id: 7, name: 'seven' }).compile()),
      {
        unwatched: true,
      },
    );
    store.watch(undefined);
    await put(8, 'eight');
    expect([told.length, commits, names()]).toEqual([4, 1, ['seven', 'eight', 'after 4']]);
  });

  test('reads a snapshot unaffected by later writes', async () => {
    await put(1, 'one');
    await put(2, 'two');
    const moment = store.snapshot();
    const query = store.build.selectFrom('item').select('name').orderBy('id').compile();
    const rows = moment.iterate(query);
    expect(rows.next().value).toEqual({ name: 'one' });
    await put(3, 'three');
    await store.write((tx) => tx.run(tx.build.deleteFrom('item').where('id', '=', 2).compile()));
    expect([...rows]).toEqual([{ name: 'two' }]);
    expect(moment.all(query)).toEqual([{ name: 'one' }, { name: 'two' }]);
    moment.close();
    expect(names()).toEqual(['one', 'three']);
  });

  test('undoes only the writes of a group that throw', async () => {
    const results = await Promise.allSettled([
      put(1, 'one'),
      store.write((tx) => {
        tx.run(tx.build.insertInto('item').values({ id: 2, name: 'two' }).compile());
        throw new Error('changed my mind');
      }),
      put(3, 'one'),
      put(4, 'four'),
    ]);
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(results[1]).toMatchObject({ reason: { message: 'changed my mind' } });
    expect(isUniqueViolation(results[2]?.status === 'rejected' ? results[2].reason : undefined)).toBe(true);
    expect(names()).toEqual(['one', 'four']);
  });

  test('does long work in several writes, and lets others write and run between them', async () => {
    const spin = (): void => {
      for (const end = performance.now() + 11; performance.now() < end;) continue;
    };
    let turn = 0;
    const count = setInterval(() => (turn += 1), 0);
    const turns: number[] = [];
    let left = 3;
    const parts = writeInParts(store, (tx, isOver) => {
      expect(isOver()).toBe(false);
      tx.run(
        tx.build
          .insertInto('item')
          .values({ id: left, name: `part ${left}` })
          .compile(),
      );
      left -= 1;
      spin();
      expect(isOver()).toBe(true);
      return left === 0;
    });
    const others = [10, 11, 12].map((id) =>
      store.write((tx) => {
        spin();
        turns.push(turn);
        tx.run(
          tx.build
            .insertInto('item')
            .values({ id, name: `other ${id}` })
            .compile(),
        );
      }),
    );
    await others[0];
    expect(left).toBeGreaterThan(0);
    await Promise.all([parts, ...others]);
    clearInterval(count);
    expect(new Set(turns).size).toBe(3);
    expect(names()).toEqual(['part 1', 'part 2', 'part 3', 'other 10', 'other 11', 'other 12']);
  });

  const writeBy = (name: string, work: () => unknown): Promise<void> =>
    writeFor(
      () => ({ name, isKnown: true }),
      () => store.write(() => void work()),
    );

  test("judges an asker's right again in the transaction of each write, unless the write follows from a fact", async () => {
    let isAllowed = true;
    const judge = (): void => {
      if (!isAllowed) throw new Error('not allowed any more');
    };
    const others = (): Promise<number> => put(9, 'of others');
    const results = await writeFor(
      () => ({ name: 'ada', isKnown: true }),
      () => {
        requireInWrites(judge);
        return Promise.allSettled([
          put(1, 'allowed'),
          store.write(() => void (isAllowed = false)),
          put(2, 'too late'),
          withoutConditions(others),
        ]);
      },
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(names()).toEqual(['allowed', 'of others']);
  });

  test("judges an asker's right again in the transaction of each write up to the first change, if it is to complete what it began", async () => {
    let isAllowed = false;
    const judge = (): void => {
      if (!isAllowed) throw new Error('not allowed any more');
    };
    const results = await writeFor(
      () => ({ name: 'ada', isKnown: true }),
      () => {
        requireInFirstWrite(judge);
        return Promise.allSettled([
          put(1, 'too late'),
          withoutConditions(() => store.write(() => void (isAllowed = true))),
          store.write(() => undefined),
          withoutConditions(() => store.write(() => void (isAllowed = false))),
          put(2, 'nothing was changed yet'),
          withoutConditions(() => store.write(() => void (isAllowed = true))),
          put(3, 'begun'),
          store.write(() => void (isAllowed = false)),
          put(4, 'completed'),
        ]);
      },
    );
    expect(results.map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
    expect(names()).toEqual(['begun', 'completed']);
  });

  test('prepares outside a write what its conditions require, and gives up when that is undone each time', async () => {
    let isReady = false;
    let isUndone = false;
    const events: string[] = [];
    /** A write of others runs while it is being prepared. */
    const prepare = async (): Promise<void> => {
      await withoutConditions(() => store.write(() => void events.push('others')));
      events.push('prepared');
      isReady = !isUndone;
    };
    const ada = (work: () => Promise<unknown>): Promise<unknown> =>
      writeFor(
        () => ({ name: 'ada', isKnown: true }),
        () => {
          requireInFirstWrite(() => {
            if (!isReady) throw new Unprepared(new Error('given up'), prepare);
          });
          return work();
        },
      );
    await ada(async () => {
      await store.write((tx) => {
        events.push('work');
        tx.run(tx.build.insertInto('item').values({ id: 1, name: 'prepared' }).compile());
      });
      isReady = false;
      // The condition has been met for good.
      await put(2, 'later');
    });
    expect(events).toEqual(['others', 'prepared', 'work']);
    isUndone = true;
    await expect(ada(() => put(3, 'never'))).rejects.toThrow('given up');
    expect(names()).toEqual(['prepared', 'later']);
    expect(events.filter((event) => event === 'prepared')).toHaveLength(5);
  });

  test("doesn't require of work that a commit begins what it requires of an asker's write in it", async () => {
    const begun = Promise.withResolvers<unknown>();
    let commits = 0;
    store.watch({
      tables: { item: { columns: ['id'], names: ['id'] } },
      onWrite: () => undefined,
      beforeCommit: () => undefined,
      onCommit() {
        commits += 1;
        if (commits === 1) put(3, 'begun').then(begun.resolve, begun.reject);
      },
      onUndone: () => undefined,
    });
    const late = writeFor(
      () => ({ name: 'ada', isKnown: true }),
      () => {
        requireInFirstWrite(() => {
          throw new Error('not allowed any more');
        });
        return put(1, 'too late');
      },
    );
    await expect(Promise.all([put(2, 'of others'), late])).rejects.toThrow('not allowed any more');
    await begun.promise;
    expect(names()).toEqual(['of others', 'begun']);
  });

  test('has another generation in each write of a transaction, after it, and once it was undone', async () => {
    const seen: number[] = [];
    const look = (): unknown => seen.push(store.generation());
    await Promise.allSettled([
      ...[1, 2].map(() => store.write(() => void look())),
      store.write(() => {
        look();
        throw new StoreUnavailable('failed', undefined);
      }),
    ]);
    look();
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('lets askers and the process take turns, and keeps the order of each', async () => {
    const order: string[] = [];
    const by = (name: string) => writeBy(name.slice(0, 1), () => order.push(name));
    await Promise.all([
      ...['a1', 'a2', 'a3'].map(by),
      store.write(() => void order.push('process')),
      ...['b1', 'b2'].map(by),
    ]);
    expect(order).toEqual(['a1', 'process', 'b1', 'a2', 'b2', 'a3']);
  });

  test('lets a write come before most of the long ones that another asker has queued', async () => {
    // Each look at the clock takes long, so that each write has a transaction of its own.
    let now = performance.now();
    const time = vi.spyOn(performance, 'now').mockImplementation(() => (now += 20));
    let done = 0;
    const queued = Array.from({ length: 300 }, () => writeBy('ada', () => (done += 1)));
    await queued[0];
    let before = 0;
    await writeBy('eve', () => (before = done));
    expect(before).toBeLessThan(4);
    await Promise.all(queued);
    time.mockRestore();
    expect(done).toBe(300);
  });

  test('settles a write only after it is committed', async () => {
    const other = new DatabaseSync(folder.file('items.db'), { readOnly: true });
    const writes = Array.from({ length: 600 }, async (_, id) => {
      await put(id, `n${id}`);
      return other.prepare('SELECT count(*) AS n FROM item WHERE id = ?').get(id)?.['n'];
    });
    expect(await Promise.all(writes)).toEqual(Array.from({ length: 600 }, () => 1));
    other.close();
  });

  test('rejects all writes of a group when the commit fails', async () => {
    await store.close();
    const file = folder.file('deferred.db');
    const references = 'TEXT REFERENCES item (name) DEFERRABLE INITIALLY DEFERRED';
    const deferred = {
      name: 'deferred',
      up: (db: Raw) => db.exec(`CREATE TABLE link (name ${references}) STRICT`),
    };
    store = openStore({ file, migrations: [...migrations, deferred] });
    const broken = store.write((tx) =>
      tx.run(sql`INSERT INTO link (name) VALUES ('nothing')`.compile(store.build)),
    );
    // However slow the machine is, they are one transaction.
    const time = vi.spyOn(performance, 'now').mockReturnValue(0);
    let undone = 0;
    store.onUndone(() => (undone += 1));
    const results = await Promise.allSettled([put(1, 'one'), broken, put(2, 'two')]);
    time.mockRestore();
    expect(undone).toBe(1);
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(names()).toEqual([]);
    await put(3, 'three');
    expect(names()).toEqual(['three']);
  });

  test('shows a write the writes before it and returns its result', async () => {
    const count = (): Promise<number> =>
      store.write((tx) => tx.all(tx.build.selectFrom('item').select('id').compile()).length);
    const [, before, , after] = await Promise.all([put(1, 'one'), count(), put(2, 'two'), count()]);
    expect([before, after]).toEqual([1, 2]);
  });

  test('refuses asynchronous work', async () => {
    const work: () => never = Object.assign(async () => undefined);
    await expect(store.write(work)).rejects.toThrow('synchronous');
  });

  test('reads integers beyond 2^53 exactly on request', async () => {
    await put(9_007_199_254_740_993n, 'large');
    const query = store.build.selectFrom('item').select('id').compile();
    expect(store.all(query, { bigints: true })).toEqual([{ id: 9_007_199_254_740_993n }]);
    expect(() => store.all(query)).toThrow(RangeError);
  });

  test.each(['onCommit', 'onUndone'] as const)(
    "keeps accepting writes when a watcher's %s throws",
    async (which) => {
      const warned = once(process, 'warning');
      const isFull = which === 'onUndone';
      const broken = (): never => {
        throw new Error(`${which} is broken`);
      };
      store.watch({
        tables: { item: { columns: ['id'], names: ['id'] } },
        onWrite: () => undefined,
        beforeCommit() {
          if (isFull) throw new Error('no room');
        },
        onCommit: () => undefined,
        onUndone: () => undefined,
        [which]: broken,
      });
      const first = put(1, 'one');
      if (isFull) await expect(first).rejects.toBeInstanceOf(StoreUnavailable);
      else await first;
      expect(await warned).toMatchObject([{ message: `${which} is broken` }]);
      store.watch(undefined);
      await put(2, 'two');
      expect(names()).toContain('two');
    },
  );

  test('reports a full disk, keeps reading, and recovers', async () => {
    await store.close();
    store = openStore({
      file: folder.file('small.db'),
      migrations: [...migrations, { name: 'small', up: (db) => db.exec('PRAGMA max_page_count = 12') }],
    });
    await put(1, 'kept');
    // However slow the machine is, they are one transaction.
    const time = vi.spyOn(performance, 'now').mockReturnValue(0);
    const companion = put(3, 'companion');
    const big = put(2, 'x'.repeat(100_000));
    const after = put(5, 'untouched');
    await expect(big).rejects.toMatchObject({ name: 'StoreUnavailable', reason: 'full' });
    await expect(companion).rejects.toBeInstanceOf(StoreUnavailable);
    time.mockRestore();
    await after;
    expect(names()).toEqual(['kept', 'untouched']);
    await put(4, 'after');
    expect(names()).toEqual(['kept', 'after', 'untouched']);
  });

  test('waits for another process, then reports busy', async () => {
    await store.close();
    store = openStore({ file: folder.file('items.db'), migrations, busyDeadlineMs: 60 });
    const other = new DatabaseSync(folder.file('items.db'));
    other.exec('BEGIN IMMEDIATE');
    await expect(put(1, 'one')).rejects.toMatchObject({ reason: 'busy' });
    other.exec('COMMIT');
    await put(1, 'one');
    expect(names()).toEqual(['one']);
    other.close();
  });

  test('performs a waiting write when the other process is done', async () => {
    const other = new DatabaseSync(folder.file('items.db'));
    other.exec('BEGIN IMMEDIATE');
    const written = put(1, 'one');
    await new Promise((resolve) => {
      setImmediate(() => setImmediate(resolve));
    });
    expect(names()).toEqual([]);
    other.exec('COMMIT');
    await written;
    expect(names()).toEqual(['one']);
    other.close();
  });

  test('is unhealthy while its file is missing', () => {
    expect(store.healthy()).toBe(true);
    renameSync(folder.file('items.db'), folder.file('moved.db'));
    expect(store.healthy()).toBe(false);
    renameSync(folder.file('moved.db'), folder.file('items.db'));
    expect(store.healthy()).toBe(true);
  });

  test.skipIf(process.getuid?.() === 0)('is unhealthy while its file is read-only', () => {
    chmodSync(folder.file('items.db'), 0o400);
    expect(store.healthy()).toBe(false);
  });

  test('keeps writes queued before closing and refuses later ones', async () => {
    const queued = put(1, 'one');
    await store.close();
    await queued;
    await expect(put(2, 'two')).rejects.toBeInstanceOf(StoreUnavailable);
    expect(store.healthy()).toBe(false);
    store = openStore({ file: folder.file('items.db'), migrations });
    expect(names()).toEqual(['one']);
  });
});

describe('migrations', () => {
  test('run once, in order, each completely or not at all', () => {
    using folder = temporaryFolder();
    const file = folder.file('m.db');
    const broken: Migration = {
      name: 'second',
      up: (db) => {
        db.exec('CREATE TABLE half (id INTEGER)');
        throw new Error('broken');
      },
    };
    expect(() => openStore({ file, migrations: [...migrations, broken] })).toThrow('broken');
    const store = openStore<Schema>({
      file,
      migrations: [...migrations, { name: 'second', up: (db) => db.exec('CREATE TABLE half (id INTEGER)') }],
    });
    expect(
      store.all(sql<{ name: string }>`SELECT name FROM migration ORDER BY position`.compile(store.build)),
    ).toEqual([{ name: 'items' }, { name: 'second' }]);
  });

  test('refuse data of a later version', async () => {
    using folder = temporaryFolder();
    const file = folder.file('m.db');
    await openStore({ file, migrations: [...migrations, { name: 'later', up: () => undefined }] }).close();
    expect(() => openStore({ file, migrations })).toThrow(
      `The database ${file} was written by another version`,
    );
  });

  test('refuse a file that is not a database, without overwriting it', async () => {
    using folder = temporaryFolder();
    const { writeFileSync, readFileSync } = await import('node:fs');
    writeFileSync(folder.file('m.db'), 'not a database, '.repeat(100));
    expect(() => openStore({ file: folder.file('m.db'), migrations })).toThrow(
      new StoreRefused(`The database ${folder.file('m.db')} can't be used: file is not a database.`),
    );
    expect(readFileSync(folder.file('m.db'), 'utf8')).toMatch(/^not a database/);
  });
});
