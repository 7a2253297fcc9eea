import { useState } from 'react';
import { arrange, type Arrangement, type Arranging } from './arrange.ts';

/** Rows, searched and sorted. Reuses the previous result if the rows have only grown. */
export function useArranged<Row>(source: readonly Row[], arranging: Arranging<Row>): readonly Row[] {
  const [memory] = useState<{ last: Arrangement<Row> | undefined }>(() => ({ last: undefined }));
  const arrangement = arrange(memory.last, source, arranging);
  // A cache outside React's state: any earlier arrangement gives the same rows, only more slowly.
  memory.last = arrangement;
  return arrangement.rows;
}
