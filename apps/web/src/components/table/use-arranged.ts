import { useState } from 'react';
import { arrange, type Arrangement, type Arranging } from './arrange.ts';

/** The last arrangement of each list, for another component that shows it: 100,000 rows take long to sort. */
const arranged = new WeakMap<readonly unknown[], Arrangement<unknown>>();

/** Rows, sorted. Reuses the previous result if the rows have only grown. */
export function useArranged<Row>(source: readonly Row[], arranging: Arranging<Row>): readonly Row[] {
  const [memory] = useState<{ last: Arrangement<Row> | undefined }>(() => ({
    last: arranged.get(source) as Arrangement<Row> | undefined,
  }));
  const arrangement = arrange(memory.last, source, arranging);
  // A cache outside React's state: any earlier arrangement gives the same rows, only more slowly.
  memory.last = arrangement;
  arranged.set(source, arrangement);
  return arrangement.rows;
}
