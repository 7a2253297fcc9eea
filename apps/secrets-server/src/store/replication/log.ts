import { withParameters } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Barrier } from '../barrier.ts';
import type { SecretsReader, SecretsStore, SecretsWriter } from '../database.ts';
import { places } from '../places.ts';
import { describe } from './describe.ts';
import { openPacked, packDestroyed } from './entry-codec.ts';
import type { PackedSealed, SealedValue, VersionOfKey } from './entry-codec.ts';
import type { Entry, Epoch, LostWrite } from './replication-store.ts';
import type { ReplicationLogTable } from './schema.ts';
import { entryTail } from './tail.ts';

/** The ordered log of writes with its epochs, in this store. */
export interface ChangeLog {
  /** Number of the last entry. */
  head(reader: SecretsReader): number;
  append(tx: SecretsWriter, time: number, packed: PackedSealed): number;
  /** Keeps an entry of somebody else's under its number. */
  keep(tx: SecretsWriter, entry: Pick<Entry, 'seq' | 'time'>, packed: PackedSealed): void;
  /** What was added is on disk. */
  committed(): void;
  /** What was added is not. */
  undone(): void;
  lastTime(): number | undefined;
  after(
    seq: number,
    limit: { readonly entries: number; readonly bytes: number },
  ): readonly Entry[] | undefined;
  trim(tx: SecretsWriter, needed: readonly number[]): void;
  /** Forgets all entries; the numbers go on after `seq`. */
  restart(tx: SecretsWriter, seq: number): void;
  epochs(): readonly Epoch[];
  setEpochs(tx: SecretsWriter, epochs: readonly Epoch[]): void;
  /** Moves what comes after `seq` to the lost writes. Answers how many they are. */
  lose(tx: SecretsWriter, seq: number, now: number): number;
  lost(): readonly LostWrite[];
}

/** Entries that are kept in any case, and the most that are kept for a cluster that is behind. */
export const logLimits = { always: 10_000, most: 500_000 } as const;

/** Entries that are read at a time: a few may be large. */
const readAtOnce = 64;

/** Name of the fact that says after which number the entries begin. */
const baseName = 'replication_base';

/** The log of the secrets server's store. */
export function changeLog(store: SecretsStore, barrier: Barrier): ChangeLog {
  const { build } = store;
  const fact = build.selectFrom('cluster').select('value').where('name', '=', baseName).compile();
  const last = sql<{ seq: number | null }>`SELECT max(seq) AS seq FROM replication_log`.compile(build);
  const first = sql<{ seq: number | null }>`SELECT min(seq) AS seq FROM replication_log`.compile(build);
  const page = build
    .selectFrom('replication_log')
    .selectAll()
    .where('seq', '>', 0)
    .orderBy('seq')
    .limit(0)
    .compile();
  const insert = build
    .insertInto('replication_log')
    .values({ seq: 0, time: 0, changes: '', places: '', sealed: new Uint8Array() })
    .compile();
  const lastTime = sql<{ time: number }>`SELECT time FROM replication_log ORDER BY seq DESC LIMIT 1`.compile(
    build,
  );

  const version = build
    .selectFrom('kv_version')
    .select('sealed')
    .where('key_id', '=', 0)
    .where('version', '=', 0)
    .compile();
  const entryOf = (row: Selectable<ReplicationLogTable>) =>
    writtenEntry(
      row,
      ({ keyId, version: number }) => store.get(withParameters(version, keyId, number))?.sealed ?? null,
    );
  const tail = entryTail();
  /** Number of the last entry that was added; undefined when the store must be asked. */
  let known: number | undefined;

  const base = (reader: SecretsReader): number => Number(reader.get(fact)?.value ?? 0);
  const head = (reader: SecretsReader): number => reader.get(last)?.seq ?? base(reader);
  const put = (tx: SecretsWriter, seq: number, time: number, { changes, secrets }: PackedSealed): void => {
    const { places, sealed } = storedSecrets(secrets, false);
    tx.run(withParameters(insert, seq, time, changes, places, sealed));
    tail.add({ seq, time, changes, secrets });
    known = seq;
  };
  const forget = (): void => {
    known = undefined;
    tail.clear();
  };

  return {
    head,
    append(tx, time, packed) {
      const seq = (known ?? head(tx)) + 1;
      put(tx, seq, time, packed);
      return seq;
    },
    keep: (tx, { seq, time }, packed) => put(tx, seq, time, packed),
    committed: () => tail.commit(),
    undone: () => tail.undo(),
    lastTime: () => store.get(lastTime)?.time,
    after(seq, limit) {
      const oldest = store.get(first)?.seq ?? head(store) + 1;
      if (seq + 1 < oldest) return undefined;
      const entries: Entry[] = [];
      let bytes = 0;
      let from = seq;
      while (entries.length < limit.entries && bytes < limit.bytes) {
        const wanted = Math.min(readAtOnce, limit.entries - entries.length);
        const written =
          tail.after(from, wanted) ?? store.all(withParameters(page, from, wanted)).map(entryOf);
        for (const entry of written) {
          if (entries.length > 0 && bytes >= limit.bytes) break;
          const opened = openPacked(entry, barrier);
          entries.push({ seq: entry.seq, time: entry.time, ...opened });
          bytes += opened.secrets.reduce((sum, { length }) => sum + length, opened.changes.length);
          from = entry.seq;
        }
        if (written.length < wanted) break;
      }
      return entries;
    },
    trim(tx, needed) {
      const end = head(tx);
      const slowest = Math.min(end, ...needed);
      const upTo = Math.max(Math.min(slowest, end - logLimits.always), end - logLimits.most);
      tx.run(build.deleteFrom('replication_log').where('seq', '<=', upTo).compile());
    },
    restart(tx, seq) {
      forget();
      tx.run(build.deleteFrom('replication_log').compile());
      const value = String(seq);
      tx.run(
        build
          .insertInto('cluster')
          .values({ name: baseName, value })
          .onConflict((row) => row.column('name').doUpdateSet({ value }))
          .compile(),
      );
    },
    epochs: () =>
      store.all(build.selectFrom('replication_epoch').select(['id', 'after']).orderBy('number').compile()),
    setEpochs(tx, epochs) {
      tx.run(build.deleteFrom('replication_epoch').compile());
      for (const { id, after } of epochs) {
        tx.run(build.insertInto('replication_epoch').values({ id, after }).compile());
      }
    },
    lose(tx, seq, now) {
      forget();
      let moved = 0;
      const kept = build.selectFrom('replication_log').selectAll().where('seq', '>', seq).orderBy('seq');
      for (const row of tx.all(kept.compile())) {
        if (row.changes === nothing) continue;
        moved += 1;
        const { changes, secrets } = entryOf(row);
        // With all values: the rows that have them are not kept.
        const lost = {
          found_time: now,
          seq: row.seq,
          time: row.time,
          changes,
          ...storedSecrets(secrets, true),
        };
        tx.run(build.insertInto('replication_lost').values(lost).compile());
      }
      tx.run(build.deleteFrom('replication_log').where('seq', '>', seq).compile());
      return moved;
    },
    lost: () =>
      store
        .all(
          build
            .selectFrom('replication_lost')
            .select(['id', 'found_time', 'seq', 'time', 'changes'])
            .orderBy('id', 'desc')
            .limit(mostLostTold)
            .compile(),
        )
        .map(({ id, found_time, seq, time, changes }) => ({
          id,
          foundTime: found_time,
          seq,
          time,
          records: describe(store, changes),
        })),
  };
}

/** Most lost writes that are told at a time, the newest. */
const mostLostTold = 1000;

/** Changes of an entry that is only a sign of life. */
const nothing = '[]';

/** A sealed value: its length and what it is bound to, or the version of a key that has it. */
type PlaceMark = readonly [length: number, place: string] | readonly [keyId: number, version: number];

/** Secret values as the log keeps them. @param all also those that stay in their rows */
function storedSecrets(
  secrets: readonly SealedValue[],
  all: boolean,
): { readonly places: string; readonly sealed: Uint8Array } {
  const stored = all ? secrets : secrets.filter(({ row }) => row === undefined);
  const marks = secrets.map(({ sealed, place, row }): PlaceMark =>
    all || row === undefined ? [sealed.length, place] : [row.keyId, row.version],
  );
  return { places: JSON.stringify(marks), sealed: Buffer.concat(stored.map(({ sealed }) => sealed)) };
}

/** An entry of the log. @param versionValue finds what a version of a key has; null once it is destroyed or gone */
function writtenEntry(
  row: {
    readonly seq: number;
    readonly time: number;
    readonly changes: string;
    readonly places: string;
    readonly sealed: Uint8Array;
  },
  versionValue: (version: VersionOfKey) => Uint8Array | null,
): Pick<Entry, 'seq' | 'time'> & PackedSealed {
  const { seq, time, changes } = row;
  let offset = 0;
  const gone = new Set<number>();
  const secrets = (JSON.parse(row.places) as readonly PlaceMark[]).map((mark, index): SealedValue => {
    const [first, second] = mark;
    if (typeof second === 'string') {
      offset += first;
      return { sealed: row.sealed.subarray(offset - first, offset), place: second };
    }
    const version = { keyId: first, version: second };
    const sealed = versionValue(version);
    if (sealed === null) gone.add(index);
    return { sealed: sealed ?? new Uint8Array(), place: places.kvVersion(first, second), row: version };
  });
  const packed: PackedSealed = { changes, secrets };
  return { seq, time, ...(gone.size === 0 ? packed : packDestroyed(packed, gone)) };
}
