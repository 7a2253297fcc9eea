import type { PublishRunSummary } from '@gatehouse/api-types/console/publish';
import type { Operation } from '#operation/operation.ts';
import { summaryOf } from '#shared/publish/run-answer.ts';

export const listPublishRuns: Operation<'publishRuns.list'> = async (
  context,
  { params, query, session, slices },
) => {
  context.directory.boxes(params.environment);
  const owner = { personId: session.personId, environment: params.environment };
  const runs: PublishRunSummary[] = [];
  for (const ended of query.ended === true ? [false, true] : [false]) {
    for await (const run of context.runs.list(owner, ended)) {
      await slices.giveWay();
      runs.push(await summaryOf(context, run));
    }
  }
  return { runs };
};
