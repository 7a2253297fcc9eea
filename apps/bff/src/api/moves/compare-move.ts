import { kindOf } from '#moves/moves.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { notNow, ofMove } from '#shared/moves/became.ts';
import { moveAnswer, ownMove } from '#shared/moves/move-answer.ts';
import { starterOf } from '#shared/moves/starter.ts';

export const compareMove: Operation<'moves.compare'> = audited(
  { became: ofMove(({ state }) => state === 'planning' || state === 'planned') },
  async (context, call) => {
    const { id, address, revision, pass } = await ownMove(context, call);
    call.note.saw({ id, name: address, revision: String(revision) });
    const by = await starterOf(context, call, kindOf(id), call.body.token);
    const to = { state: 'planning', pass: pass + 1, expanded: 0 } as const;
    if (!(await context.moveJobs.begin(id, ['planned', 'paused', 'done'], to, by))) {
      throw notNow('The move is in progress. Pause it first, or wait until it is done.');
    }
    await context.moves.log(id, `${by.personName} compares both registries.`);
    return moveAnswer(context, call);
  },
);
