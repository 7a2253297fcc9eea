import { moveItemLimit } from '@gatehouse/api-types/console/move-values';
import type { Operation } from '#operation/operation.ts';
import { ownMove } from '#shared/moves/move-answer.ts';

export const listMoveItems: Operation<'moves.items'> = async (context, call) => {
  const { id } = await ownMove(context, call);
  const { q = '', show, offset = 0, limit = moveItemLimit } = call.query;
  const { items, total } = await context.moveReading.items(id, { q, show, offset, limit });
  const next = offset + items.length;
  return { items, total, next_offset: next < total && items.length > 0 ? next : null };
};
