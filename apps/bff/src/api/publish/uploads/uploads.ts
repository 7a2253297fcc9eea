import { ProblemError } from '#ground/problem.ts';
/** Uploads of images: begun, found again, dropped, delivered anew. Their bytes arrive by tus. */
import type { Operation } from '#operation/operation.ts';
import { serviceToken } from '#session/service-token.ts';
import { providerOf, runOf } from '#shared/publish/run-answer.ts';
import { checkOpen } from '#uploads/runs.ts';
import { uploadAnswer } from '#uploads/uploads.ts';

export const beginUpload: Operation<'beginUpload'> = async (context, call) => {
  const run = await runOf(context, call);
  checkOpen(run);
  const provider = providerOf(run, call.params.provider);
  if (provider.source.kind !== 'image') {
    throw new ProblemError('invalid-request', 'This provider has an address, and no image of its own.');
  }
  await serviceToken(context, call, 'boxes');
  const { personId, environment } = run;
  const place = { personId, environment, runId: run.id, providerId: provider.id };
  return uploadAnswer(await context.uploads.begin(place, call.body));
};

export const cancelUpload: Operation<'cancelUpload'> = async (context, call) => {
  const run = await runOf(context, call);
  const provider = providerOf(run, call.params.provider);
  const row = await context.uploads.of(run.id, provider.id);
  if (row === undefined) throw new ProblemError('not-found', 'There is no upload for this provider.');
  await context.deliveries.stop(row.id);
  await context.uploads.drop(row.id, 'cancelled');
  await context.runs.log(run.id, 'The upload was cancelled.', { provider: provider.name });
  context.revocations.wake();
};

export const deliverUpload: Operation<'deliverUpload'> = async (context, call) => {
  const run = await runOf(context, call);
  checkOpen(run);
  const provider = providerOf(run, call.params.provider);
  const row = await context.uploads.of(run.id, provider.id);
  if (row === undefined) throw new ProblemError('not-found', 'There is no upload for this provider.');
  const token = await serviceToken(context, call, 'boxes');
  if (provider.step.state !== 'done') {
    throw new ProblemError('invalid-request', 'The provider is not at the registry yet: do its step first.');
  }
  const isWhole = row.received === row.size && ['received', 'failed'].includes(row.state);
  if (!isWhole && !['delivering', 'verifying', 'done'].includes(row.state)) {
    throw new ProblemError('invalid-request', 'The file is not at the console: send it first.');
  }
  if (isWhole) await context.deliveries.start(row.id, token, call.session.id);
  return uploadAnswer((await context.uploads.get(row.id)) ?? row);
};

export const findUpload: Operation<'findUpload'> = async (context, { params, query, session }) => {
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
          box: box === null ? null : `${box.username}/${box.name}`,
          version: version?.version ?? null,
          upload: uploadAnswer(row),
        },
      ];
    }),
  );
  return { uploads: found.flat() };
};
