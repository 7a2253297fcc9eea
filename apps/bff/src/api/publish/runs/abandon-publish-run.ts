import { audited, type Operation } from '#operation/operation.ts';
import { ofRun } from '#shared/publish/became.ts';
import { runAnswer, runOf } from '#shared/publish/run-answer.ts';
import { checkOpen } from '#uploads/runs.ts';

export const abandonPublishRun: Operation<'publishRuns.abandon'> = audited(
  { became: ofRun(({ state }) => state === 'abandoned') },
  async (context, call) => {
    const run = await runOf(context, call);
    checkOpen(run);
    await context.runs.end(run.id, 'abandoned');
    for (const { id } of await context.uploads.ofRuns([run.id])) {
      await context.deliveries.stop(id);
      await context.uploads.drop(id, 'cancelled');
    }
    await context.runs.log(run.id, 'Abandoned. What is at the registry stays there.');
    return runAnswer(context, run.id);
  },
);
