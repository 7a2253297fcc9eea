import { createHash } from 'node:crypto';
import type { Change, Entry, Epoch, PathsFilter, Value } from '#store/replication/replication-store.ts';

/** Changes as they travel: JSON, and what is bytes in it. */
export interface Packed {
  json: string;
  values: Uint8Array[];
}

type PackedChange = readonly [string, readonly unknown[], readonly unknown[] | null];

/** Changes as `Records` carries them. */
export function packChanges(changes: readonly Change[]): Packed {
  const values: Uint8Array[] = [];
  return { json: JSON.stringify(packed(changes, values)), values };
}

/** Entries as `Entries` carries them. */
export function packEntries(entries: readonly Entry[]): Packed {
  const values: Uint8Array[] = [];
  const list = entries.map(({ seq, time, changes }) => [seq, time, packed(changes, values)]);
  return { json: JSON.stringify(list), values };
}

/** @throws TypeError when it is not what `packChanges` makes */
export function unpackChanges({ json, values }: Packed): Change[] {
  return unpacked(JSON.parse(json), values);
}

/** @throws TypeError when it is not what `packEntries` makes */
export function unpackEntries({ json, values }: Packed): Entry[] {
  return list(JSON.parse(json)).map((entry) => {
    const [seq, time, changes] = list(entry);
    if (typeof seq !== 'number' || typeof time !== 'number') throw malformed();
    return { seq, time, changes: unpacked(changes, values) };
  });
}

/** A hash of a filter, the same for the same mode and paths in any order; empty when there is none. */
export function filterHash(filter: PathsFilter | undefined): string {
  if (filter === undefined) return '';
  const text = JSON.stringify([filter.mode, filter.paths.toSorted()]);
  return createHash('sha256').update(text).digest('base64url');
}

/** The epochs of a history that have begun by an entry: the others are none of a cluster's that has no more than that. */
export function historyUntil(history: readonly Epoch[], seq: number): readonly Epoch[] {
  return (history.at(-1)?.after ?? 0) <= seq ? history : history.filter(({ after }) => after <= seq);
}

/** Whether two histories are the same. */
export function sameHistory(one: readonly Epoch[], other: readonly Epoch[]): boolean {
  if (one === other) return true;
  return (
    one.length === other.length &&
    one.every(({ id, after }, index) => other[index]?.id === id && other[index].after === after)
  );
}

function packed(changes: readonly Change[], blobs: Uint8Array[]): PackedChange[] {
  const pack = (value: Value): unknown => (value instanceof Uint8Array ? [blobs.push(value) - 1] : value);
  return changes.map(({ table, key, values }) => [table, key.map(pack), values && values.map(pack)]);
}

function unpacked(changes: unknown, blobs: readonly Uint8Array[]): Change[] {
  const unpack = (value: unknown): Value => {
    if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
    const bytes = blobs[Number(list(value)[0])];
    if (bytes === undefined) throw malformed();
    return bytes;
  };
  return list(changes).map((change) => {
    const [table, key, values] = list(change);
    if (typeof table !== 'string') throw malformed();
    return { table, key: list(key).map(unpack), values: values === null ? null : list(values).map(unpack) };
  });
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed();
  return value;
}

function malformed(): TypeError {
  return new TypeError('records of an unknown form');
}
