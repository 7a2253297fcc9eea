import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrange, mergeSorted, type Arrangement, type Arranging } from './arrange.ts';

interface Row {
  readonly n: number;
  readonly at: number;
}

const byNumber = (a: Row, b: Row): number => a.n - b.n;
const rows = fc.array(fc.nat(20)).map((numbers) => numbers.map((n, at): Row => ({ n, at })));
const sorted: Arranging<Row> = { key: 'sorted', compare: byNumber };
const given: Arranging<Row> = { key: 'given', compare: undefined };

test('merging two sorted arrays equals sorting both, and is stable', () => {
  fc.assert(
    fc.property(rows, rows, (left, right) => {
      const late = right.map((row) => ({ ...row, at: row.at + 1000 }));
      const merged = mergeSorted(left.toSorted(byNumber), late.toSorted(byNumber), byNumber);
      expect(merged).toEqual([...left, ...late].toSorted(byNumber));
    }),
  );
});

describe('rows that arrive in pages', () => {
  test.each([sorted, given])('are arranged as if they had arrived at once ($key)', (arranging) => {
    fc.assert(
      fc.property(fc.array(rows), (pages) => {
        let source: readonly Row[] = [];
        let arrangement: Arrangement<Row> | undefined;
        for (const page of pages) {
          source = [...source, ...page];
          arrangement = arrange(arrangement, source, arranging);
        }
        expect(arrangement?.rows ?? []).toEqual(arrange(undefined, source, arranging).rows);
      }),
    );
  });

  test('keep the array for the same list and order, and change it for another', () => {
    const source = [
      { n: 2, at: 0 },
      { n: 1, at: 1 },
    ];
    const first = arrange(undefined, source, sorted);
    expect(arrange(first, source, sorted)).toBe(first);
    expect(arrange(first, source, given).rows).toEqual(source);
    const replaced = [
      { n: 4, at: 0 },
      { n: 1, at: 1 },
      { n: 6, at: 2 },
    ];
    expect(arrange(first, replaced, sorted).rows.map(({ n }) => n)).toEqual([1, 4, 6]);
    expect(arrange(first, [], sorted).rows).toEqual([]);
  });
});
