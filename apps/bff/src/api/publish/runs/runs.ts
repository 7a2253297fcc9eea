/** Runs of publishing: begun, looked at, planned, ended. Nothing is done at the registry here. */
import type { PublishRun } from '@gatehouse/api-types/console/publish';
import { planOfRun } from '@gatehouse/api-types/console/publish';
import { guardedWrite } from '#conflict/guarded-write.ts';
import { sorted } from '#ground/fields-revision.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Operation } from '#operation/operation.ts';
import { serviceToken } from '#session/service-token.ts';
import { changedPlan, newPlan } from '#shared/publish/plan.ts';
import { runAnswer, runOf, summaries } from '#shared/publish/run-answer.ts';
import { checkOpen, runLimit } from '#uploads/runs.ts';

export const listPublishRuns: Operation<'listPublishRuns'> = async (context, { params, query, session }) => {
  context.directory.boxes(params.environment);
  const owner = { personId: session.personId, environment: params.environment };
  const open = await context.runs.list(owner, false);
  const ended = query.ended === true ? await context.runs.list(owner, true) : [];
  return { runs: await summaries(context, [...open, ...ended]) };
};

export const getPublishRun: Operation<'getPublishRun'> = async (context, call) => {
  const run = await runOf(context, call);
  await context.publishing.takeUp(await context.uploads.ofRuns([run.id]), call.session);
  return runAnswer(context, run.id);
};

export const createPublishRun: Operation<'createPublishRun'> = async (context, call) => {
  await serviceToken(context, call, 'boxes');
  const owner = { personId: call.session.personId, environment: call.params.environment };
  if ((await context.runs.list(owner, false)).length >= runLimit) {
    throw new ProblemError(
      'invalid-request',
      `You have ${runLimit} open runs of publishing here: finish or abandon one first.`,
    );
  }
  const run = await context.runs.create(owner, newPlan(call.body));
  return runAnswer(context, run.id);
};

export const updatePublishRun: Operation<'updatePublishRun'> = async (context, call) => {
  const { body, revision } = call;
  const run = await runOf(context, call);
  checkOpen(run);
  call.note.saw({ id: run.id, revision: run.revision });
  const read = (): Promise<PublishRun> => runAnswer(context, run.id);
  return guardedWrite<PublishRun>({
    resource: { environment: run.environment, service: 'boxes', kind: 'publish-run', id: run.id },
    expected: revision,
    readFirst: true,
    read,
    revisionOf: (stored) => stored.revision,
    changedAt: (stored) => stored.updated_time,
    failed: () => 'refused',
    equalsSent: (stored) => JSON.stringify(sorted(planOfRun(stored))) === JSON.stringify(sorted(body)),
    send: async () => {
      const rows = await context.uploads.ofRuns([run.id]);
      const fixed = rows.filter(({ state }) => ['delivering', 'verifying', 'done'].includes(state));
      const current = await runOf(context, call);
      const plan = changedPlan(current.plan, body, (id) => fixed.some((row) => row.provider_id === id));
      if (current.revision !== revision || !(await context.runs.replace(current, plan))) {
        // Somebody was faster by a moment: they are told what is there now.
        return updatePublishRun(context, call);
      }
      const gone = rows.filter(
        ({ provider_id }) =>
          !plan.providers.some(({ id, source }) => id === provider_id && source.kind === 'image'),
      );
      for (const { id } of gone) {
        await context.deliveries.stop(id);
        await context.uploads.drop(id, 'cancelled');
      }
      return read();
    },
  });
};

export const abandonPublishRun: Operation<'abandonPublishRun'> = async (context, call) => {
  const run = await runOf(context, call);
  checkOpen(run);
  await context.runs.end(run.id, 'abandoned');
  for (const { id } of await context.uploads.ofRuns([run.id])) {
    await context.deliveries.stop(id);
    await context.uploads.drop(id, 'cancelled');
  }
  await context.runs.log(run.id, 'The run was abandoned. What is at the registry stays there.');
  return runAnswer(context, run.id);
};
