import type { Became } from '#audit/became.ts';
import { ProblemError } from '#ground/problem.ts';
import type { WhatBecame } from '#operation/operation.ts';
import type { MoveRow } from '#store/schema.ts';

/**
 * What became of something that was done to a move: the console's own store tells.
 * @param isDone whether it is done; undefined where what is stored does not tell
 */
export function ofMove(isDone: (move: MoveRow) => boolean | undefined): WhatBecame {
  return async ({ moves }, _call, _intent, { params }): Promise<Became> => {
    const move = await moves.find(params['move'] ?? '');
    if (move === undefined) return { outcome: 'failed' };
    const done = isDone(move);
    if (done === undefined) return { outcome: 'unknown' };
    return {
      outcome: done ? 'succeeded' : 'failed',
      stored: { id: move.id, revision: String(move.revision), name: move.address },
    };
  };
}

/** The problem of what can't be done with a move as it is. */
export function notNow(detail: string): ProblemError {
  return new ProblemError('invalid-request', detail);
}
