import type { Became } from '#audit/became.ts';
import type { WhatBecame } from '#operation/operation.ts';
import type { PublishUploadRow } from '#store/schema.ts';
import type { StoredProvider, StoredRun } from '#uploads/runs.ts';

/**
 * Finds out in the console's own database whether a step or an upload was done.
 * @param isDone undefined if the stored run doesn't show it
 */
export function ofRun(
  isDone: (
    run: StoredRun,
    of: {
      readonly provider: StoredProvider | undefined;
      readonly upload: PublishUploadRow | undefined;
    },
  ) => boolean | undefined,
): WhatBecame {
  return async (context, _call, _intent, { params }): Promise<Became> => {
    const run = await context.runs.find(params['run'] ?? '');
    if (run === undefined) return { outcome: 'failed' };
    const { id, revision, plan } = run;
    const provider = plan.providers.find((one) => one.id === params['provider']);
    const upload = provider === undefined ? undefined : await context.uploads.of(id, provider.id);
    const done = isDone(run, { provider, upload });
    if (done === undefined) return { outcome: 'unknown' };
    return { outcome: done ? 'succeeded' : 'failed', stored: { id, revision } };
  };
}
