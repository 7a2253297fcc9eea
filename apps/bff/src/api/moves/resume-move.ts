import { kindOf } from '#moves/moves.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { notNow, ofMove } from '#shared/moves/became.ts';
import { moveAnswer, moveOf } from '#shared/moves/move-answer.ts';
import { starterOf } from '#shared/moves/starter.ts';

export const resumeMove: Operation<'moves.resume'> = audited(
  { became: ofMove(({ state }) => state !== 'paused') },
  async (context, call) => {
    // Whoever brings tokens of their own owns it from then on.
    const { id, address, revision, person_id: before, pause_while } = await moveOf(context, call);
    call.note.saw({ id, name: address, revision: String(revision) });
    const by = await starterOf(context, call, kindOf(id), call.body.token);
    const state = pause_while === 'planning' ? 'planning' : 'copying';
    if (!(await context.moveJobs.begin(id, ['paused'], { state }, by)))
      throw notNow('The move is not paused.');
    const owns = before === by.personId ? '' : ' and owns it now';
    await context.moves.log(id, `${by.personName} resumed it${owns}.`);
    return moveAnswer(context, call);
  },
);
