import type { Wish } from '#audit/wish.ts';
import type { Context } from '#operation/context.ts';
import type { Became } from '../access/became.ts';

/** Kinds of resources that the console keeps for publishing. */
export const publishKinds: ReadonlySet<string> = new Set(['publish-run', 'publish-upload']);

/** What became of a step or an upload: the console's own store tells. */
export async function whatBecameOfPublishing(context: Context, { operation, params }: Wish): Promise<Became> {
  const run = await context.runs.find(params['run'] ?? '');
  if (run === undefined) return { outcome: operation === 'createPublishRun' ? 'unknown' : 'failed' };
  const { id, revision, plan, state } = run;
  const provider = plan.providers.find((one) => one.id === params['provider']);
  const upload = provider === undefined ? undefined : await context.uploads.of(id, provider.id);
  const isDone = {
    publishBox: plan.box?.step.state === 'done',
    publishVersion: plan.version?.step.state === 'done',
    publishProvider: provider?.step.state === 'done',
    publishRelease: plan.release.state === 'done',
    abandonPublishRun: state === 'abandoned',
    beginUpload: upload !== undefined,
    cancelUpload: upload === undefined || upload.state === 'cancelled',
    deliverUpload: upload !== undefined && upload.state !== 'failed',
  }[operation];
  if (isDone === undefined) return { outcome: 'unknown' };
  return { outcome: isDone ? 'succeeded' : 'failed', stored: { id, revision } };
}
