import {
  publishRunSummary,
  type PublishRun,
  type PublishRunSummary,
} from '@gatehouse/api-types/console/publish';
import * as z from 'zod/mini';
import type { AuditNote } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import type { ActiveSession } from '#session/session.ts';
import type { PublishUploadRow } from '#store/schema.ts';
import type { StoredProvider, StoredRun } from '#uploads/runs.ts';
import { uploadAnswer } from '#uploads/uploads.ts';

/** A call about a run. */
export interface RunCall {
  readonly params: { readonly environment: string; readonly run: string };
  readonly session: ActiveSession;
  /** Absent for reads, which aren't recorded. */
  readonly note?: AuditNote;
}

/** @throws ProblemError `not-found` if the run doesn't exist or isn't the caller's */
export async function runOf(context: Context, { params, session, note }: RunCall): Promise<StoredRun> {
  const owner = { personId: session.personId, environment: params.environment };
  const run = await context.runs.get(owner, params.run);
  if (run === undefined)
    throw new ProblemError('not-found', "This publishing run doesn't exist, or it isn't yours.");
  note?.saw({ id: run.id, name: nameOf(run) });
  return run;
}

/** The name of a run in the audit trail: `owner/name 1.2.0`, as far as it is planned. */
function nameOf({ plan: { box, version } }: StoredRun): string {
  return box === null ? '' : `${box.username}/${box.name} ${version?.version ?? ''}`.trim();
}

/** @throws ProblemError `not-found` */
export function providerOf({ plan }: StoredRun, id: string): StoredProvider {
  const provider = plan.providers.find((one) => one.id === id);
  if (provider === undefined) throw new ProblemError('not-found', 'The run has no such provider.');
  return provider;
}

/** Whether clients can use a provider once the version is released. */
export function isReady(
  { source, step, had_image }: StoredProvider,
  upload: Pick<PublishUploadRow, 'state'> | undefined,
): boolean {
  if (step.state !== 'done') return false;
  if (source.kind === 'url') return true;
  return upload === undefined || upload.state === 'cancelled' ? had_image : upload.state === 'done';
}

/** A run's current state, by its ID. */
export async function runAnswer(context: Context, id: string): Promise<PublishRun> {
  const run = await context.runs.find(id);
  if (run === undefined) throw new ProblemError('not-found', "This publishing run doesn't exist.");
  const [answer, log] = await Promise.all([answerOf(context, run), context.runs.readLog(id)]);
  return { ...answer, log };
}

/** A run as an item of a list. */
export async function summaryOf(context: Context, run: StoredRun): Promise<PublishRunSummary> {
  return z.parse(publishRunSummary, await answerOf(context, run));
}

async function answerOf(
  context: Context,
  { id, revision, environment, state, plan, createdAt, updatedAt }: StoredRun,
): Promise<Omit<PublishRun, 'log'>> {
  const rows = await context.uploads.ofRuns([id]);
  return {
    id,
    revision,
    environment,
    state,
    created_time: new Date(createdAt).toISOString(),
    updated_time: new Date(Math.max(updatedAt, ...rows.map((row) => row.updated_at))).toISOString(),
    box: plan.box,
    version: plan.version,
    providers: plan.providers.map((provider) => {
      const upload = rows.find(({ provider_id }) => provider_id === provider.id);
      const { had_image: _had, may_replace: _mayReplace, may_add: _mayAdd, ...told } = provider;
      return {
        ...told,
        upload: upload === undefined ? null : uploadAnswer(upload),
        ready: isReady(provider, upload),
      };
    }),
    release: plan.release,
  };
}
