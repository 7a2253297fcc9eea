import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrange, mergeSorted, type Arrangement, type Arranging } from './arrange.ts';

interface Row {
  readonly n: number;
  readonly at: number;
}

const byNumber = (a: Row, b: Row): number => a.n - b.n;
const rows = fc.array(fc.nat(20)).map((numbers) => numbers.map((n, at): Row => ({ n, at })));
const even: Arranging<Row> = { key: 'even', accepts: ({ n }) => n % 2 === 0, compare: byNumber };
const all: Arranging<Row> = { key: 'all', accepts: () => true, compare: undefined };

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
  test.each([even, all])('are arranged as if they had arrived at once ($key)', (arranging) => {
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

  test('keep the array for the same list and search, and change it for another', () => {
    const source = [
      { n: 2, at: 0 },
      { n: 1, at: 1 },
    ];
    const first = arrange(undefined, source, even);
    expect(arrange(first, source, even)).toBe(first);
    expect(arrange(first, source, all).rows).toEqual(source);
    const replaced = [
      { n: 4, at: 0 },
      { n: 1, at: 1 },
      { n: 6, at: 2 },
    ];
    expect(arrange(first, replaced, even).rows.map(({ n }) => n)).toEqual([4, 6]);
    expect(arrange(first, [], even).rows).toEqual([]);
  });
});
