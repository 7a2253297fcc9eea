/** Key-value pairs as editable rows, of which two may temporarily have the same key. */

export interface PairRow {
  /** Stable while the row exists, whatever is entered in it. */
  readonly id: number;
  readonly key: string;
  readonly value: string;
}

export type Pairs = Readonly<Record<string, string>>;

/** Separates a duplicate key from its number; no valid key contains it. */
const again = '\u0000';

/** The key as entered, and whether an earlier row has the same. */
export function keyOfPair(key: string): { readonly key: string; readonly isRepeated: boolean } {
  const end = key.indexOf(again);
  return end === -1 ? { key, isRepeated: false } : { key: key.slice(0, end), isRepeated: true };
}

/** The value of the rows, without empty ones. Duplicate keys get suffixes, which `keyOfPair` parses. */
export function pairsOfRows(rows: readonly PairRow[]): Pairs {
  const pairs = new Map<string, string>();
  for (const { id, key, value } of rows) {
    if (key === '' && value === '') continue;
    pairs.set(pairs.has(key) ? `${key}${again}${String(id)}` : key, value);
  }
  return Object.fromEntries(pairs);
}

/** Rows for pairs from outside, numbered from `firstId`. */
export function rowsOfPairs(pairs: Pairs, firstId: number): readonly PairRow[] {
  return Object.entries(pairs).map(([key, value], index) => ({
    id: firstId + index,
    key: keyOfPair(key).key,
    value,
  }));
}

/** Whether two sets of pairs are equal, in any order. */
export function samePairs(a: Pairs, b: Pairs): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key])
  );
}
