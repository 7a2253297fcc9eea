import { withParameters } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { Barrier } from '../../barrier.ts';
import { factQuery, setFact } from '../../cluster.ts';
import type { SecretsReader, SecretsStore, SecretsWriter } from '../../database.ts';
import { places } from '../../places.ts';
import type { Entry, Epoch } from '../replication-store.ts';
import { fetchPacked, openPacked } from './entry-codec.ts';
import type { PackedSealed, SealedBytes, SealedValue, VersionOfKey } from './entry-codec.ts';
import { bytesOf } from './recent.ts';
import type { RecentEntries } from './recent.ts';

/** An entry with all its values, still sealed. */
export interface KeptEntry {
  readonly seq: number;
  readonly time: number;
  readonly packed: PackedSealed<SealedBytes>;
}

/** The ordered log of writes, with its epochs. */
export type ChangeLog = ReturnType<typeof changeLog>;

/** The limits of the log's length. */
export interface LogLimits {
  /** The number of newest entries that are always kept. */
  readonly always: number;
  /** The number of entries that are kept at most for a secondary that is behind. */
  readonly most: number;
  /** The total size in bytes; the newest entry is kept regardless. */
  readonly bytes: number;
}

/** The default limits. */
const usualLimits: LogLimits = { always: 10_000, most: 500_000, bytes: 2 ** 30 };

/** Entries per query; few, because entries can be large. */
const readAtOnce = 64;

/** The name of the stored base: the number before the log's first entry. */
const baseName = 'replication_base';

export function changeLog(
  store: SecretsStore,
  barrier: Barrier,
  recent: Pick<RecentEntries, 'get'>,
  limits: LogLimits = usualLimits,
) {
  const { build } = store;
  const queries = logQueries(build);
  const find =
    (reader: SecretsReader) =>
    ({ keyId, version }: VersionOfKey): SealedBytes | null => {
      const sealed = reader.get(withParameters(queries.version, keyId, version))?.sealed ?? null;
      return sealed === null ? null : { sealed, place: places.kvVersion(keyId, version) };
    };
  const base = (reader: SecretsReader): number => Number(reader.get(queries.base)?.value ?? 0);
  const head = (reader: SecretsReader): number => reader.get(queries.last)?.seq ?? base(reader);
  /** @param before the total size of all earlier entries in bytes */
  const put = (
    tx: SecretsWriter,
    { seq, time }: Pick<Entry, 'seq' | 'time'>,
    { changes, secrets }: PackedSealed,
    before = 0,
  ): void => {
    const { places: marks, sealed } = storedSecrets(secrets);
    const total = before + changes.length + marks.length + sealed.length;
    tx.run(withParameters(queries.insert, seq, time, changes, marks, sealed, total));
  };
  /** The highest number known so far. An entry with that number may have been rolled back or deleted since. */
  let most = head(store);
  const noteNumber = (seq: number): void => {
    most = Math.max(most, seq);
  };
  return {
    /** The number of the last entry. */
    head,
    append(tx: SecretsWriter, time: number, packed: PackedSealed): number {
      const last = tx.get(queries.last);
      const seq = (last?.seq ?? base(tx)) + 1;
      noteNumber(seq);
      put(tx, { seq, time }, packed, last?.total);
      return seq;
    },
    /** Stores another cluster's entry under its number. */
    keep(tx: SecretsWriter, entry: Pick<Entry, 'seq' | 'time'>, packed: PackedSealed): void {
      noteNumber(entry.seq);
      put(tx, entry, packed, tx.get(queries.last)?.total);
    },
    lastTime: (): number | undefined => store.get(queries.last)?.time,
    after(
      seq: number,
      limit: { readonly entries: number; readonly bytes: number },
    ): readonly Entry[] | undefined {
      const entries: Entry[] = [];
      // A stream that keeps up is served from memory and skips the queries for the ends of the log, which cost more.
      if (recent.get(seq + 1) === undefined) {
        if (seq === most) return entries;
        const oldest = store.get(queries.first)?.seq ?? head(store) + 1;
        if (seq + 1 < oldest) return undefined;
      }
      let bytes = 0;
      let from = seq;
      const add = (entry: Entry): void => {
        entries.push(entry);
        bytes += bytesOf(entry);
        from = entry.seq;
      };
      while (entries.length < limit.entries && bytes < limit.bytes) {
        const kept = recent.get(from + 1);
        if (kept !== undefined) {
          add(kept);
          continue;
        }
        if (from === most) break;
        const wanted = Math.min(readAtOnce, limit.entries - entries.length);
        const rows = store.all(withParameters(queries.page, from, wanted));
        for (const row of rows) {
          if (entries.length > 0 && bytes >= limit.bytes) break;
          const opened = openPacked(fetchPacked(packedRow(row), find(store)), barrier);
          add({ seq: row.seq, time: row.time, ...opened });
        }
        if (rows.length < wanted) break;
      }
      return entries;
    },
    trim(tx: SecretsWriter, needed: readonly number[]): void {
      const end = head(tx);
      const slowest = Math.min(end, ...needed);
      const upTo = Math.max(Math.min(slowest, end - limits.always), end - limits.most);
      tx.run(withParameters(queries.deleteUpTo, Math.max(upTo, beyondBytes(tx, queries, limits.bytes))));
    },
    /** Deletes all entries; numbering continues after `seq`. */
    restart(tx: SecretsWriter, seq: number): void {
      noteNumber(seq);
      tx.run(withParameters(queries.deleteAfter, -1));
      setFact(tx, baseName, String(seq));
    },
    epochs: (reader: SecretsReader): readonly Epoch[] => reader.all(queries.epochs),
    setEpochs(tx: SecretsWriter, epochs: readonly Epoch[]): void {
      tx.run(build.deleteFrom('replication_epoch').compile());
      for (const { id, after } of epochs) {
        tx.run(build.insertInto('replication_epoch').values({ id, after }).compile());
      }
    },
    /**
     * Removes the entries after `seq`, where numbering continues.
     * @param take receives each removed entry with changes
     * @returns the number of entries that were no longer in the log
     */
    takeAfter(tx: SecretsWriter, seq: number, take: (entry: KeptEntry) => void): number {
      const end = head(tx);
      const oldest = tx.get(queries.first)?.seq ?? end + 1;
      let from = seq;
      for (;;) {
        const rows = tx.all(withParameters(queries.page, from, readAtOnce));
        for (const row of rows) {
          from = row.seq;
          if (row.changes === nothing.changes) continue;
          // Includes all values, because their rows will be replaced.
          take({ seq: row.seq, time: row.time, packed: fetchPacked(packedRow(row), find(tx)) });
        }
        if (rows.length < readAtOnce) break;
      }
      tx.run(withParameters(queries.deleteAfter, seq));
      if (oldest > seq) setFact(tx, baseName, String(Math.min(seq, end)));
      return Math.max(0, oldest - 1 - seq);
    },
  };
}

/** The prepared statements of the log; each comment lists the parameters in order. */
function logQueries(build: SecretsStore['build']) {
  return {
    base: withParameters(factQuery(build), baseName),
    last: sql<{ seq: number; time: number; total: number }>`
      SELECT seq, time, total FROM replication_log ORDER BY seq DESC LIMIT 1`.compile(build),
    first: sql<{ seq: number | null }>`SELECT min(seq) AS seq FROM replication_log`.compile(build),
    /** Parameters: number of the first entry. */
    from: sql<{ seq: number; total: number }>`
      SELECT seq, total FROM replication_log WHERE seq >= ${0} ORDER BY seq LIMIT 1`.compile(build),
    /** Parameters: number before the first entry, maximum number of entries. */
    page: build
      .selectFrom('replication_log')
      .selectAll()
      .where('seq', '>', 0)
      .orderBy('seq')
      .limit(0)
      .compile(),
    /** Parameters: number, time, changes, places, values, total size up to here. */
    insert: build
      .insertInto('replication_log')
      .values({ seq: 0, time: 0, changes: '', places: '', sealed: new Uint8Array(), total: 0 })
      .compile(),
    deleteUpTo: build.deleteFrom('replication_log').where('seq', '<=', 0).compile(),
    deleteAfter: build.deleteFrom('replication_log').where('seq', '>', 0).compile(),
    /** Parameters: key, version. */
    version: build
      .selectFrom('kv_version')
      .select('sealed')
      .where('key_id', '=', 0)
      .where('version', '=', 0)
      .compile(),
    epochs: build.selectFrom('replication_epoch').select(['id', 'after']).orderBy('number').compile(),
  };
}

/**
 * The number of the last entry that no longer fits into the size limit with its successors; the number before the first
 * entry if all fit.
 */
function beyondBytes(reader: SecretsReader, queries: ReturnType<typeof logQueries>, bytes: number): number {
  const last = reader.get(queries.last);
  const first = reader.get(queries.first)?.seq ?? null;
  if (last === undefined || first === null) return 0;
  const least = last.total - bytes;
  let [low, high] = [first, last.seq];
  // Binary search: the totals increase with the numbers.
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const at = reader.get(withParameters(queries.from, middle));
    if (at === undefined || at.total > least) high = middle;
    else low = at.seq + 1;
  }
  return low - 1;
}

/** The content of an entry without changes. */
export const nothing: PackedSealed = { changes: '[]', secrets: [] };

/** The length and binding name of a sealed value, or the version of a key whose row has the value. */
type PlaceMark = readonly [length: number, place: string] | readonly [keyId: number, version: number];

/** Packs secret values for a row of the log. */
export function storedSecrets(secrets: readonly SealedValue[]): {
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

function packedRow(row: {
  readonly changes: string;
  readonly places: string;
  readonly sealed: Uint8Array;
}): PackedSealed {
  let offset = 0;
  const secrets = (JSON.parse(row.places) as readonly PlaceMark[]).map(([first, second]): SealedValue => {
    if (typeof second === 'number') return { keyId: first, version: second, size: 0 };
    offset += first;
    return { sealed: row.sealed.subarray(offset - first, offset), place: second };
  });
  return { changes: row.changes, secrets };
}
