import type { ExistingDecision, PublishStep } from '@gatehouse/api-types/console/publish';
import { changed, created } from '#api/boxes/became.ts';
import type { RecordKind, Stored } from '#api/boxes/record-kind.ts';
import type { Became } from '#audit/became.ts';
import type { Wish } from '#audit/wish.ts';
import type { WhatBecame } from '#operation/operation.ts';
import type { PublishUploadRow } from '#store/schema.ts';
import type { StoredPlan, StoredProvider, StoredRun } from '#uploads/runs.ts';

/** Whether something was done; undefined if that is unknown. */
type Done = boolean | undefined;

interface Looks {
  readonly provider: StoredProvider | undefined;
  readonly upload: PublishUploadRow | undefined;
  /** Finds out like another operation. */
  readonly like: (became: WhatBecame, params: object, body?: object) => Promise<Done>;
  /** Reads the registry: whether a step created its record there or, if the user decided so, updated it. */
  readonly wrote: <Place extends object, Within extends object, New extends object>(
    kind: Pick<RecordKind<Place, Stored, never, Within, New>, 'made' | 'compared' | 'moved' | 'read'>,
    within: Within,
    fields: New,
  ) => Promise<Done>;
}

/**
 * Finds out whether a step or an upload was done. A run keeps a step's result only after the registry's answer, so a
 * step that isn't done there may be done at the registry.
 * @param stepOf the step of the plan, if `isDone` reads what it was to write
 */
export function ofRun(
  isDone: (run: StoredRun, looks: Looks) => Done | Promise<Done>,
  stepOf?: (plan: StoredPlan, provider: StoredProvider | undefined) => PublishStep | undefined,
): WhatBecame {
  return async (context, call, intent, wish): Promise<Became> => {
    const run = await context.runs.find(wish.params['run'] ?? '');
    if (run === undefined) return { outcome: 'failed' };
    const { id, revision, plan } = run;
    const provider = plan.providers.find((one) => one.id === wish.params['provider']);
    const upload = provider === undefined ? undefined : await context.uploads.of(id, provider.id);
    const like: Looks['like'] = async (became, params, body = {}) => {
      const of = { params, body } as Pick<Wish, 'params' | 'body'>;
      const { outcome } = await became(context, call, intent, { ...wish, ...of });
      return outcome === 'unknown' ? undefined : outcome === 'succeeded';
    };
    const done = await isDone(run, {
      provider,
      upload,
      like,
      wrote: (kind, within, fields) =>
        (wish.body as ExistingDecision | undefined)?.existing === 'update'
          ? like(changed(kind), kind.made(within, fields), kind.compared?.(fields) ?? fields)
          : like(created(kind), within, fields),
    });
    const step = stepOf?.(plan, provider);
    const isOfIntent = step?.state === 'failed' && Date.parse(step.time ?? '') >= intent.time;
    // The plan may have named another record at the time of the step.
    if (done === false && step !== undefined && !isOfIntent && run.updatedAt >= intent.time)
      return { outcome: 'unknown' };
    if (done === undefined) return { outcome: 'unknown' };
    return { outcome: done ? 'succeeded' : 'failed', stored: { id, revision } };
  };
}
