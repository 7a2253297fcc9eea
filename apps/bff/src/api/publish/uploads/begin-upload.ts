import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { ofRun } from '#shared/publish/became.ts';
import { harmOfImage } from '#shared/publish/harm.ts';
import { providerOf, runOf } from '#shared/publish/run-answer.ts';
import { checkOpen } from '#uploads/runs.ts';
import { uploadAnswer } from '#uploads/uploads.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import { listNamespaces, mayIn } from '#upstreams/box-registry/management.ts';
import { ServiceError } from '#upstreams/service-error.ts';

/**
 * Room is for those who may publish. While the registry does not answer an image can be sent all the same, for it waits here.
 * @throws ProblemError `forbidden` where the registry tells that a person may not
 */
async function checkMayPublish(caller: BoxesCaller, owner: string | undefined): Promise<void> {
  const may = await mayPublish(caller, owner).catch((error: unknown) => {
    if (error instanceof ServiceError && error.status >= 500) return undefined;
    throw error;
  });
  if (may !== false) return;
  const { environment, service } = caller.transport;
  throw new ProblemError(
    'forbidden',
    owner === undefined
      ? 'Your account may not publish boxes at this registry.'
      : `Your account may not publish boxes of ${owner}.`,
    { environment, service },
  );
}

/** Whether a person may publish for an owner, or for anybody; undefined where the registry does not tell. */
async function mayPublish(caller: BoxesCaller, owner: string | undefined): Promise<boolean | undefined> {
  if (owner !== undefined) return (await mayIn(caller, owner))?.publish;
  return (await listNamespaces(caller))?.some(({ actions }) => actions.includes('publish'));
}

export const beginUpload: Operation<'publishUploads.begin'> = audited(
  { became: ofRun((_run, { upload }) => upload !== undefined), harm: harmOfImage },
  async (context, call) => {
    const run = await runOf(context, call);
    checkOpen(run);
    const provider = providerOf(run, call.params.provider);
    if (provider.source.kind !== 'image') {
      throw new ProblemError('invalid-request', 'This provider has an address, and no image of its own.');
    }
    await checkMayPublish(await boxesCaller(context, call), run.plan.box?.username);
    const { personId, environment } = run;
    const place = { personId, environment, runId: run.id, providerId: provider.id };
    return uploadAnswer(await context.uploads.begin(place, call.body));
  },
);
