import { audited, type Operation } from '#operation/operation.ts';
import { notNow, ofMove } from '#shared/moves/became.ts';
import { moveAnswer, ownMove } from '#shared/moves/move-answer.ts';

export const abandonMove: Operation<'moves.abandon'> = audited(
  { became: ofMove(({ state }) => state === 'abandoned') },
  async (context, call) => {
    const { id, address, revision } = await ownMove(context, call);
    call.note.saw({ id, name: address, revision: String(revision) });
    if (!(await context.moveJobs.rest(id, { state: 'abandoned' })))
      throw notNow('This move was already abandoned.');
    await context.moves.log(id, 'Abandoned. What was copied stays here.');
    return moveAnswer(context, call);
  },
);
