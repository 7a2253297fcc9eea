import { audited, type Operation } from '#operation/operation.ts';
import { notNow, ofMove } from '#shared/moves/became.ts';
import { moveAnswer, ownMove } from '#shared/moves/move-answer.ts';

export const pauseMove: Operation<'moves.pause'> = audited(
  { became: ofMove(({ state }) => state === 'paused') },
  async (context, call) => {
    const { id, address, revision, person_name: name } = await ownMove(context, call);
    call.note.saw({ id, name: address, revision: String(revision) });
    const detail = `${name} paused it.`;
    if (!(await context.moveJobs.rest(id, { state: 'paused', reason: 'person', detail }))) {
      throw notNow("The move isn't in progress, so there is nothing to pause.");
    }
    await context.moves.log(id, detail);
    return moveAnswer(context, call);
  },
);
