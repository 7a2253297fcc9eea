import { useState } from 'react';
import { arrange, type Arrangement, type Arranging } from './arrange.ts';

/** Rows searched and sorted; when they only grew, or nothing changed, the work done before is kept. */
export function useArranged<Row>(source: readonly Row[], arranging: Arranging<Row>): readonly Row[] {
  const [memory] = useState<{ last: Arrangement<Row> | undefined }>(() => ({ last: undefined }));
  const arrangement = arrange(memory.last, source, arranging);
  // A cache beside the render: any earlier arrangement gives the same rows, only slower.
  memory.last = arrangement;
  return arrangement.rows;
}
