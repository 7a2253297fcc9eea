import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { ofRun } from '#shared/publish/became.ts';
import { checkMayPublish } from '#shared/publish/may-publish.ts';
import { passImage } from '#shared/publish/pass-image.ts';
import { providerOf, runOf } from '#shared/publish/run-answer.ts';
import { checkOpen } from '#uploads/runs.ts';
import { uploadAnswer } from '#uploads/uploads.ts';

export const beginUpload: Operation<'publishUploads.begin'> = audited(
  { became: ofRun((_run, { upload }) => upload !== undefined), harm: 'by stored state' },
  async (context, call) => {
    const run = await runOf(context, call);
    checkOpen(run);
    const provider = providerOf(run, call.params.provider);
    if (provider.source.kind !== 'image') {
      throw new ProblemError('invalid-request', 'This provider has an address instead of an image.');
    }
    const caller = await boxesCaller(context, call);
    await checkMayPublish(caller, run);
    await passImage(context, call.guard, caller, run, provider);
    const { personId, environment } = run;
    const place = { personId, environment, runId: run.id, providerId: provider.id };
    return uploadAnswer(await context.uploads.begin(place, call.body));
  },
);
