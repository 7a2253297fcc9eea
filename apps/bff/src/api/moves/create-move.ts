import { cannotTell } from '#audit/became.ts';
import { moveLimit, rowLimit } from '#moves/moves.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { notNow } from '#shared/moves/became.ts';
import { moveAnswer } from '#shared/moves/move-answer.ts';
import { starterOf } from '#shared/moves/starter.ts';

export const createMove: Operation<'moves.create'> = audited(
  { became: cannotTell, address: ({ body }) => ({ service: body.kind, name: body.address }) },
  async (context, call) => {
    const { kind, wanted, token } = call.body;
    const by = await starterOf(context, call, kind, token);
    const url = new URL(call.body.address);
    // Refuses what the console does not call.
    if (kind === 'boxes') context.sources.boxes(url, token);
    else context.sources.modules(url, token);
    const { environment } = call.params;
    if ((await context.moves.countOf(by.personId)) >= moveLimit) {
      throw notNow(`You have ${moveLimit} moves in progress. Finish or abandon one first.`);
    }
    await context.moves.forgetEnded(by.personId);
    // What was abandoned makes room for what is begun.
    const isFull = async (): Promise<boolean> =>
      (await context.moveItems.count({ person: by.personId })) >= rowLimit;
    while (await isFull()) {
      if (!(await context.moves.forgetAbandoned(by.personId)))
        throw notNow(
          `Your moves already contain ${rowLimit} versions and images, which is the limit. Abandon one you no longer need.`,
        );
    }
    const { personId, personName } = by;
    const address = url.href.replace(/\/+$/, '');
    const move = await context.moves.create({
      environment,
      kind,
      personId,
      personName,
      address,
      wanted: [...new Set(wanted)],
    });
    await context.moveJobs.begin(move.id, ['paused'], { state: 'planning' }, by);
    return moveAnswer(context, { params: { environment, move: move.id }, session: call.session });
  },
);
