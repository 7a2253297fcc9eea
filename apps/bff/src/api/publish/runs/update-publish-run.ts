import type { PublishRun } from '@gatehouse/api-types/console/publish';
import { planOfRun } from '@gatehouse/api-types/console/publish';
import { guardedWrite } from '#conflict/guarded-write.ts';
import { sorted } from '#ground/fields-revision.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { checkOpen } from '#uploads/runs.ts';
import { ofRun } from '../became.ts';
import { changedPlan } from '../plan.ts';
import { runAnswer, runOf } from '../run-answer.ts';

export const updatePublishRun: Operation<'publishRuns.update'> = audited(
  { became: ofRun(() => undefined) },
  async (context, call) => {
    const { body, revision } = call;
    const run = await runOf(context, call);
    checkOpen(run);
    const overtaken = new ProblemError('conflict', 'This run was changed after you opened it.');
    const read = (): Promise<PublishRun> => runAnswer(context, run.id);
    return guardedWrite<PublishRun>({
      resource: { environment: run.environment, service: 'boxes', kind: 'publish-run', id: run.id },
      expected: revision,
      readFirst: false,
      read,
      revisionOf: (stored) => stored.revision,
      changedAt: (stored) => stored.updated_time,
      failed: (error) => (error === overtaken ? 'stale' : 'refused'),
      equalsSent: (stored) => JSON.stringify(sorted(planOfRun(stored))) === JSON.stringify(sorted(body)),
      send: async () => {
        const rows = await context.uploads.ofRuns([run.id]);
        const fixed = rows.filter(({ state }) => ['delivering', 'verifying', 'done'].includes(state));
        const current = await runOf(context, call);
        const plan = changedPlan(current.plan, body, (id) => fixed.some((row) => row.provider_id === id));
        if (current.revision !== revision || !(await context.runs.replace(current, plan))) {
          throw overtaken;
        }
        const gone = rows.filter(
          ({ provider_id }) =>
            !plan.providers.some(({ id, source }) => id === provider_id && source.kind === 'image'),
        );
        await Promise.all(gone.map(({ id }) => context.publishing.cancel(id)));
        return read();
      },
    });
  },
);
