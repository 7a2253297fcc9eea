import { kindOf } from '#moves/moves.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { notNow, ofMove } from '#shared/moves/became.ts';
import { moveAnswer, ownMove } from '#shared/moves/move-answer.ts';
import { passCopy } from '#shared/moves/pass-copy.ts';
import { starterOf } from '#shared/moves/starter.ts';

export const startMove: Operation<'moves.start'> = audited(
  {
    became: ofMove(({ state }) => state === 'copying' || state === 'done'),
    harm: 'by stored state',
  },
  async (context, call) => {
    const { id, address, revision } = await ownMove(context, call);
    call.note.saw({ id, name: address, revision: String(revision) });
    const by = await starterOf(context, call, kindOf(id), call.body.token);
    await passCopy(context, call.guard, id, { rests: true });
    if (!(await context.moveJobs.begin(id, ['planned', 'done'], { state: 'copying' }, by))) {
      throw notNow('The move can’t be started. It must be planned, and not in progress.');
    }
    await context.moves.log(id, `${by.personName} started it.`);
    return moveAnswer(context, call);
  },
);
