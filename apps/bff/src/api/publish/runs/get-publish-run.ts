import type { Operation } from '#operation/operation.ts';
import { runAnswer, runOf } from '#shared/publish/run-answer.ts';

export const getPublishRun: Operation<'publishRuns.get'> = async (context, call) => {
  const run = await runOf(context, call);
  await context.publishing.takeUp(await context.uploads.ofRuns([run.id]), call.session);
  return runAnswer(context, run.id);
};
