import { ProblemError } from '#ground/problem.ts';
import { kindOf } from '#moves/moves.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { notNow, ofMove } from '#shared/moves/became.ts';
import { moveAnswer, ownMove } from '#shared/moves/move-answer.ts';
import { passCopy } from '#shared/moves/pass-copy.ts';
import { starterOf } from '#shared/moves/starter.ts';

export const retryMove: Operation<'moves.retry'> = audited(
  {
    became: ofMove(({ state }) => state === 'copying' || state === 'done'),
    harm: 'by stored state',
  },
  async (context, call) => {
    const { body } = call;
    const { id, address, revision, state, pause_while } = await ownMove(context, call);
    call.note.saw({ id, name: address, revision: String(revision) });
    const by = await starterOf(context, call, kindOf(id), body.token);
    const item = body.item === null ? undefined : await context.moveReading.item(id, body.item);
    if (body.item !== null && item === undefined) {
      throw new ProblemError('not-found', "This box or module isn't part of the move.");
    }
    const isResting = state === 'done' || (state === 'paused' && pause_while === 'copying');
    if (!isResting && state !== 'copying') {
      throw notNow('Nothing has failed yet. Start or resume the move.');
    }
    await passCopy(context, call.guard, id, { rests: isResting, failed: { item: body.item } });
    await context.movePieces.wait(id, { item: body.item });
    if (isResting) await context.moveJobs.begin(id, ['done', 'paused'], { state: 'copying' }, by);
    const what = item === undefined ? 'what failed' : `what failed of ${item.item.name}`;
    await context.moves.log(id, `${by.personName} retries ${what}.`);
    return moveAnswer(context, call);
  },
);
