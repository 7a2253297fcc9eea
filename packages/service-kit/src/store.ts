import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { CompiledQuery } from 'kysely';
import { LRUCache } from 'lru-cache';
import { StoreRefused, StoreUnavailable, asStoreUnavailable } from './store-error.ts';
import { rowWatch } from './store-watch.ts';
import type { RowChange, RowWatch, WatchedTables } from './store-watch.ts';
import { WriteQueue, asProcess, currentConditions, tryPrepared } from './write-queue.ts';

export { StoreRefused, StoreUnavailable, isUniqueViolation } from './store-error.ts';
export type { RowChange, WatchedTables } from './store-watch.ts';

/** The bare database, for migrations. */
export type Raw = DatabaseSync;

/** One step of a schema's history. Steps are applied once, in order, each in its own transaction. */
export interface Migration {
  /** Unique and permanent. The store refuses to open if the applied names are not a prefix of the list. */
  readonly name: string;
  readonly up: (db: Raw) => void;
}

export interface StoreOptions {
  /** Path of the database, created with mode 0600 if missing. `:memory:` stores nothing on disk. */
  readonly file: string;
  readonly migrations: readonly Migration[];
  /**
   * Longest wait for another process to release the database before a write fails as `busy`, in milliseconds; 5000
   * unless given.
   */
  readonly busyDeadlineMs?: number;
}

export interface ReadOptions {
  /** Reads every integer as bigint. Without it, a column beyond 2^53 is an error. */
  readonly bigints?: boolean;
}

/** Runs compiled queries. */
export interface Reader<Schema> {
  /** Builds queries (`build.selectFrom(…).compile()`), but can't run them. */
  readonly build: Kysely<Schema>;
  all<Row>(query: CompiledQuery<Row>, options?: ReadOptions): Row[];
  /** The first row, or undefined. */
  get<Row>(query: CompiledQuery<Row>, options?: ReadOptions): Row | undefined;
}

/** Reads and changes rows within a write. */
export interface Writer<Schema> extends Reader<Schema> {
  /** Runs a statement. @returns the number of changed rows */
  run(query: CompiledQuery): number;
}

/**
 * The same statement with other values, in the order of its parameters. Building a statement takes longer than running
 * it, so frequent ones are built once.
 */
export function withParameters<Row>(
  query: CompiledQuery<Row>,
  ...parameters: readonly unknown[]
): CompiledQuery<Row> {
  return { ...query, parameters };
}

/** A durable store in one SQLite file. */
export interface Store<Schema> extends Reader<Schema> {
  /**
   * Runs `work` in a transaction and settles once it is on disk. Writes queued in the same turn of the event loop share
   * a transaction; one that throws is undone separately, and its promise rejects with the error. `work` is synchronous:
   * nothing else runs between its statements. Askers take turns (`writeFor`), and each one's writes stay in order. What
   * the current work requires (`requireInWrites`) is judged again in the transaction, first; a write whose conditions
   * are `Unprepared` joins the queue again.
   * @param options.unwatched whether to hide the write from the watcher
   * @throws StoreUnavailable when the store can't be written
   */
  write<Result>(
    work: (tx: Writer<Schema>) => NotAPromise<Result>,
    options?: { readonly unwatched?: boolean },
  ): Promise<Result>;
  /**
   * A number that changes with every write, by any process: data read under the same number is still current. Costs
   * less than reading a row.
   * @throws StoreUnavailable
   */
  generation(): number;
  /**
   * Reports to `watcher` which rows each write changes, including by cascades. A later call replaces the watcher;
   * undefined removes it.
   */
  watch(watcher: Watcher<Schema> | undefined): void;
  /** Calls `listener` when writes could not be stored: what was read within them may never have been true. */
  onUndone(listener: () => void): void;
  /**
   * A snapshot of the store's current data, unaffected by later writes.
   * @throws StoreUnavailable; Error for a store in memory
   */
  snapshot(): Snapshot<Schema>;
  /** Whether the database answers, and its file is in its place and can be written. */
  healthy(): boolean;
  /** Waits for queued writes, merges the write-ahead log into the file and closes it. Later calls fail. */
  close(): Promise<void>;
}

/** Receives the rows that writes changed. */
export interface Watcher<Schema> {
  readonly tables: WatchedTables;
  /** Called within the transaction of a write that changed watched rows, at its end. An exception undoes the write. */
  readonly onWrite: (tx: Writer<Schema>, changes: readonly RowChange[]) => void;
  /** Called within the transaction, once before such writes are committed together. */
  readonly beforeCommit: (tx: Writer<Schema>) => void;
  /** Called once those writes are on disk. */
  readonly onCommit: () => void;
  /** Called when writes that were reported could not be stored. */
  readonly onUndone: () => void;
}

/** The store's data at one moment. */
export interface Snapshot<Schema> extends Reader<Schema> {
  /** Rows one by one. The snapshot's other methods can be called during the iteration. */
  iterate<Row>(query: CompiledQuery<Row>): IterableIterator<Row>;
  /** Releases the snapshot; later calls do nothing. */
  close(): void;
}

/**
 * Does long work in several writes, between which others write and read.
 * @param work does a part and returns whether nothing is left; checks `isOver` after each step of a few milliseconds
 * @throws what `write` and `work` throw; earlier parts stay done
 */
export async function writeInParts<Schema>(
  store: Pick<Store<Schema>, 'write'>,
  work: (tx: Writer<Schema>, isOver: () => boolean) => boolean,
): Promise<void> {
  const part = (tx: Writer<Schema>): boolean => {
    const end = performance.now() + groupMs;
    return work(tx, () => performance.now() >= end);
  };
  while (!(await store.write(part))) continue;
}

type NotAPromise<Result> = Result extends PromiseLike<unknown> ? never : Result;

interface QueuedWrite<Schema> {
  readonly unwatched: boolean;
  readonly run: (tx: Writer<Schema>) => void;
  readonly commit: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Most writes per transaction, and the milliseconds after which it begins no other, so that none blocks for long. */
const groupSize = 256;
const groupMs = 10;
const statementCacheSize = 500;

/**
 * Opens or creates a store and brings its schema up to date. Uses WAL, foreign keys and synchronous=FULL, unless the
 * process's data is disposable (`throwAwayVariable`).
 * @throws StoreRefused when the file can't be opened, or its schema has another history
 */
export function openStore<Schema>(options: StoreOptions): Store<Schema> {
  const { file, migrations, busyDeadlineMs = 5000 } = options;
  const db = openDatabase(file, migrations, busyDeadlineMs);
  const build = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });

  const statements = new LRUCache<string, StatementSync>({ max: statementCacheSize });
  const prepare = (sql: string, bigints: boolean): StatementSync => {
    const key = bigints ? `${sql} -- bigints` : sql;
    let statement = statements.get(key);
    if (statement === undefined) {
      statement = db.prepare(sql, { readBigInts: bigints });
      statements.set(key, statement);
    }
    return statement;
  };

  const reader = readerOf(build, prepare);
  const writer: Writer<Schema> = {
    ...reader,
    // As bigint, because the result includes the last inserted row's ID, which may exceed 2^53.
    run: (query) => guarded(() => Number(prepare(query.sql, true).run(...bind(query)).changes)),
  };

  const queue = new WriteQueue<QueuedWrite<Schema>>();
  let draining: Promise<void> | undefined;
  let closed = false;

  // As bigint for the same reason as `run`.
  const savepoint = db.prepare('SAVEPOINT one_write', { readBigInts: true });
  const release = db.prepare('RELEASE one_write', { readBigInts: true });
  const changesSoFar = db.prepare('SELECT total_changes() AS changes');
  const foreignChanges = db.prepare('PRAGMA data_version');
  let ownChanges = 0;
  let watch: RowWatch | undefined;
  let watcher: Watcher<Schema> | undefined;
  const undoneListeners: (() => void)[] = [];

  /** Runs one write and its watcher. @returns whether watched rows changed */
  const runOne = (write: QueuedWrite<Schema>): boolean => {
    watch?.take();
    write.run(writer);
    const changes = watch?.take() ?? [];
    if (changes.length === 0 || write.unwatched) return false;
    watcher?.onWrite(writer, changes);
    return true;
  };

  /** Runs a callback whose errors must not affect later writes. */
  const tell = (what: (() => void) | undefined): void => {
    try {
      what?.();
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  };

  /** Rejects the next writes, as many as a transaction may have. */
  const rejectSome = (reason: StoreUnavailable): void => {
    for (let count = 0; count < groupSize; count += 1) queue.take()?.reject(reason);
  };

  /**
   * Runs the next writes in one transaction, as many as there is time for.
   * @returns false when another process holds the database
   */
  const runGroup = (): boolean => {
    const began = performance.now();
    try {
      db.exec('BEGIN IMMEDIATE');
    } catch (error) {
      const unavailable = asStoreUnavailable(error) ?? new StoreUnavailable('failed', error);
      if (unavailable.reason === 'busy') return false;
      rejectSome(unavailable);
      return true;
    }
    const group: QueuedWrite<Schema>[] = [];
    const refused = new Map<QueuedWrite<Schema>, unknown>();
    let changed = false;
    try {
      while (group.length < groupSize && (group.length === 0 || performance.now() - began <= groupMs)) {
        const write = queue.take();
        if (write === undefined) break;
        group.push(write);
        savepoint.run();
        try {
          changed = runOne(write) || changed;
        } catch (reason) {
          if (reason instanceof StoreUnavailable) throw reason;
          db.exec('ROLLBACK TO one_write');
          refused.set(write, reason);
        }
        release.run();
        ownChanges += 1;
      }
      if (changed) watcher?.beforeCommit(writer);
      db.exec('COMMIT');
    } catch (error) {
      // SQLite may already have ended the transaction (disk full, I/O error); either way no write of the group is kept.
      if (db.isTransaction) tell(() => db.exec('ROLLBACK'));
      // What was read within the transaction is no longer so.
      ownChanges += 1;
      for (const listener of undoneListeners) tell(listener);
      const unavailable = asStoreUnavailable(error) ?? new StoreUnavailable('failed', error);
      for (const write of group) write.reject(unavailable);
      tell(watcher?.onUndone);
      return true;
    }
    for (const write of group) if (!refused.has(write)) write.commit();
    for (const [write, reason] of refused) write.reject(reason);
    if (changed) tell(watcher?.onCommit);
    return true;
  };

  const drain = async (): Promise<void> => {
    let waited = 0;
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    while (!queue.isEmpty) {
      if (runGroup()) {
        waited = 0;
        if (!queue.isEmpty) {
          await new Promise<void>((resolve) => {
            setImmediate(resolve);
          });
        }
        continue;
      }
      if (waited >= busyDeadlineMs) {
        rejectSome(new StoreUnavailable('busy', undefined));
        waited = 0;
        continue;
      }
      await sleep(busyRetryMs);
      waited += busyRetryMs;
    }
    draining = undefined;
  };

  return {
    ...reader,
    write<Result>(
      work: (tx: Writer<Schema>) => NotAPromise<Result>,
      { unwatched = false }: { readonly unwatched?: boolean } = {},
    ): Promise<Result> {
      const conditions = currentConditions();
      const attempt = (): Promise<Result> => {
        if (closed) return Promise.reject(new StoreUnavailable('failed', new Error('the store is closed')));
        const { promise, resolve, reject } = Promise.withResolvers<Result>();
        let result: { readonly value: NotAPromise<Result> } | undefined;
        queue.add({
          unwatched,
          run: (tx) => {
            conditions.judge();
            const before = changesSoFar.get()?.['changes'];
            const value = work(tx);
            if (value instanceof Promise) throw new TypeError('a write must be synchronous');
            if (changesSoFar.get()?.['changes'] !== before) conditions.begun();
            result = { value };
          },
          commit: () => {
            if (result !== undefined) resolve(result.value);
          },
          reject,
        });
        draining ??= asProcess(drain);
        return promise;
      };
      return tryPrepared(attempt);
    },
    watch(next) {
      watcher = next;
      watch?.stop();
      watch = next === undefined ? undefined : rowWatch(db, next.tables);
    },
    onUndone: (listener) => void undoneListeners.push(listener),
    snapshot: () => guarded(() => openSnapshot(file, build)),
    generation: () => guarded(() => Number(foreignChanges.get()?.['data_version']) + ownChanges),
    healthy() {
      if (closed) return false;
      try {
        prepare('SELECT 1', false).get();
        // A read-only disk, or a deleted or moved file.
        if (file !== ':memory:') accessSync(file, constants.W_OK);
        return true;
      } catch {
        return false;
      }
    },
    async close() {
      if (closed) return;
      closed = true;
      await draining;
      statements.clear();
      try {
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      } catch {
        // The next start replays the log, so closing must not fail because of it.
      }
      db.close();
    },
  };
}

/** How long to wait before retrying on a busy database, in milliseconds. */
const busyRetryMs = 10;

/**
 * Set to `1` for a process with disposable data, such as the demo or tests: it doesn't wait until a write is on disk. A
 * power cut may lose the last writes; killing the process loses none.
 */
export const throwAwayVariable = 'GATEHOUSE_THROW_AWAY';

/** Reads with statements from `prepare`. */
function readerOf<Schema>(
  build: Kysely<Schema>,
  prepare: (text: string, bigints: boolean) => StatementSync,
): Reader<Schema> {
  return {
    build,
    all<Row>(query: CompiledQuery<Row>, read: ReadOptions = {}): Row[] {
      return guarded(() => prepare(query.sql, read.bigints ?? false).all(...bind(query)) as Row[]);
    },
    get<Row>(query: CompiledQuery<Row>, read: ReadOptions = {}): Row | undefined {
      return guarded(() => prepare(query.sql, read.bigints ?? false).get(...bind(query)) as Row | undefined);
    },
  };
}

/**
 * Opens a second connection, which reads while the first one writes: neither waits for the other, and the snapshot
 * stays as it was.
 */
function openSnapshot<Schema>(file: string, build: Kysely<Schema>): Snapshot<Schema> {
  if (file === ':memory:') throw new Error('a store that is kept in memory has no snapshots');
  const db = new DatabaseSync(file, { readOnly: true });
  db.exec('BEGIN');
  // The first read fixes the snapshot's moment.
  db.prepare('SELECT count(*) FROM migration').get();
  let open = true;
  return {
    ...readerOf(build, (text, bigints) => db.prepare(text, { readBigInts: bigints })),
    iterate<Row>(query: CompiledQuery<Row>): IterableIterator<Row> {
      return db.prepare(query.sql).iterate(...bind(query)) as IterableIterator<Row>;
    },
    close() {
      if (!open) return;
      open = false;
      db.close();
    },
  };
}

function openDatabase(file: string, migrations: readonly Migration[], busyDeadlineMs: number): DatabaseSync {
  try {
    // SQLite would create the file with the umask's mode. Its log gets the same mode.
    if (file !== ':memory:') closeSync(openSync(file, 'a', 0o600));
    const db = new DatabaseSync(file, { timeout: busyDeadlineMs, enableForeignKeyConstraints: true });
    const synchronous = process.env[throwAwayVariable] === '1' ? 'OFF' : 'FULL';
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA trusted_schema = OFF`);
    migrate(db, file, migrations);
    // From here on the store waits between turns of the event loop, not inside SQLite.
    db.exec('PRAGMA busy_timeout = 5');
    return db;
  } catch (error) {
    // Other errors are faults of the program: a step of the schema's history failed.
    if (!(error instanceof Error) || !('syscall' in error || asStoreUnavailable(error))) throw error;
    throw new StoreRefused(`The database ${file} can't be used: ${error.message}.`, { cause: error });
  }
}

function migrate(db: DatabaseSync, file: string, migrations: readonly Migration[]): void {
  db.exec('BEGIN IMMEDIATE');
  db.exec(
    'CREATE TABLE IF NOT EXISTS migration (position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT',
  );
  db.exec('COMMIT');
  const applied = db.prepare('SELECT position, name FROM migration ORDER BY position').all();
  for (const [position, row] of applied.entries()) {
    const expected = migrations[position]?.name;
    if (row['name'] !== expected) {
      throw new StoreRefused(
        `The database ${file} was written by another version: step ${position} of its schema is "${String(row['name'])}", expected "${expected ?? 'none'}". ` +
          'Start the version that wrote it, or restore a backup.',
      );
    }
  }
  for (const [position, migration] of migrations.entries()) {
    if (position < applied.length) continue;
    db.exec('BEGIN IMMEDIATE');
    try {
      migration.up(db);
      db.prepare('INSERT INTO migration (position, name) VALUES (?, ?)').run(position, migration.name);
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }
}

function guarded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw asStoreUnavailable(error) ?? error;
  }
}

function bind(query: CompiledQuery): SQLInputValue[] {
  return query.parameters.map((value) => {
    if (value === undefined) return null;
    if (typeof value === 'boolean') return value ? 1 : 0;
    if (value === null || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string')
      return value;
    if (value instanceof Uint8Array) return value;
    throw new TypeError(`cannot store a ${typeof value}`);
  });
}
