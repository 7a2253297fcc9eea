import { ProblemError } from '#ground/problem.ts';
import type { Operation } from '#operation/operation.ts';
import { ownMove } from '#shared/moves/move-answer.ts';

export const getMoveItem: Operation<'moves.item'> = async (context, call) => {
  const { id } = await ownMove(context, call);
  const found = await context.moveReading.item(id, call.params.item);
  if (found !== undefined) return found;
  throw new ProblemError('not-found', "This box or module isn't part of the move.");
};
