import type { Clock } from '@gatehouse/service-kit/clock';
import type { Barrier } from '../../barrier.ts';
import { places } from '../../places.ts';
import type { Entry } from '../replication-store.ts';
import type { PackedSealed } from './entry-codec.ts';

/**
 * Entries that were just written, in the clear: a stream that keeps up need not fetch and open them again, which would
 * cost more than the rest of sending. They are kept for a moment, and only while a stream asks for entries.
 */
export type RecentEntries = ReturnType<typeof recentEntries>;

/** How long one is kept after the last that was written, in milliseconds, and how long after entries were asked for. */
const keptMs = 1000;

/** Bytes of all of them. */
const mostBytes = 4 * 2 ** 20;

/** Begins stopped. */
export function recentEntries(barrier: Barrier, clock: Clock) {
  /** What was sealed since the last commit, by what it is bound to. */
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
        // What else is sealed is never asked for, and no commit would clear it.
        if (!isAsked() || !places.isKvVersion(place)) return;
        // Others that are written with it come within the same moment.
        if (sealed.size === 0) timer?.refresh();
        sealed.set(place, plaintext);
      });
    },
    /** Forgets them all, and keeps none from now on. */
    stop(): void {
      clearTimeout(timer);
      barrier.onSeal(undefined);
      forget();
    },
    /** An entry that is being written. */
    add({ seq, time }: Pick<Entry, 'seq' | 'time'>, { changes, secrets }: PackedSealed): void {
      if (!isAsked()) return;
      const values: Uint8Array[] = [];
      for (const secret of secrets) {
        // A version is sealed by the write that makes it; another value may have been sealed long before it is written.
        const value =
          'place' in secret ? undefined : sealed.get(places.kvVersion(secret.keyId, secret.version));
        if (value === undefined) return;
        values.push(Buffer.from(value));
      }
      added.push({ seq, time, changes, secrets: values });
    },
    /** What was added is on disk. */
    commit(): void {
      // Those that are kept are not kept longer because of others.
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
    /** What was added is not. */
    undo(): void {
      added = [];
      sealed.clear();
    },
    /** Undefined where it must be read from the log. */
    get(seq: number): Entry | undefined {
      askedAt = clock.monotonic();
      return kept.get(seq);
    },
  };
}

/** About how many bytes an entry takes. */
export function bytesOf({ changes, secrets }: Entry): number {
  return secrets.reduce((sum, { length }) => sum + length, changes.length);
}
