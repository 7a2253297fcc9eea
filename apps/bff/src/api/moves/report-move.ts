import type { Operation } from '#operation/operation.ts';
import { pieceHere } from '#shared/moves/address-here.ts';
import { ownMove } from '#shared/moves/move-answer.ts';

export const reportMove: Operation<'moves.report'> = async (context, call) => {
  const move = await ownMove(context, call);
  return context.moveReading.report(move.id, pieceHere(context, move));
};
