import { createHmac, randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@gatehouse/service-kit/clock';
import { sql } from 'kysely';
import { badRequest } from '../../core/refusal.ts';
import type { Barrier } from '../barrier.ts';
import { setFact } from '../cluster.ts';
import type { SecretsReader, SecretsStore, SecretsWriter } from '../database.ts';
import { applierOf } from './apply.ts';
import { captureOf, watchedTables } from './capture.ts';
import { openPacked, packSealed, unpack } from './entry-codec.ts';
import type { SealedBytes, SealedChange } from './entry-codec.ts';
import { excludedBy, filterEntries } from './filtering.ts';
import { changeLog, nothing } from './log.ts';
import { receiverOf } from './receive.ts';
import type { Receiver } from './receive.ts';
import { recordsOf } from './records.ts';
import type { Capture, Change, Packed, Position, ReplicationStore, Value } from './replication-store.ts';
import { replicatedTables, tableOf } from './tables.ts';

/** What a chunk of a snapshot holds at most, about, in bytes, so that neither side waits long for one. */
const chunkBytes = 256 * 1024;

/** Name of the fact that says whether the records are of one moment. */
const wholeName = 'replication_whole';

/** The secrets server's store as replication sees it. */
export function openReplicationStore(store: SecretsStore, barrier: Barrier, clock: Clock): ReplicationStore {
  const { build } = store;
  const log = changeLog(store, barrier);
  const capture = captureOf(store);
  const applier = applierOf(store, barrier);
  const appended = new Set<() => void>();
  const replaced = new Set<() => void>();
  let mode: Capture = 'off';
  /** What the writes that are committed together changed so far. */
  let group: SealedChange[] = [];
  let receiver: Receiver | undefined;

  const wholeFact = build.selectFrom('cluster').select('value').where('name', '=', wholeName).compile();
  const setWhole = (tx: SecretsWriter, whole: boolean): void => {
    setFact(tx, wholeName, whole ? '1' : '0');
  };
  const tell = (listeners: ReadonlySet<() => void>): void => {
    for (const listener of listeners) listener();
  };
  const position = (reader: SecretsReader): Position => ({
    seq: log.head(reader),
    history: log.epochs(reader),
  });
  const touchesCaches = (changes: readonly Change[]): boolean =>
    changes.some(({ table }) => tableOf.get(table)?.uncached !== true);

  return {
    get capture() {
      return mode;
    },
    set capture(next) {
      if (next === mode) return;
      mode = next;
      store.watch(
        next === 'off'
          ? undefined
          : {
              tables: watchedTables,
              onWrite(tx, rows) {
                const changes = capture.changesOf(tx, rows);
                if (changes.length === 0) return;
                if (next === 'refuse') {
                  throw badRequest(
                    'this cluster is a performance secondary: the change belongs to its primary',
                  );
                }
                for (const change of changes) group.push(change);
              },
              beforeCommit(tx) {
                if (group.length > 0) log.append(tx, clock.now(), packSealed(group));
                group = [];
              },
              onCommit: () => tell(appended),
              onUndone: () => {
                group = [];
              },
            },
      );
    },
    position: () => position(store),
    whole: () => store.get(wholeFact)?.value !== '0',
    lastEntryTime: () => log.lastTime(),
    onAppend(listener) {
      appended.add(listener);
      return () => appended.delete(listener);
    },
    onReplaced(listener) {
      replaced.add(listener);
    },

    beginEpoch(fresh) {
      const id = randomUUID();
      return store.write((tx) => {
        const after = log.head(tx);
        // Nobody has the number that is left out: whoever has all up to it receives a snapshot too.
        if (fresh) log.restart(tx, after + 1);
        setWhole(tx, true);
        log.setEpochs(tx, [...log.epochs(tx), { id, after }]);
        return { id, after };
      });
    },
    async touch(now) {
      const seq = await store.write((tx) => log.append(tx, now, nothing));
      tell(appended);
      return seq;
    },
    entriesAfter: (seq, limit) => log.after(seq, limit),
    filtered: (entries, filter) => filterEntries(store, entries, filter),
    snapshot(filter) {
      const moment = store.snapshot();
      const taken = position(moment);
      async function* chunks(): AsyncGenerator<Packed> {
        try {
          let chunk: SealedChange<SealedBytes>[] = [];
          let bytes = 0;
          for (const record of recordsOf(moment, filter)) {
            chunk.push(record);
            bytes += sizeOf(record);
            if (bytes < chunkBytes) continue;
            yield openPacked(packSealed(chunk), barrier);
            await nextTurn();
            chunk = [];
            bytes = 0;
          }
          if (chunk.length > 0) yield openPacked(packSealed(chunk), barrier);
        } finally {
          moment.close();
        }
      }
      return { position: taken, chunks: chunks() };
    },
    trim: (needed) => store.write((tx) => log.trim(tx, needed)),
    excluded: (filter) => excludedBy(store, filter),

    async apply(entries, upTo, history) {
      const known = JSON.stringify(log.epochs(store));
      const changes = entries.map(unpack);
      await store.write(
        (tx) => {
          for (const [index, entry] of entries.entries()) {
            const kept = (changes[index] ?? []).flatMap((change) => applier.apply(tx, change) ?? []);
            log.keep(tx, entry, packSealed(kept));
          }
          const lastSeq = entries.at(-1)?.seq ?? log.head(tx);
          if (upTo > lastSeq) log.keep(tx, { seq: upTo, time: log.lastTime() ?? clock.now() }, nothing);
          if (JSON.stringify(history) !== known) log.setEpochs(tx, history);
        },
        { unwatched: true },
      );
      if (changes.some(touchesCaches)) tell(replaced);
      tell(appended);
    },
    async beginSnapshot() {
      receiver = receiverOf(applier);
      await store.write((tx) => setWhole(tx, false));
    },
    async snapshotChunk(chunk) {
      const current = receiver;
      if (current === undefined) throw new Error('no snapshot was begun');
      const changes = unpack(chunk);
      await store.write((tx) => current.chunk(tx, changes), { unwatched: true });
    },
    async endSnapshot({ seq, history }) {
      const current = receiver;
      if (current === undefined) throw new Error('no snapshot was begun');
      await store.write(
        (tx) => {
          current.end(tx);
          log.restart(tx, seq);
          log.setEpochs(tx, history);
          setWhole(tx, true);
        },
        { unwatched: true },
      );
      receiver = undefined;
      tell(replaced);
      tell(appended);
    },

    loseAfter: (seq, now) =>
      store.write((tx) => {
        // The records still have those writes: only a snapshot makes them those of a moment again.
        setWhole(tx, false);
        return log.lose(tx, seq, now);
      }),
    lost: () => log.lost(),
    async clear() {
      receiver = undefined;
      await store.write(
        (tx) => {
          for (const table of [...replicatedTables.map(({ name }) => name), ...ownTables]) {
            tx.run(sql`DELETE FROM ${sql.table(table)}`.compile(build));
          }
          log.restart(tx, 0);
          setWhole(tx, true);
        },
        { unwatched: true },
      );
      tell(replaced);
    },
    forgetHistory: () =>
      store.write((tx) => {
        log.restart(tx, 0);
        log.setEpochs(tx, []);
        setWhole(tx, true);
      }),
    async digest(key, filter) {
      const moment = store.snapshot();
      try {
        const { seq, history } = position(moment);
        const hmac = createHmac('sha256', key);
        let records = 0;
        for (const record of recordsOf(moment, filter)) {
          hmac.update(canonical(openPacked(packSealed([record]), barrier)));
          records += 1;
          if (records % recordsATurn === 0) await nextTurn();
        }
        return { seq, epoch: history.at(-1)?.id ?? '', digest: hmac.digest('hex'), records };
      } finally {
        moment.close();
      }
    },
  };
}

/** What a cluster has of its own and loses with its data. */
const ownTables = ['token', 'lease', 'wrapping', 'replication_epoch', 'replication_lost'] as const;

/** Records of a digest that are read before others have their turn. */
const recordsATurn = 256;

function sizeOf({ key, values }: SealedChange<SealedBytes>): number {
  const size = (value: Value | SealedBytes): number => {
    if (typeof value === 'string') return value.length + 4;
    return typeof value === 'object' && value !== null && 'sealed' in value ? value.sealed.length : 8;
  };
  return [...key, ...(values ?? [])].reduce<number>((sum, value) => sum + size(value), 0);
}

/** A record as one text, the same on every cluster. */
function canonical({ changes, secrets }: Packed): string {
  return `${changes}${secrets.map((secret) => Buffer.from(secret).toString('base64')).join()}\n`;
}
