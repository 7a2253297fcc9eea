import { providerLabel } from '@gatehouse/api-types/console/box-values';
import { boxesCaller } from '#api/boxes/caller.ts';
import { ProblemError } from '#ground/problem.ts';
import { resource, type Operation, audited } from '#operation/operation.ts';
import { serviceToken } from '#session/service-token.ts';
import { checkOpen, type StoredProvider, type StoredRun } from '#uploads/runs.ts';
import { uploadAnswer } from '#uploads/uploads.ts';
import { ofRun } from '../became.ts';
import { inRuns } from '../in-runs.ts';
import { checkMayPublish } from '../may-publish.ts';
import { passImage } from '../pass-image.ts';
import { providerOf, runOf } from '../run-answer.ts';

const beginUpload: Operation<'publishUploads.begin'> = audited(
  { became: ofRun((_run, { upload }) => upload !== undefined), harm: 'by stored state' },
  async (context, call) => {
    const run = await runOf(context, call);
    const provider = receiverOf(run, call.params.provider);
    const caller = await boxesCaller(context, call);
    await checkMayPublish(caller, run.plan);
    await passImage(context, call.guard, caller, run, provider);
    const { personId, environment } = run;
    const place = { personId, environment, runId: run.id, providerId: provider.id };
    const row = await context.uploads.begin(place, call.body);
    // Ending the run, or changing its provider, since the check dropped only earlier uploads.
    try {
      receiverOf(await runOf(context, call), provider.id);
    } catch (error) {
      if (row.state === 'receiving') await context.publishing.cancel(row.id);
      throw error;
    }
    return uploadAnswer(row);
  },
);

/** @throws ProblemError `invalid-request` if the run has ended, or the provider's image is at an address; `not-found` */
function receiverOf(run: StoredRun, providerId: string): StoredProvider {
  checkOpen(run);
  const provider = providerOf(run, providerId);
  if (provider.source.kind === 'image') return provider;
  throw new ProblemError(
    'invalid-request',
    'This provider links to an image by its address, so no file can be uploaded. Change its source to a file first.',
  );
}

const cancelUpload: Operation<'publishUploads.cancel'> = audited(
  { became: ofRun((_run, { upload }) => upload === undefined || upload.state === 'cancelled') },
  async (context, call) => {
    const run = await runOf(context, call);
    const provider = providerOf(run, call.params.provider);
    const row = await context.uploads.of(run.id, provider.id);
    if (row === undefined) throw new ProblemError('not-found', 'This provider has no upload.');
    if (!(await context.publishing.cancel(row.id))) {
      throw new ProblemError(
        'invalid-request',
        'The image was already delivered, so there is nothing to cancel.',
      );
    }
    await context.runs.log(run.id, 'The upload was canceled.', { provider: providerLabel(provider) });
    context.revocations.wake();
  },
);

const deliverUpload: Operation<'publishUploads.deliver'> = audited(
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
        "The provider isn't in the registry yet. Create it there first.",
      );
    }
    const isWhole = row.received === row.size && ['received', 'failed'].includes(row.state);
    if (!isWhole && !['delivering', 'verifying', 'done'].includes(row.state)) {
      throw new ProblemError(
        'invalid-request',
        "The console doesn't have the whole file yet. Finish the upload first.",
      );
    }
    if (isWhole) {
      await passImage(context, call.guard, await boxesCaller(context, call), run, provider);
      await context.deliveries.start(row.id, token, call.session.id);
    }
    return uploadAnswer((await context.uploads.get(row.id)) ?? row);
  },
);

const findUpload: Operation<'publishUploads.find'> = async (context, { params, query, session }) => {
  const owner = { personId: session.personId, environment: params.environment };
  const rows = await context.uploads.find(owner, query.size, query.fingerprint);
  const found = await Promise.all(
    rows.map(async (row) => {
      const run = await context.runs.get(owner, row.run_id);
      const provider = run?.plan.providers.find(({ id }) => id === row.provider_id);
      if (run === undefined || provider === undefined) return [];
      const { box, version } = run.plan;
      return [
        {
          run: run.id,
          run_state: run.state,
          provider: provider.id,
          provider_name: provider.name,
          architecture: provider.architecture,
          box: box === null ? null : `${box.username}/${box.name}`,
          version: version?.version ?? null,
          upload: uploadAnswer(row),
        },
      ];
    }),
  );
  return { uploads: found.flat() };
};

export const publishUploadOperations = resource(inRuns, {
  'publishUploads.begin': beginUpload,
  'publishUploads.cancel': cancelUpload,
  'publishUploads.deliver': deliverUpload,
  'publishUploads.find': findUpload,
});
