import type { Became } from '#audit/became.ts';
import { ProblemError } from '#ground/problem.ts';
import type { WhatBecame } from '#operation/operation.ts';
import type { MoveRow } from '#store/schema.ts';

/**
 * Finds out in the console's own database whether an action on a move was done.
 * @param isDone undefined if the stored move doesn't show it
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

/** The problem of an action that the move's state doesn't allow. */
export function notNow(detail: string): ProblemError {
  return new ProblemError('invalid-request', detail);
}
