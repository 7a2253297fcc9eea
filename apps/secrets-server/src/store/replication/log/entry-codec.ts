import type { Barrier } from '../../barrier.ts';
import type { Change, Packed, Value } from '../replication-store.ts';
import { tableOf } from '../tables.ts';

/** A sealed value of this store. */
export interface SealedBytes {
  readonly sealed: Uint8Array;
  /** The name that the value is bound to. */
  readonly place: string;
}

/** A reference to a version, by its key's number in this store; the value is in the version's row. */
export interface VersionOfKey {
  readonly keyId: number;
  readonly version: number;
  /** The size of the sealed value in bytes; 0 where the size is not needed. */
  readonly size: number;
}

/** A sealed value, or a reference to its row. */
export type SealedValue = SealedBytes | VersionOfKey;

export interface SealedChange<Secret = SealedValue> {
  readonly table: string;
  readonly key: readonly Value[];
  readonly values: readonly (Value | Secret)[] | null;
}

/** Packed changes whose secret values are still sealed. */
export interface PackedSealed<Secret = SealedValue> {
  readonly changes: string;
  readonly secrets: readonly Secret[];
}

/** A reference to a secret value by its index. */
type Mark = readonly [index: number];
type PackedChange = readonly [table: string, key: readonly Value[], values: readonly (Value | Mark)[] | null];

/** Packs changes without decrypting them. */
export function packSealed<Secret extends SealedValue>(
  changes: readonly SealedChange<Secret>[],
): PackedSealed<Secret> {
  const secrets: Secret[] = [];
  const packed = changes.map(({ table, key, values }): PackedChange => {
    const marked = values?.map((value): Value | Mark => (isPlain(value) ? value : [secrets.push(value) - 1]));
    return [table, key, marked ?? null];
  });
  return { changes: JSON.stringify(packed), secrets };
}

/** The approximate size of a change in bytes. */
export function sizeOf({ key, values }: SealedChange): number {
  let bytes = 0;
  for (const value of key) bytes += sizeOfValue(value);
  for (const value of values ?? []) bytes += sizeOfValue(value);
  return bytes;
}

/** The estimated size of a number, and of the JSON syntax around a text. */
const plainBytes = 8;

function sizeOfValue(value: Value | SealedValue): number {
  if (typeof value === 'string') return value.length + plainBytes;
  if (isPlain(value)) return plainBytes;
  return 'place' in value ? value.sealed.length : value.size;
}

/** Decrypts the secret values of packed changes. @throws Refusal 503 while sealed; SealBroken */
export function openPacked({ changes, secrets }: PackedSealed<SealedBytes>, barrier: Barrier): Packed {
  return { changes, secrets: secrets.map(({ sealed, place }) => barrier.open(sealed, place)) };
}

export function unpack({ changes, secrets }: Packed): Change[] {
  return packedChanges(changes).map(([table, key, values]) => ({
    table,
    key,
    values: values?.map((value) => (isMark(value) ? secretAt(secrets, value) : value)) ?? null,
  }));
}

/** Removes changes that don't pass `isKept`, and renumbers the secrets of the others. */
export function keepOnly({ changes, secrets }: Packed, isKept: (change: Change) => boolean): Packed {
  const all = packedChanges(changes);
  const kept = all.filter(([table, key, values]) =>
    isKept({ table, key, values: values?.map((value) => (isMark(value) ? null : value)) ?? null }),
  );
  if (kept.length === all.length) return { changes, secrets };
  const used: Uint8Array[] = [];
  const renumbered = kept.map(([table, key, values]): PackedChange => [
    table,
    key,
    values?.map((value) => (isMark(value) ? [used.push(secretAt(secrets, value)) - 1] : value)) ?? null,
  ]);
  return { changes: JSON.stringify(renumbered), secrets: used };
}

/** Reads the values that are only referenced. @param find returns null for a version that is destroyed or deleted */
export function fetchPacked(
  { changes, secrets }: PackedSealed,
  find: (version: VersionOfKey) => SealedBytes | null,
): PackedSealed<SealedBytes> {
  const found = secrets.map((secret) => ('place' in secret ? secret : find(secret)));
  const left = found.filter((secret) => secret !== null);
  if (left.length === found.length) return { changes, secrets: left };
  return packDestroyed(changes, found);
}

/** Marks the versions whose values are missing as destroyed. */
function packDestroyed(changes: string, secrets: readonly (SealedBytes | null)[]): PackedSealed<SealedBytes> {
  const left: SealedBytes[] = [];
  const destroyedColumn = tableOf.get('kv_version')?.values.indexOf('destroyed');
  const packed = packedChanges(changes).map(([table, key, values]): PackedChange => {
    const isGone = values?.some((value) => isMark(value) && secrets[value[0]] === null) === true;
    const marked = values?.map((value, column): Value | Mark => {
      if (isGone && column === destroyedColumn) return 1;
      if (!isMark(value)) return value;
      const secret = secrets[value[0]] ?? null;
      return secret === null ? null : [left.push(secret) - 1];
    });
    return [table, key, marked ?? null];
  });
  return { changes: JSON.stringify(packed), secrets: left };
}

/** The tables and keys of changes. */
export function namedChanges(changes: string): { readonly table: string; readonly key: readonly Value[] }[] {
  return packedChanges(changes).map(([table, key]) => ({ table, key }));
}

function isPlain(value: Value | SealedValue): value is Value {
  return typeof value !== 'object' || value === null || value instanceof Uint8Array;
}

function packedChanges(changes: string): readonly PackedChange[] {
  return JSON.parse(changes) as readonly PackedChange[];
}

function secretAt(secrets: readonly Uint8Array[], [index]: Mark): Uint8Array {
  const secret = secrets[index];
  if (secret === undefined) throw new Error(`a secret value is missing: ${index} of ${secrets.length}`);
  return secret;
}

function isMark(value: Value | Mark): value is Mark {
  return Array.isArray(value);
}
