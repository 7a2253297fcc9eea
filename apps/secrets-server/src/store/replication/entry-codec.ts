import type { Barrier } from '../barrier.ts';
import type { Change, Value } from './replication-store.ts';

/** A value as it lies in this store. */
export interface SealedValue {
  readonly sealed: Uint8Array;
  /** What it is bound to. */
  readonly place: string;
}

/** A change whose secret values are still sealed. */
export interface SealedChange {
  readonly table: string;
  readonly key: readonly Value[];
  readonly values: readonly (Value | SealedValue)[] | null;
}

/** What the log keeps of a write's changes. */
export interface EntryRow {
  readonly changes: string;
  readonly sealed: Uint8Array;
}

/** In JSON: where a sealed value lies, and what it is bound to. */
type Mark = readonly [offset: number, length: number, place: string];
type StoredChange = readonly [table: string, key: readonly Value[], values: readonly (Value | Mark)[] | null];

/** Puts changes into the form of the log. Nothing is opened. */
export function encodeChanges(changes: readonly SealedChange[]): EntryRow {
  const parts: Uint8Array[] = [];
  let offset = 0;
  const stored = changes.map(({ table, key, values }): StoredChange => {
    const marked = values?.map((value) => {
      if (!isSealed(value)) return value;
      const mark: Mark = [offset, value.sealed.length, value.place];
      parts.push(value.sealed);
      offset += value.sealed.length;
      return mark;
    });
    return [table, key, marked ?? null];
  });
  return { changes: JSON.stringify(stored), sealed: Buffer.concat(parts, offset) };
}

/** Reads changes from the log, opened. @throws Refusal 503 while sealed; SealBroken */
export function decodeChanges(row: EntryRow, barrier: Barrier): Change[] {
  const open = ([offset, length, place]: Mark): Uint8Array =>
    barrier.open(row.sealed.subarray(offset, offset + length), place);
  return storedChanges(row.changes).map(([table, key, values]) => ({
    table,
    key,
    values: values?.map((value) => (isMark(value) ? open(value) : value)) ?? null,
  }));
}

/** What changes name, without opening anything. */
export function namedChanges(changes: string): { readonly table: string; readonly key: readonly Value[] }[] {
  return storedChanges(changes).map(([table, key]) => ({ table, key }));
}

function storedChanges(changes: string): readonly StoredChange[] {
  return JSON.parse(changes) as readonly StoredChange[];
}

export function isSealed(value: Value | SealedValue): value is SealedValue {
  return typeof value === 'object' && value !== null && 'place' in value;
}

function isMark(value: Value | Mark): value is Mark {
  return Array.isArray(value);
}
