import type { Clock } from '@gatehouse/service-kit/clock';
import type { Barrier } from '../../barrier.ts';
import { places } from '../../places.ts';
import type { Entry } from '../replication-store.ts';
import type { PackedSealed } from './entry-codec.ts';

/**
 * Decrypted copies of entries that were just written. A stream that keeps up doesn't have to read and decrypt them,
 * which would cost more than the rest of sending. They are kept for a moment, and only while a stream reads entries.
 */
export type RecentEntries = ReturnType<typeof recentEntries>;

/** How long entries are kept after the last one was added, and after a stream last read entries; in milliseconds. */
const keptMs = 1000;

/** The maximum total size in bytes. */
const mostBytes = 4 * 2 ** 20;

/** Call `start` before use. */
export function recentEntries(barrier: Barrier, clock: Clock) {
  /** Plaintexts sealed since the last commit, by binding name. */
  const sealed = new Map<string, string | Uint8Array>();
  const kept = new Map<number, Entry>();
  let added: Entry[] = [];
  let bytes = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const forget = (): void => {
    sealed.clear();
    kept.clear();
    added = [];
    bytes = 0;
  };
  const isAsked = (): boolean => clock.monotonic() - askedAt < keptMs;
  barrier.onLock(forget);

  return {
    start(): void {
      forget();
      timer = setTimeout(forget, keptMs).unref();
      barrier.onSeal((plaintext, place) => {
        // Other values are never read from here, and might not be cleared by a commit.
        if (!isAsked() || !places.isKvVersion(place)) return;
        // Starts the timer with the first value; the others of the same write follow within the same moment.
        if (sealed.size === 0) timer?.refresh();
        sealed.set(place, plaintext);
      });
    },
    /** Forgets all entries and keeps no new ones. */
    stop(): void {
      clearTimeout(timer);
      barrier.onSeal(undefined);
      forget();
    },
    /** Adds an entry that is being written. */
    add({ seq, time }: Pick<Entry, 'seq' | 'time'>, { changes, secrets }: PackedSealed): void {
      if (!isAsked()) return;
      const values: Uint8Array[] = [];
      for (const secret of secrets) {
        // Only a version is always sealed in the write that stores it; other values may have been sealed long before.
        const value =
          'place' in secret ? undefined : sealed.get(places.kvVersion(secret.keyId, secret.version));
        if (value === undefined) return;
        values.push(Buffer.from(value));
      }
      added.push({ seq, time, changes, secrets: values });
    },
    /** The added entries are on disk. */
    commit(): void {
      // Only an added entry extends the time of the kept ones.
      if (added.length > 0) timer?.refresh();
      for (const entry of added) {
        kept.set(entry.seq, entry);
        bytes += bytesOf(entry);
      }
      for (const [seq, entry] of kept) {
        if (bytes <= mostBytes) break;
        kept.delete(seq);
        bytes -= bytesOf(entry);
      }
      added = [];
      sealed.clear();
    },
    /** The added entries were rolled back. */
    undo(): void {
      added = [];
      sealed.clear();
    },
    /** Undefined if the entry must be read from the log. */
    get(seq: number): Entry | undefined {
      askedAt = clock.monotonic();
      return kept.get(seq);
    },
  };
}

/** The approximate size of an entry in bytes. */
export function bytesOf({ changes, secrets }: Entry): number {
  return secrets.reduce((sum, { length }) => sum + length, changes.length);
}
