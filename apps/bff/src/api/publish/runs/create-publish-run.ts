import { cannotTell } from '#audit/became.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { serviceToken } from '#session/service-token.ts';
import { newPlan } from '#shared/publish/plan.ts';
import { runAnswer } from '#shared/publish/run-answer.ts';
import { runLimit } from '#uploads/runs.ts';

export const createPublishRun: Operation<'publishRuns.create'> = audited(
  { became: cannotTell },
  async (context, call) => {
    await serviceToken(context, call, 'boxes');
    const owner = { personId: call.session.personId, environment: call.params.environment };
    if ((await context.runs.countOpen(owner)) >= runLimit) {
      throw new ProblemError(
        'invalid-request',
        `You have ${runLimit} unfinished publishing runs here. Finish or abandon one first.`,
      );
    }
    await context.runs.forgetEnded(owner);
    const run = await context.runs.create(owner, newPlan(call.body));
    return runAnswer(context, run.id);
  },
);
