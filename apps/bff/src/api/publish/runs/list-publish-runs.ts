import type { Operation } from '#operation/operation.ts';
import { summaries } from '#shared/publish/run-answer.ts';

export const listPublishRuns: Operation<'publishRuns.list'> = async (context, { params, query, session }) => {
  context.directory.boxes(params.environment);
  const owner = { personId: session.personId, environment: params.environment };
  const open = await context.runs.list(owner, false);
  const ended = query.ended === true ? await context.runs.list(owner, true) : [];
  return { runs: await summaries(context, [...open, ...ended]) };
};
