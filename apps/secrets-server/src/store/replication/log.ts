import { withParameters } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { Barrier } from '../barrier.ts';
import { setFact } from '../cluster.ts';
import type { SecretsReader, SecretsStore, SecretsWriter } from '../database.ts';
import { places } from '../places.ts';
import { describe } from './describe.ts';
import { fetchPacked, openPacked } from './entry-codec.ts';
import type { PackedSealed, SealedBytes, SealedValue, VersionOfKey } from './entry-codec.ts';
import type { Entry, Epoch, LostWrite } from './replication-store.ts';

/** The ordered log of writes with its epochs, in this store. */
export interface ChangeLog {
  /** Number of the last entry. */
  head(reader: SecretsReader): number;
  append(tx: SecretsWriter, time: number, packed: PackedSealed): number;
  /** Keeps an entry of somebody else's under its number. */
  keep(tx: SecretsWriter, entry: Pick<Entry, 'seq' | 'time'>, packed: PackedSealed): void;
  lastTime(): number | undefined;
  after(
    seq: number,
    limit: { readonly entries: number; readonly bytes: number },
  ): readonly Entry[] | undefined;
  trim(tx: SecretsWriter, needed: readonly number[]): void;
  /** Forgets all entries; the numbers go on after `seq`. */
  restart(tx: SecretsWriter, seq: number): void;
  epochs(reader: SecretsReader): readonly Epoch[];
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
  const epochs = build.selectFrom('replication_epoch').select(['id', 'after']).orderBy('number').compile();
  const find = ({ keyId, version: number }: VersionOfKey): SealedBytes | null => {
    const sealed = store.get(withParameters(version, keyId, number))?.sealed ?? null;
    return sealed === null ? null : { sealed, place: places.kvVersion(keyId, number) };
  };
  /** Number of the last entry that was added; undefined when the store must be asked. */
  let known: number | undefined;

  const base = (reader: SecretsReader): number => Number(reader.get(fact)?.value ?? 0);
  const head = (reader: SecretsReader): number => reader.get(last)?.seq ?? base(reader);
  const put = (tx: SecretsWriter, seq: number, time: number, { changes, secrets }: PackedSealed): void => {
    const stored = storedSecrets(secrets);
    tx.run(withParameters(insert, seq, time, changes, stored.places, stored.sealed));
    known = seq;
  };
  return {
    head,
    append(tx, time, packed) {
      const seq = (known ?? head(tx)) + 1;
      put(tx, seq, time, packed);
      return seq;
    },
    keep: (tx, { seq, time }, packed) => put(tx, seq, time, packed),
    lastTime: () => store.get(lastTime)?.time,
    after(seq, limit) {
      const oldest = store.get(first)?.seq ?? head(store) + 1;
      if (seq + 1 < oldest) return undefined;
      const entries: Entry[] = [];
      let bytes = 0;
      let from = seq;
      while (entries.length < limit.entries && bytes < limit.bytes) {
        const wanted = Math.min(readAtOnce, limit.entries - entries.length);
        const rows = store.all(withParameters(page, from, wanted));
        for (const row of rows) {
          if (entries.length > 0 && bytes >= limit.bytes) break;
          const opened = openPacked(fetchPacked(packedRow(row), find), barrier);
          entries.push({ seq: row.seq, time: row.time, ...opened });
          bytes += opened.secrets.reduce((sum, { length }) => sum + length, opened.changes.length);
          from = row.seq;
        }
        if (rows.length < wanted) break;
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
      known = undefined;
      tx.run(build.deleteFrom('replication_log').compile());
      setFact(tx, baseName, String(seq));
    },
    epochs: (reader) => reader.all(epochs),
    setEpochs(tx, epochs) {
      tx.run(build.deleteFrom('replication_epoch').compile());
      for (const { id, after } of epochs) {
        tx.run(build.insertInto('replication_epoch').values({ id, after }).compile());
      }
    },
    lose(tx, seq, now) {
      known = undefined;
      let moved = 0;
      const kept = build.selectFrom('replication_log').selectAll().where('seq', '>', seq).orderBy('seq');
      for (const row of tx.all(kept.compile())) {
        if (row.changes === nothing.changes) continue;
        moved += 1;
        const { changes, secrets } = fetchPacked(packedRow(row), find);
        // With all values: the rows that have them are not kept.
        const lost = {
          found_time: now,
          seq: row.seq,
          time: row.time,
          changes,
          ...storedSecrets(secrets),
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

/** What an entry holds that is only a sign of life. */
export const nothing: PackedSealed = { changes: '[]', secrets: [] };

/** A sealed value: its length and what it is bound to, or the version of a key that has it. */
type PlaceMark = readonly [length: number, place: string] | readonly [keyId: number, version: number];

/** Secret values as the log keeps them. */
function storedSecrets(secrets: readonly SealedValue[]): {
  readonly places: string;
  readonly sealed: Uint8Array;
} {
  const bytes: Uint8Array[] = [];
  const marks = secrets.map((secret): PlaceMark => {
    if (!('place' in secret)) return [secret.keyId, secret.version];
    bytes.push(secret.sealed);
    return [secret.sealed.length, secret.place];
  });
  return { places: JSON.stringify(marks), sealed: bytes.length === 0 ? noBytes : Buffer.concat(bytes) };
}

const noBytes = new Uint8Array();

/** What a row of the log holds. */
function packedRow(row: {
  readonly changes: string;
  readonly places: string;
  readonly sealed: Uint8Array;
}): PackedSealed {
  let offset = 0;
  const secrets = (JSON.parse(row.places) as readonly PlaceMark[]).map(([first, second]): SealedValue => {
    if (typeof second === 'number') return { keyId: first, version: second };
    offset += first;
    return { sealed: row.sealed.subarray(offset - first, offset), place: second };
  });
  return { changes: row.changes, secrets };
}
