import { moveKinds, type MoveKind } from '@gatehouse/api-types/console/move-values';
import type { Operation } from '#operation/operation.ts';
import { isConnected, moveSummary } from '#shared/moves/move-answer.ts';

export const listMoves: Operation<'moves.list'> = async (context, call) => {
  const { environment } = call.params;
  const kinds: MoveKind[] = [];
  for (const kind of moveKinds) if (await isConnected(context, call, kind)) kinds.push(kind);
  const rows = [
    ...(await context.moves.list(environment, kinds, false)),
    ...(call.query.ended === true ? await context.moves.list(environment, kinds, true) : []),
  ];
  return { moves: await Promise.all(rows.map((row) => moveSummary(context, row, call.session))) };
};
