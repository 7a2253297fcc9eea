import type { PublishRun, PublishRunSummary } from '@gatehouse/api-types/console/publish';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import type { ActiveSession } from '#session/session.ts';
import type { PublishUploadRow } from '#store/schema.ts';
import type { StoredProvider, StoredRun } from '#uploads/runs.ts';
import { uploadAnswer } from '#uploads/uploads.ts';

/** What every call about runs has. */
export interface RunCall {
  readonly params: { readonly environment: string; readonly run: string };
  readonly session: ActiveSession;
}

/** @throws ProblemError `not-found` when the person has no such run */
export async function runOf(context: Context, { params, session }: RunCall): Promise<StoredRun> {
  const owner = { personId: session.personId, environment: params.environment };
  const run = await context.runs.get(owner, params.run);
  if (run === undefined)
    throw new ProblemError('not-found', "This publishing run doesn't exist, or it isn't yours.");
  return run;
}

/** @throws ProblemError `not-found` */
export function providerOf({ plan }: StoredRun, id: string): StoredProvider {
  const provider = plan.providers.find((one) => one.id === id);
  if (provider === undefined) throw new ProblemError('not-found', 'The run has no such provider.');
  return provider;
}

/** Whether clients could use a provider once the version is released. */
export function isReady(
  { source, step, had_image }: StoredProvider,
  upload: Pick<PublishUploadRow, 'state'> | undefined,
): boolean {
  if (step.state !== 'done') return false;
  if (source.kind === 'url') return true;
  return upload === undefined || upload.state === 'cancelled' ? had_image : upload.state === 'done';
}

/** A run as it is now, by its id. */
export async function runAnswer(context: Context, id: string): Promise<PublishRun> {
  const run = await context.runs.find(id);
  if (run === undefined) throw new ProblemError('not-found', "This publishing run doesn't exist.");
  const [[summary], log] = await Promise.all([summaries(context, [run]), context.runs.readLog(id)]);
  if (summary === undefined) throw new TypeError('a run has a summary');
  return { ...summary, log };
}

/** Runs without their logs. */
export async function summaries(context: Context, runs: readonly StoredRun[]): Promise<PublishRunSummary[]> {
  const rows = await context.uploads.ofRuns(runs.map(({ id }) => id));
  return runs.map(({ id, revision, environment, state, plan, createdAt, updatedAt }) => {
    const uploadOf = (provider: StoredProvider) =>
      rows.find(({ run_id, provider_id }) => run_id === id && provider_id === provider.id);
    const latest = rows.filter(({ run_id }) => run_id === id).map(({ updated_at }) => updated_at);
    return {
      id,
      revision,
      environment,
      state,
      created_time: new Date(createdAt).toISOString(),
      updated_time: new Date(Math.max(updatedAt, ...latest)).toISOString(),
      box: plan.box,
      version: plan.version,
      providers: plan.providers.map((provider) => {
        const upload = uploadOf(provider);
        const { had_image: _had, may_replace: _mayReplace, ...told } = provider;
        return {
          ...told,
          upload: upload === undefined ? null : uploadAnswer(upload),
          ready: isReady(provider, upload),
        };
      }),
      release: plan.release,
    };
  });
}
