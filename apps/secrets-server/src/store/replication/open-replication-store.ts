import { randomUUID } from 'node:crypto';
import type { Clock } from '@gatehouse/service-kit/clock';
import { sql } from 'kysely';
import type { Barrier } from '../barrier.ts';
import type { SecretsReader, SecretsStore, SecretsWriter } from '../database.ts';
import { excludedBy, filterEntries } from './filter/filtering.ts';
import { flagOf } from './flag.ts';
import { captureOf } from './log/capture.ts';
import { watcherOf } from './log/group.ts';
import { changeLog, nothing } from './log/log.ts';
import type { LogLimits } from './log/log.ts';
import { lostWrites } from './log/lost.ts';
import { chunksOf, digestOf } from './log/moment.ts';
import { recentEntries } from './log/recent.ts';
import { receivingOf } from './receive/receiving.ts';
import type { WriteUnwatched } from './receive/receiving.ts';
import type { Capture, Epoch, Position, RenamedMount, ReplicationStore } from './replication-store.ts';
import { replicatedTables } from './tables.ts';

/** The maximum number of epochs in a history; only the newest are kept. Each start of a primary begins an epoch. */
const mostEpochs = 1000;

/** Opens the replication part of the secrets server's store. @param limits of the log; has a default */
export function openReplicationStore(
  store: SecretsStore,
  barrier: Barrier,
  clock: Clock,
  limits?: LogLimits,
): ReplicationStore {
  const { build } = store;
  const recent = recentEntries(barrier, clock);
  const log = changeLog(store, barrier, recent, limits);
  const lost = lostWrites(store);
  const whole = flagOf(store, 'replication_whole', true);
  const lostUnlisted = flagOf(store, 'replication_lost_unlisted', false);
  const capture = captureOf(store);
  const renamedQuery = sql<RenamedMount>`SELECT namespace, mount.path, mount_rename.path AS formerPath, time
    FROM mount JOIN mount_rename ON mount_id = id ORDER BY namespace, mount.path, time, mount_rename.rowid`.compile(
    build,
  );
  const appended = new Set<() => void>();
  const replaced = new Set<Parameters<ReplicationStore['onReplaced']>[0]>();
  const onAppend = (): void => {
    for (const listener of appended) listener();
  };
  const onReplaced = (policiesOf?: ReadonlySet<string>): void => {
    for (const listener of replaced) listener(policiesOf);
  };
  /** Writes what a primary sent. The watcher doesn't see it, so the names of mounts that it has cached may be outdated. */
  const writeUnwatched: WriteUnwatched = (work) =>
    store.write(
      (tx) => {
        const result = work(tx);
        capture.forget();
        return result;
      },
      { unwatched: true },
    );
  const receiving = receivingOf({
    store,
    writeUnwatched,
    barrier,
    clock,
    log,
    lost,
    whole,
    lostUnlisted,
    onAppend,
    onReplaced,
  });
  let mode: Capture = 'off';
  const position = (reader: SecretsReader): Position => ({
    seq: log.head(reader),
    history: log.epochs(reader),
  });
  const beginEpochIn = (tx: SecretsWriter, fresh: boolean): Epoch => {
    const epoch: Epoch = { id: randomUUID(), after: log.head(tx) };
    // Leaves one number unused, so that even a secondary with all entries up to it receives a snapshot.
    if (fresh) log.restart(tx, epoch.after + 1);
    const before = fresh ? [] : log.epochs(tx);
    // An epoch without writes does not distinguish histories.
    const written = before.at(-1)?.after === epoch.after ? before.slice(0, -1) : before;
    log.setEpochs(tx, [...written.slice(1 - mostEpochs), epoch]);
    whole.set(tx, true);
    return epoch;
  };

  return {
    get capture() {
      return mode;
    },
    set capture(next) {
      if (next === mode) return;
      mode = next;
      // Without a watcher, mounts may have changed unseen.
      capture.forget();
      recent.stop();
      if (next === 'keep') recent.start();
      store.watch(watcherOf(next, { capture, log, recent, clock, onAppend }));
    },
    position: () => position(store),
    whole: () => whole.read(),
    lastEntryTime: () => log.lastTime(),
    onAppend(listener) {
      appended.add(listener);
      return () => appended.delete(listener);
    },
    onReplaced(listener) {
      replaced.add(listener);
    },

    beginEpoch: (fresh) => store.write((tx) => beginEpochIn(tx, fresh)),
    beginEpochIn,
    async touch(now) {
      const seq = await store.write((tx) => log.append(tx, now, nothing));
      onAppend();
      return seq;
    },
    entriesAfter: (seq, limit) => log.after(seq, limit),
    filtered: (entries, filter) => filterEntries(store, entries, filter),
    snapshot(filter, giveWay) {
      const moment = store.snapshot();
      return { position: position(moment), chunks: chunksOf(moment, filter, barrier, giveWay) };
    },
    trim: (needed) => store.write((tx) => log.trim(tx, needed)),
    excluded: (filter) => excludedBy(store, filter),

    apply: (entries, upTo, history) => receiving.apply(entries, upTo, history),
    beginSnapshot: (primary, filter) => receiving.beginSnapshot(primary, filter),
    snapshotChunk: (chunk) => receiving.snapshotChunk(chunk),
    endSnapshot: (reached) => receiving.endSnapshot(reached),

    loseAfter: (seq, now) =>
      store.write((tx) => {
        // The records still contain the lost writes, so they are consistent again only after a snapshot.
        whole.set(tx, false);
        let listed = 0;
        const missing = log.takeAfter(tx, seq, (entry) => {
          lost.add(tx, entry, now);
          listed += 1;
        });
        if (missing > 0) lostUnlisted.set(tx, true);
        return listed + missing;
      }),
    lost: (page = {}) => lost.list(page),
    lostCount: () => lost.count(),
    purgeLost: (upTo) => store.write((tx) => lost.purge(tx, upTo)),
    renamed: () => store.all(renamedQuery),
    async clear() {
      receiving.forget();
      await writeUnwatched((tx) => {
        for (const table of [...replicatedTables.map(({ name }) => name), ...ownTables]) {
          tx.run(sql`DELETE FROM ${sql.table(table)}`.compile(build));
        }
        log.restart(tx, 0);
        whole.set(tx, true);
        lostUnlisted.set(tx, false);
      });
      onReplaced();
    },
    forgetHistory(tx) {
      log.restart(tx, 0);
      log.setEpochs(tx, []);
      whole.set(tx, true);
      lostUnlisted.set(tx, false);
    },
    async digest(key, filter, giveWay) {
      const moment = store.snapshot();
      try {
        return await digestOf(moment, position(moment), { barrier, key, filter, giveWay });
      } finally {
        moment.close();
      }
    },
  };
}

/** The cluster's own tables that are deleted with its data. */
const ownTables = ['token', 'lease', 'wrapping', 'replication_epoch', 'replication_lost'] as const;
