import { ProblemError } from '#ground/problem.ts';
import { nameHere } from '#moves/choosing.ts';
import { choiceOf, kindOf, wantedOf } from '#moves/moves.ts';
import { boxOwnerHere, namespaceHere } from '#moves/owner-here.ts';
import type { Context } from '#operation/context.ts';
import { audited, type Operation } from '#operation/operation.ts';
import type { ServiceCall } from '#session/service-token.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { modulesCaller } from '#shared/modules/caller.ts';
import { notNow, ofMove } from '#shared/moves/became.ts';
import { moveAnswer, moveOf } from '#shared/moves/move-answer.ts';
import { passCopy } from '#shared/moves/pass-copy.ts';
import { starterOf } from '#shared/moves/starter.ts';
import type { MoveRow } from '#store/schema.ts';

export const resumeMove: Operation<'moves.resume'> = audited(
  { became: ofMove(({ state }) => state !== 'paused'), harm: 'by stored state' },
  async (context, call) => {
    // Whoever brings tokens of their own owns it from then on.
    const move = await moveOf(context, call);
    const { id, address, revision, person_id: before, pause_while } = move;
    call.note.saw({ id, name: address, revision: String(revision) });
    const by = await starterOf(context, call, kindOf(id), call.body.token);
    if (before !== by.personId) await checkMayTakeOver(context, call, move);
    const state = pause_while === 'planning' ? 'planning' : 'copying';
    // One that is taken over is planned again first.
    if (state === 'copying' && before === by.personId)
      await passCopy(context, call.guard, id, { rests: true });
    else await call.guard.pass(undefined);
    if (!(await context.moveJobs.begin(id, ['paused'], { state }, by)))
      throw notNow('The move is not paused.');
    const owns = before === by.personId ? '' : ' and owns it now';
    await context.moves.log(id, `${by.personName} resumed it${owns}.`);
    return moveAnswer(context, call);
  },
);

/** Owners that somebody who takes a move over is asked about at most. */
const mostOwners = 20;

/**
 * A move is taken over by who could have begun it.
 * @throws ProblemError `forbidden` where its owner paused it on purpose, or the caller may publish nothing of it
 */
async function checkMayTakeOver(context: Context, call: ServiceCall, move: MoveRow): Promise<void> {
  const refusal = (detail: string): ProblemError =>
    new ProblemError('forbidden', detail, { environment: move.environment, service: kindOf(move.id) });
  if (move.pause_reason === 'person') {
    const owner = move.person_name || 'its owner';
    throw refusal(`${owner} paused it on purpose. Ask them to resume it, or start a move of your own.`);
  }
  if (kindOf(move.id) === 'modules') {
    const here = await namespaceHere(await modulesCaller(context, call));
    if (typeof here === 'object') throw refusal(here.refused);
    return;
  }
  const caller = await boxesCaller(context, call);
  // Under their own name too: whoever owns a move chooses the owners here.
  const named = wantedOf(move).map((name) => nameHere(name, choiceOf(move)).split('/')[0] ?? '');
  for (const owner of [...new Set([caller.username, ...named])].slice(0, mostOwners))
    if (typeof (await boxOwnerHere(caller, owner)) !== 'object') return;
  throw refusal(
    "You aren't allowed to publish boxes here. Its owner, or someone who is allowed to publish, can resume it.",
  );
}
