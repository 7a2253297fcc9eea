/**
 * Sorts rows while more arrive. Arranged rows aren't sorted again: 1,000 new ones are inserted
 * into 100,000 sorted ones by binary search, which keeps the table responsive.
 */

export interface Arranging<Row> {
  /** Equal keys mean the same order. */
  readonly key: string;
  /** Undefined keeps the order of arrival. */
  readonly compare: ((a: Row, b: Row) => number) | undefined;
}

export interface Arrangement<Row> {
  readonly key: string;
  readonly source: readonly Row[];
  readonly rows: readonly Row[];
}

/** Arranges `source`; only its new rows if `previous` has the same key and the list has only grown. */
export function arrange<Row>(
  previous: Arrangement<Row> | undefined,
  source: readonly Row[],
  { key, compare }: Arranging<Row>,
): Arrangement<Row> {
  if (previous && previous.key === key && hasGrownFrom(source, previous.source)) {
    if (source === previous.source) return previous;
    const added = source.slice(previous.source.length);
    const rows = compare ? mergeSorted(previous.rows, added.sort(compare), compare) : source;
    return { key, source, rows };
  }
  return { key, source, rows: compare ? source.toSorted(compare) : source };
}

/** Whether the list has grown at its end; otherwise it is another list. */
function hasGrownFrom<Row>(source: readonly Row[], before: readonly Row[]): boolean {
  if (source === before) return true;
  if (before.length === 0 || source.length <= before.length) return false;
  for (let index = 0; index < before.length; index += 1) {
    if (source[index] !== before[index]) return false;
  }
  return true;
}

/** Merges two sorted arrays. Of equal rows, those of `sorted` come first, so that the order is stable. */
export function mergeSorted<Row>(
  sorted: readonly Row[],
  added: readonly Row[],
  compare: (a: Row, b: Row) => number,
): readonly Row[] {
  if (added.length === 0) return sorted;
  const merged: Row[] = [];
  let from = 0;
  for (const row of added) {
    const to = upperBound(sorted, row, compare, from);
    for (let index = from; index < to; index += 1) merged.push(sorted[index] as Row);
    merged.push(row);
    from = to;
  }
  for (let index = from; index < sorted.length; index += 1) merged.push(sorted[index] as Row);
  return merged;
}

function upperBound<Row>(
  sorted: readonly Row[],
  row: Row,
  compare: (a: Row, b: Row) => number,
  from: number,
): number {
  let low = from;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(sorted[middle] as Row, row) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
