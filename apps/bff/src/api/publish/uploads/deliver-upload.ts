import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { serviceToken } from '#session/service-token.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { ofRun } from '#shared/publish/became.ts';
import { passImage } from '#shared/publish/pass-image.ts';
import { providerOf, runOf } from '#shared/publish/run-answer.ts';
import { checkOpen } from '#uploads/runs.ts';
import { uploadAnswer } from '#uploads/uploads.ts';

export const deliverUpload: Operation<'publishUploads.deliver'> = audited(
  {
    became: ofRun((_run, { upload }) => upload !== undefined && upload.state !== 'failed'),
    harm: 'by stored state',
  },
  async (context, call) => {
    const run = await runOf(context, call);
    checkOpen(run);
    const provider = providerOf(run, call.params.provider);
    const row = await context.uploads.of(run.id, provider.id);
    if (row === undefined) throw new ProblemError('not-found', 'This provider has no upload.');
    const token = await serviceToken(context, call, 'boxes');
    if (provider.step.state !== 'done') {
      throw new ProblemError(
        'invalid-request',
        "The provider isn't at the registry yet. Do that step first.",
      );
    }
    const isWhole = row.received === row.size && ['received', 'failed'].includes(row.state);
    if (!isWhole && !['delivering', 'verifying', 'done'].includes(row.state)) {
      throw new ProblemError('invalid-request', "The console doesn't have the file yet. Send it first.");
    }
    if (isWhole) {
      await passImage(context, call.guard, await boxesCaller(context, call), run, provider);
      await context.deliveries.start(row.id, token, call.session.id);
    }
    return uploadAnswer((await context.uploads.get(row.id)) ?? row);
  },
);
