import type { PackedSealed } from './entry-codec.ts';

/** An entry as it was written, its secret values sealed. */
export interface WrittenEntry extends PackedSealed {
  readonly seq: number;
  readonly time: number;
}

/** The newest entries in memory, so that who follows closely need not be served from the disk. */
export interface Tail {
  /** Adds an entry of a transaction that is not committed yet. */
  add(entry: WrittenEntry): void;
  commit(): void;
  undo(): void;
  /** Those after `seq`; undefined where not all of them are here. */
  after(seq: number, most: number): readonly WrittenEntry[] | undefined;
  clear(): void;
}

/** Most entries, and most bytes of them, that are kept. */
const limits = { entries: 4096, bytes: 16 * 1024 * 1024 } as const;

/** Begins without entries. */
export function entryTail(): Tail {
  let entries: WrittenEntry[] = [];
  let waiting: WrittenEntry[] = [];
  let bytes = 0;
  return {
    add: (entry) => waiting.push(entry),
    commit() {
      for (const entry of waiting) {
        entries.push(entry);
        bytes += sizeOf(entry);
      }
      waiting = [];
      if (entries.length <= 2 * limits.entries && bytes <= limits.bytes) return;
      let from = Math.max(0, entries.length - limits.entries);
      for (; from < entries.length && bytes > limits.bytes / 2; from += 1) bytes -= sizeOf(entries[from]);
      entries = entries.slice(from);
      bytes = entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
    },
    undo() {
      waiting = [];
    },
    after(seq, most) {
      const first = entries[0];
      if (first === undefined || seq + 1 < first.seq) return undefined;
      // Numbers have gaps where a transaction failed: the place is at or before where it would be without.
      let at = Math.min(seq + 1 - first.seq, entries.length);
      while (at > 0 && (entries[at - 1]?.seq ?? 0) > seq) at -= 1;
      return entries.slice(at, at + most);
    },
    clear() {
      entries = [];
      waiting = [];
      bytes = 0;
    },
  };
}

function sizeOf(entry: WrittenEntry | undefined): number {
  return (
    (entry?.changes.length ?? 0) + (entry?.secrets ?? []).reduce((sum, { sealed }) => sum + sealed.length, 0)
  );
}
