/** Keys with their values as rows that a person writes in, where for a while two may have the same key. */

export interface PairRow {
  /** Of this row for as long as it is there, whatever is written in it. */
  readonly id: number;
  readonly key: string;
  readonly value: string;
}

export type Pairs = Readonly<Record<string, string>>;

/** Stands between a key and a number where the key is there already: no key that is accepted holds it. */
const again = '\u0000';

/** The key as it was written, and whether another row before it has the same. */
export function keyOfPair(key: string): { readonly key: string; readonly isRepeated: boolean } {
  const end = key.indexOf(again);
  return end === -1 ? { key, isRepeated: false } : { key: key.slice(0, end), isRepeated: true };
}

/** What the rows hold; a row in which nothing is written is nothing. A key that is repeated is told apart by `keyOfPair`. */
export function pairsOfRows(rows: readonly PairRow[]): Pairs {
  const pairs = new Map<string, string>();
  for (const { id, key, value } of rows) {
    if (key === '' && value === '') continue;
    pairs.set(pairs.has(key) ? `${key}${again}${String(id)}` : key, value);
  }
  return Object.fromEntries(pairs);
}

/** Rows for pairs that came from elsewhere, numbered from `firstId`. */
export function rowsOfPairs(pairs: Pairs, firstId: number): readonly PairRow[] {
  return Object.entries(pairs).map(([key, value], index) => ({
    id: firstId + index,
    key: keyOfPair(key).key,
    value,
  }));
}

/** Whether two sets of pairs hold the same, in whatever order. */
export function samePairs(a: Pairs, b: Pairs): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key])
  );
}
