import { providerLabel } from '@gatehouse/api-types/console/box-values';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { ofRun } from '#shared/publish/became.ts';
import { providerOf, runOf } from '#shared/publish/run-answer.ts';

export const cancelUpload: Operation<'publishUploads.cancel'> = audited(
  { became: ofRun((_run, { upload }) => upload === undefined || upload.state === 'cancelled') },
  async (context, call) => {
    const run = await runOf(context, call);
    const provider = providerOf(run, call.params.provider);
    const row = await context.uploads.of(run.id, provider.id);
    if (row === undefined) throw new ProblemError('not-found', 'This provider has no upload.');
    await context.deliveries.stop(row.id);
    await context.uploads.drop(row.id, 'cancelled');
    await context.runs.log(run.id, 'The upload was cancelled.', { provider: providerLabel(provider) });
    context.revocations.wake();
  },
);
